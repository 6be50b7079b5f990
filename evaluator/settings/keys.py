"""Every setting: its key, default, bounds, and the direction that makes the gate tighter.

The one home of each stated figure. Read by `layers`; knows nothing else of the project but data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from evaluator.model import AUTO, BACKEND_MODULES, NamedReaders, StakesClass
from evaluator.record import Record, replace, values_of
from evaluator.text import table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar


Tighter = Literal["up", "down", "true", "false", "subset", "superset", "ranked"]
KeyKind = Literal["bool", "int", "float", "str", "strs", "table"]


class Key(Record):
    """One setting. `tighter` None means that the key is the user's alone: a project cannot set it.

    `ranked`: a later one of `choices`.
    `subset`: entries are left out, in the same order, and none that takes back (`!`) what another one gives.
    `address`: a string that is an http or https address. `about`: what it is for, in a line.
    """

    path: str
    kind: KeyKind
    default: object
    about: str = ""
    tighter: Tighter | None = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False
    address: bool = False


def key(default: object, kind: KeyKind, about: str, **meta: Any) -> Any:
    """One key in the body of a section; its path follows from where the section stands."""
    return Key("", kind, default, about, **meta)


class Section(Record):
    """A record of keys and of further sections; a key stands for its default."""

    if TYPE_CHECKING:
        stated: ClassVar[Mapping[str, Key]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.stated = {name: held for name, held in cls._defaults.items() if isinstance(held, Key)}
        cls._defaults = {**cls._defaults, **{name: known.default for name, known in cls.stated.items()}}


PROMPT_TAGS = (
    "current_request", "prior_assistant_turn", "resolved_option", "approved_plan", "delegated_task", "pending_write",
    "turn_so_far", "file_contents", "looked_up", "precedents", "earlier_messages",
)  # fmt: skip
"""The slots of the readers' prompt: the sanitizer strips these tags, the prompt alone writes them."""

DEFAULT_STRIP_SEQUENCES = (
    *(f"<{tag}>" for tag in PROMPT_TAGS),
    *(f"</{tag}>" for tag in PROMPT_TAGS),
    *("<|", "|>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"),
)


class EvaluatorSettings(Section):
    backend: str = key(
        AUTO, "str", "the backend that produces the readers' answers", choices=(AUTO, *BACKEND_MODULES)
    )
    model: str = key("claude-haiku-4-5-20251001", "str", "the readers' model; `openai` has no default")
    base_url: str | None = key(
        None, "str", "another server's address, for the Messages API or chat completions", optional=True, address=True
    )  # fmt: skip
    n: int = key(5, "int", "how many readers a check can ask", low=1, high=31)
    temperature: float = key(0.3, "float", "sent if the model accepts it", low=0.0, high=2.0)
    max_output_tokens: int = key(
        128, "int", "maximum tokens per answer; raised if more are needed", low=16, high=4096
    )
    sample_timeout_seconds: float = key(8.0, "float", "seconds that one reader may take", low=0.1, high=600.0)
    min_valid_samples: int = key(3, "int", "a check with fewer valid answers fails", low=1, high=31)
    max_concurrent_samples: int = key(
        40, "int", "how many answers this machine waits for at once", low=1, high=1000
    )
    daily_budget_usd: float | None = key(
        None, "float", "the most that readers may cost on this machine in a day (UTC)", optional=True, low=0.0
    )  # fmt: skip


class SamplingSettings(Section):
    strategy: str = key(
        "two_looks", "str", "`fixed` asks all readers at once; `two_looks` asks two first",
        choices=("two_looks", "fixed")
    )  # fmt: skip


class ConvergenceSettings(Section):
    """`rule` None: by the certified cuts while a calibration has them, else by the score."""

    rule: str | None = key(
        None, "str",
        "unset: `certified` if calibrated, else `score`; `score+agreement` also requires matching readings",
        optional=True, choices=("score", "score+agreement", "certified")
    )  # fmt: skip

    @property
    def blind(self) -> int:
        """How many readers are not shown the write: none, or two where their agreement decides."""
        return 2 if self.needs_agreement else 0

    @property
    def needs_agreement(self) -> bool:
        return self.rule == "score+agreement"

    @property
    def certifies(self) -> bool:
        """Whether certified cuts of a calibration decide where there are any."""
        return self.rule in (None, "certified")


class ConfidenceByStakes(Section):
    """`reversible`: calls that can be taken back; `irreversible`: those that others see or that lose what existed."""

    reversible: float = key(
        0.4, "float", "minimum mean score for writes that can be undone, including commits", tighter="up", low=0.0,
        high=1.0
    )  # fmt: skip
    irreversible: float = key(
        0.4, "float", "minimum mean score for writes that others see or that lose data", tighter="up", low=0.0,
        high=1.0
    )  # fmt: skip


class CooldownSettings(Section):
    strategy: str = key("path_and_identity", "str", "the only value", choices=("path_and_identity",))
    seconds: float = key(
        120.0, "float",
        "a file just written is not judged again for this many seconds unless you send a message; 0: off",
        tighter="down", low=0.0, high=86400.0
    )  # fmt: skip
    identity_match: str = key("dir_plus_stem", "str", "the only value", choices=("dir_plus_stem",))


class Coverage(Section):
    max_calls: int = key(
        10, "int", "how many further writes in the same turn and folder one passed check covers", tighter="down", low=0,
        high=1000
    )  # fmt: skip


class Transcript(Section):
    prior_turn_chars_max: int = key(
        1200, "int", "how many characters of the prior turn readers see", low=0, high=100_000
    )  # fmt: skip
    transcript_max_age_seconds: float = key(300.0, "float", "accepted, but no longer has any effect", low=0.0)


class ReplyToQuestion(Section):
    enabled: bool = key(
        True, "bool", "let a write run if you clearly chose it in answer to a numbered question", tighter="false"
    )  # fmt: skip
    question_pattern: str = key(
        "numbered_list_with_question_mark", "str", "the only value", choices=("numbered_list_with_question_mark",)
    )  # fmt: skip
    reply_pattern: str = key(
        "option_reference_or_affirmation", "str", "the only value", choices=("option_reference_or_affirmation",)
    )  # fmt: skip


class SkipSentinel(Section):
    trust_tool_input: bool = key(
        False, "bool", "also accept `[compass:skip]` in text that the agent writes", tighter="false"
    )  # fmt: skip


class SkipPatterns(Section):
    reply_to_question: ReplyToQuestion = ReplyToQuestion()


_OPEN_BY_POLICY = {"closed": "fail_closed", "open": "fail_open", "embedded": "embedded"}


class CircuitBreaker(Section):
    enabled: bool = key(True, "bool", "stop asking readers that keep failing")
    consecutive_failures_to_open: int = key(
        3, "int", "after this many failures in a row, readers are no longer asked", low=1, high=1000
    )  # fmt: skip
    open_duration_seconds: float = key(
        300.0, "float", "seconds until a reader is tried again", low=0.0, high=86400.0
    )
    open_behavior: str = key(
        "policy", "str", "what happens to writes while readers are not asked; `policy` follows `error_policy`",
        choices=("fail_open", "embedded", "policy", "fail_closed")
    )  # fmt: skip

    def behaviour(self, error_policy: str) -> str:
        """What happens to writes while the breaker is open: as `error_policy` says, unless the user set it."""
        return _OPEN_BY_POLICY[error_policy] if self.open_behavior == "policy" else self.open_behavior


class Sanitization(Section):
    strip_sequences: tuple[str, ...] = key(
        DEFAULT_STRIP_SEQUENCES, "strs", "text to replace with `[STRIPPED]`; the prompt's own tags are always replaced"
    )  # fmt: skip
    strip_null_bytes: bool = key(True, "bool", "remove NUL characters", tighter="true")


class DataEgress(Section):
    note: str = key("", "str", "your own note")


class EvidenceSettings(Section):
    """What readers learn of a write besides its place and size: names that it touches, lines about its targets from
    what the agent looked up, and the session's history: earlier messages and the calls of the turn so far."""

    symbols: bool = key(True, "bool", "readers see which names a write touches and how many lines it has")
    lookups: str = key(
        "targets", "str", "readers see what the agent read about the targets, up to 600 characters",
        choices=("off", "targets")
    )  # fmt: skip
    history: bool = key(True, "bool", "readers see the session's earlier messages and the turn's calls")


class InterventionSettings(Section):
    recheck_limit: int = key(
        1, "int", "how many times a held target can be judged again after you reply", tighter="down", low=0, high=10
    )  # fmt: skip
    headless: str = key(
        "deny", "str", "what happens when nobody is there to answer; `stop` denies and ends the turn", tighter="ranked",
        choices=("pass", "deny", "stop")
    )  # fmt: skip


KEPT_DAYS = 90
"""How long a precedent counts."""


class MemorySettings(Section):
    """`enabled`: whether precedents are kept and count. `share`: whether hosted readers are shown them, too."""

    enabled: bool = key(True, "bool", "keep precedents for later requests", tighter="false")
    share: bool = key(True, "bool", "show precedents to hosted readers", tighter="false")


class HindsightSettings(Section):
    """`live`: whether readers label each turn once the next prompt comes, in the service."""

    live: bool = key(False, "bool", "label each turn in the background when the next prompt arrives")


_MCP_TABLE = cast("Mapping[str, Mapping[str, str]]", table("settings/mcp_writers"))
MCP_WRITERS: tuple[tuple[str, str], ...] = tuple(
    sorted(
        (form.format(word), does)
        for section, form in (("tools", "mcp__*__{}"), ("query_servers", "mcp__*{}*__query"))
        for does, words in _MCP_TABLE[section].items()
        for word in words.split()
    )
)
"""(name of a tool that is known to write, what it does), in the order of the names."""


class GateSettings(Section):
    """`mcp_tools`: (name of a tool that writes, what it does and where its target stands); see `trigger.tools`."""

    mcp_tools: tuple[tuple[str, str], ...] = key(
        MCP_WRITERS, "table", "MCP tools that write, with what they do and their target field"
    )  # fmt: skip


class ServiceSettings(Section):
    enabled: bool = key(True, "bool", "one service judges for all hooks; if off, each hook judges on its own")


class Bash(Section):
    read_only: tuple[str, ...] = key(
        (), "strs", "commands that count as reading, by their first words (`terraform plan`)", tighter="subset"
    )  # fmt: skip
    write: tuple[str, ...] = key(
        (), "strs", "commands that count as writing; overrides `bash.read_only`", tighter="superset"
    )  # fmt: skip


DEFAULT_SKIP_GLOBS = (
    "**/*.lock",
    "**/*.sum",
    "**/node_modules/**",
    "**/.git/**",
    "**/dist/**",
    "**/build/**",
)


class Settings(Section):
    """The resolved settings of one check. `at_default`: paths of the keys of `MEASURED` that somebody states, and as
    they are by default. `readers`: who reads at the team's evaluator, None where that is not known."""

    enabled: bool = key(
        False, "bool", "whether writes are judged; `compass init` turns it on for a project", tighter="true"
    )  # fmt: skip
    mode: str = key(
        "enforce", "str", "`enforce` holds writes; `observe` judges and records, but holds nothing",
        tighter="ranked", choices=("observe", "enforce")
    )  # fmt: skip
    deadline_seconds: float = key(
        20.0, "float", "seconds that the hook may take to answer; the host waits 30", low=0.5, high=600.0
    )
    error_policy: str = key(
        "closed", "str",
        "without a verdict, `closed` holds writes, `open` lets them run, `embedded` holds only banned writes and "
        "unrequested deletions or overwrites",
        tighter="ranked", choices=("open", "embedded", "closed")
    )  # fmt: skip
    confidence_threshold: float | None = key(
        None, "float", "minimum mean score for all calls; if unset, `confidence_by_stakes` applies", optional=True,
        tighter="up", low=0.0, high=1.0
    )  # fmt: skip
    stddev_threshold: float = key(
        0.20, "float", "the largest spread of scores that passes", tighter="down", low=0.0, high=1.0
    )  # fmt: skip
    threshold_calibration_note: str = key("", "str", "your note on thresholds that you set by hand")
    max_checks_per_turn: int = key(
        3, "int", "paid checks per turn, and the same number again for git and irreversible writes together", low=0,
        high=1000
    )  # fmt: skip
    min_context_chars: int = key(
        80, "int", "characters of context that a check needs; a turn's first check is exempt", low=0, high=100_000
    )  # fmt: skip
    context_chars_max: int = key(
        2400, "int", "how many characters of the request readers see; 0: none", low=0, high=100_000
    )  # fmt: skip
    on_exhausted: str = key(
        "skip", "str",
        "what happens when a budget runs out or the context is too short; `deny` also holds writes that can be undone",
        tighter="ranked", choices=("skip", "embedded", "deny")
    )  # fmt: skip
    include_file_contents: bool = key(
        False, "bool", "also send the first and last 2,000 characters of a file", tighter="false"
    )  # fmt: skip
    skip_globs: tuple[str, ...] = key(
        DEFAULT_SKIP_GLOBS, "strs", "gitignore-style patterns of files that are never judged; every target must match",
        tighter="subset"
    )  # fmt: skip
    store_evidence: bool = key(True, "bool", "keep the exchange in the private record", tighter="false")
    retention_days: int = key(30, "int", "how many days checks are kept", low=1, high=3650)
    evaluator: EvaluatorSettings = EvaluatorSettings()
    sampling: SamplingSettings = SamplingSettings()
    convergence: ConvergenceSettings = ConvergenceSettings()
    confidence_by_stakes: ConfidenceByStakes = ConfidenceByStakes()
    cooldown: CooldownSettings = CooldownSettings()
    coverage: Coverage = Coverage()
    transcript: Transcript = Transcript()
    skip_patterns: SkipPatterns = SkipPatterns()
    skip_sentinel: SkipSentinel = SkipSentinel()
    circuit_breaker: CircuitBreaker = CircuitBreaker()
    sanitization: Sanitization = Sanitization()
    data_egress: DataEgress = DataEgress()
    evidence: EvidenceSettings = EvidenceSettings()
    intervention: InterventionSettings = InterventionSettings()
    memory: MemorySettings = MemorySettings()
    hindsight: HindsightSettings = HindsightSettings()
    gate: GateSettings = GateSettings()
    bash: Bash = Bash()
    service: ServiceSettings = ServiceSettings()
    at_default: frozenset[str] = frozenset()
    readers: NamedReaders | None = None

    def confidence(self, stakes: StakesClass) -> float:
        """The least mean score that passes a check: one number that the user set counts for all stakes."""
        if self.confidence_threshold is not None:
            return self.confidence_threshold
        by = self.confidence_by_stakes
        return by.irreversible if stakes == "irreversible" else by.reversible

    @property
    def sends_exchange(self) -> bool:
        """Near-zero egress where not: no text of the exchange or of an earlier message, no call of the turn, no name
        and no looked-up line leaves."""
        return bool(self.context_chars_max or self.transcript.prior_turn_chars_max)


S = TypeVar("S", bound=Section)


def _collect_setting_keys(section: Section, prefix: str) -> dict[str, Key]:
    found: dict[str, Key] = {}
    for name, held in values_of(section).items():
        path = prefix + name
        if isinstance(held, Section):
            found.update(_collect_setting_keys(held, path + "."))
        elif name in section.stated:
            found[path] = replace(section.stated[name], path=path)
    return found


KEYS: dict[str, Key] = _collect_setting_keys(Settings(), "")
"""Every key by its dotted path, in the order of the classes above."""

SPELLED = {"data_egress.include_file_contents": "include_file_contents"}
"""Another spelling of a key, which counts where its own says nothing in the same place."""

MEASURED = (
    "confidence_threshold",
    "confidence_by_stakes.reversible",
    "confidence_by_stakes.irreversible",
    "stddev_threshold",
)
"""Keys whose default gives way to what was measured, and what is stated does not."""


def build(values: Mapping[str, object]) -> Settings:
    """Settings from validated values by dotted path; a missing key takes its default."""
    at_default = frozenset(path for path in MEASURED if path in values and values[path] == KEYS[path].default)
    return replace(_built(Settings(), "", values), at_default=at_default)


def _built(section: S, prefix: str, values: Mapping[str, object]) -> S:
    found: dict[str, object] = {}
    for name, held in values_of(section).items():
        path = prefix + name
        found[name] = (
            _built(held, path + ".", values) if isinstance(held, Section) else values.get(path, held)
        )
    return section.__class__(**found)
