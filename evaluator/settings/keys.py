"""Every setting: its key, default, bounds, and the direction that makes the gate tighter.

The one home of each stated figure. Built by `loading`; knows nothing else of the project but data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from evaluator.backends import AUTO, Backends
from evaluator.model import NamedReaders, StakesClass
from evaluator.record import Record, replace, values_of
from evaluator.settings.mcp_writers import MCP_WRITERS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

Tighter = Literal["up", "down", "true", "false", "subset", "superset", "ranked", "joined"]
KeyKind = Literal["bool", "int", "float", "str", "strs", "table"]


class Key(Record):
    """One setting. `tighter` None means that the key is the user's alone: a project cannot set it.

    `ranked`: a later one of `choices`; from and to `unranked`, whose rank follows another key, the last of them alone.
    `subset`: entries are left out, in the same order, and none that takes back (`!`) what another one gives.
    `joined`: what a project says is joined to what its user has; see `values.joined`.
    `theirs` is the most that a project may set where more costs its user: what readers take in a day is capped.
    `address`: a string that is an http or https address. `secret`: a string that may hold a password, which nothing
    shows; see `values.shown`.
    """

    path: str
    kind: KeyKind
    default: object
    tighter: Tighter | None = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] | Backends = ()
    unranked: str = ""
    optional: bool = False
    theirs: float | None = None
    address: bool = False
    secret: bool = False


def key(default: object, kind: KeyKind, **meta: Any) -> Any:
    """One key in the body of a section; its path follows from where the section stands."""
    return Key("", kind, default, **meta)


class Section(Record):
    """A record of keys and of further sections; a key stands for its default."""

    if TYPE_CHECKING:
        stated: ClassVar[Mapping[str, Key]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.stated = {name: held for name, held in cls._defaults.items() if isinstance(held, Key)}
        cls._defaults = {**cls._defaults, **{name: known.default for name, known in cls.stated.items()}}


PROMPT_TAGS = (
    "current_request",
    "prior_assistant_turn",
    "resolved_option",
    "approved_plan",
    "delegated_task",
    "pending_write",
    "turn_so_far",
    "file_contents",
    "looked_up",
    "precedents",
    "earlier_messages",
)
"""The slots of the readers' prompt: the sanitizer strips these tags, the prompt alone writes them."""

DEFAULT_STRIP_SEQUENCES = (
    *(f"<{tag}>" for tag in PROMPT_TAGS),
    *(f"</{tag}>" for tag in PROMPT_TAGS),
    "<|",
    "|>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
)


class EvaluatorSettings(Section):
    backend: str = key(AUTO, "str", choices=Backends(AUTO))
    model: str = key("claude-haiku-4-5-20251001", "str")
    base_url: str | None = key(None, "str", optional=True, address=True)
    plain_http: bool = key(False, "bool")
    n: int = key(5, "int", tighter="up", low=1, high=31, theirs=9)
    temperature: float = key(0.3, "float", low=0.0, high=2.0)
    max_output_tokens: int = key(128, "int", low=16, high=4096)
    sample_timeout_seconds: float = key(8.0, "float", low=0.1, high=600.0)
    min_valid_samples: int = key(3, "int", low=1, high=31)
    retries: int = key(1, "int", low=0, high=5)
    retry_seconds: float = key(2.0, "float", low=0.0, high=60.0)
    max_concurrent_samples: int = key(40, "int", low=1, high=1000)
    daily_budget_usd: float | None = key(None, "float", optional=True, low=0.0)
    daily_calls: int | None = key(None, "int", optional=True, low=0, high=1_000_000)


class ClaudeCli(Section):
    command: str = key("claude", "str")
    n: int = key(3, "int", low=1, high=9)
    timeout_seconds: float = key(15.0, "float", low=0.1, high=600.0)


class OpenAi(Section):
    """`at_once` None: as many as the server says that it serves at once, else one after the other."""

    n: int = key(3, "int", low=3, high=9)
    at_once: int | None = key(None, "int", optional=True, low=1, high=9)


class SamplingSettings(Section):
    """`risk`: the chance at which the outstanding readers of a second look may still change its verdict."""

    strategy: str = key("two_looks", "str", choices=("two_looks", "fixed"))
    risk: float = key(0.01, "float", low=0.0, high=1.0)


AGREEMENT = "+agreement"
"""What a rule ends with where readings that differ block as well."""


class ConvergenceSettings(Section):
    """`rule` None: by the certified cuts while a calibration has them, else by the score."""

    rule: str | None = key(
        None,
        "str",
        optional=True,
        tighter="joined",
        choices=("score", "score+agreement", "certified", "certified+agreement"),
    )
    agreement_threshold: float = key(0.5, "float", tighter="up", low=0.0, high=1.0)
    blind_readers: int | None = key(None, "int", optional=True, low=0, high=31)

    @property
    def blind(self) -> int:
        """How many readers are not shown the write: none, or two where their agreement decides."""
        if self.blind_readers is not None:
            return self.blind_readers
        return 2 if self.needs_agreement else 0

    @property
    def needs_agreement(self) -> bool:
        return self.rule is not None and self.rule.endswith(AGREEMENT)

    @property
    def certifies(self) -> bool:
        """Whether certified cuts decide where there are any."""
        return self.rule is None or self.rule.startswith("certified")


class ConfidenceByStakes(Section):
    """`reversible`: for calls that can be taken back; `irreversible`: for those that others see or that lose what
    existed."""

    reversible: float = key(0.4, "float", tighter="up", low=0.0, high=1.0)
    irreversible: float = key(0.4, "float", tighter="up", low=0.0, high=1.0)


class CooldownSettings(Section):
    strategy: str = key("path_and_identity", "str", choices=("path_and_identity",))
    seconds: float = key(120.0, "float", tighter="down", low=0.0, high=86400.0)
    identity_match: str = key("dir_plus_stem", "str", choices=("dir_plus_stem",))


class Coverage(Section):
    max_calls: int = key(10, "int", tighter="down", low=0, high=1000)


class Transcript(Section):
    prior_turn_chars_max: int = key(1200, "int", low=0, high=100_000)
    transcript_max_age_seconds: float = key(300.0, "float", low=0.0)


class ReplyToQuestion(Section):
    enabled: bool = key(True, "bool", tighter="false")
    question_pattern: str = key(
        "numbered_list_with_question_mark", "str", choices=("numbered_list_with_question_mark",)
    )
    reply_pattern: str = key(
        "option_reference_or_affirmation", "str", choices=("option_reference_or_affirmation",)
    )


class SkipPatterns(Section):
    reply_to_question: ReplyToQuestion = ReplyToQuestion()


class SkipSentinel(Section):
    trust_tool_input: bool = key(False, "bool", tighter="false")


_OPEN_BY_POLICY = {"closed": "fail_closed", "open": "fail_open", "embedded": "embedded"}


class CircuitBreaker(Section):
    enabled: bool = key(True, "bool")
    consecutive_failures_to_open: int = key(3, "int", low=1, high=1000)
    open_duration_seconds: float = key(300.0, "float", low=0.0, high=86400.0)
    open_behavior: str = key(
        "policy",
        "str",
        tighter="ranked",
        choices=("fail_open", "embedded", "policy", "fail_closed"),
        unranked="policy",
    )
    scope: str = key("machine", "str", choices=("machine", "session"))

    def behaviour(self, error_policy: str) -> str:
        """What happens while it is open: as `error_policy` says, unless the user set it."""
        return _OPEN_BY_POLICY[error_policy] if self.open_behavior == "policy" else self.open_behavior


class Sanitization(Section):
    strip_sequences: tuple[str, ...] = key(DEFAULT_STRIP_SEQUENCES, "strs")
    strip_null_bytes: bool = key(True, "bool", tighter="true")
    redact_secrets: bool = key(True, "bool", tighter="true")


class DataEgress(Section):
    """`backends` None: evidence may go to any."""

    include_file_contents: bool = key(False, "bool", tighter="false")
    note: str = key("", "str")
    backends: tuple[str, ...] | None = key(None, "strs", optional=True)

    def forbids(self, backend: str) -> str:
        """Why no evidence may go to that backend, which is never `auto`, and the way out; empty where it may."""
        if self.backends is None or backend in self.backends:
            return ""
        if not self.backends:
            return "your team's policy lets evidence go to no backend at all, so nothing was sent"
        return (
            f"your team's policy lets evidence go to {' and '.join(self.backends)} alone, not to {backend}, so nothing "
            f"was sent: `compass config set evaluator.backend {self.backends[0]}` takes one that it allows"
        )


class EvidenceSettings(Section):
    """What readers learn of a write besides its place and size: names that it touches, lines about its targets from
    what the agent looked up, and the session's history: earlier messages and the calls of the turn so far."""

    symbols: bool = key(True, "bool")
    lookups: str = key("targets", "str", choices=("off", "targets"))
    history: bool = key(True, "bool")


class InterventionSettings(Section):
    recheck_limit: int = key(1, "int", tighter="down", low=0, high=10)
    ttl_seconds: float = key(1800.0, "float", low=0.0)
    headless: str = key("deny", "str", tighter="ranked", choices=("pass", "deny", "stop"))
    brief_agent: bool = key(True, "bool")


class MemorySettings(Section):
    """`enabled`: whether precedents are kept and count. `share`: whether hosted readers are shown them, too. `days`:
    how long one counts and is kept."""

    enabled: bool = key(True, "bool", tighter="false")
    share: bool = key(True, "bool", tighter="false")
    days: int = key(90, "int", tighter="down", low=1, high=3650)


class HindsightSettings(Section):
    """`live`: whether readers label each turn once the next prompt comes, in the service."""

    live: bool = key(False, "bool")


class GateSettings(Section):
    """`mcp_tools`: (name of a tool that writes, what it does and where its target stands); see `trigger.tools`."""

    mcp_tools: tuple[tuple[str, str], ...] = key(MCP_WRITERS, "table")


class ServiceSettings(Section):
    enabled: bool = key(True, "bool")
    idle_seconds: float = key(1800.0, "float", low=1.0, high=86_400.0)


class StateSettings(Section):
    """`url`: the PostgreSQL of a team's evaluator; a developer's own state is a file and needs none."""

    url: str | None = key(None, "str", optional=True, secret=True)


class TeamService(Section):
    """Of `compass serve --team`: how many requests may be inside, and how many connections to PostgreSQL."""

    waiting_max: int = key(600, "int", low=1, high=100_000)
    connections: int = key(16, "int", low=2, high=1_000)


class Bash(Section):
    read_only: tuple[str, ...] = key((), "strs", tighter="subset")
    write: tuple[str, ...] = key((), "strs", tighter="superset")
    ignore: tuple[str, ...] = key((), "strs", tighter="subset")


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

    enabled: bool = key(False, "bool", tighter="true")
    mode: str = key("enforce", "str", tighter="ranked", choices=("observe", "enforce"))
    deadline_seconds: float = key(20.0, "float", low=0.5, high=600.0)
    error_policy: str = key("closed", "str", tighter="ranked", choices=("open", "embedded", "closed"))
    confidence_threshold: float | None = key(None, "float", optional=True, tighter="up", low=0.0, high=1.0)
    stddev_threshold: float = key(0.20, "float", tighter="down", low=0.0, high=1.0)
    threshold_calibration_note: str = key("", "str")
    max_checks_per_turn: int = key(3, "int", tighter="up", low=0, high=1000, theirs=10)
    min_context_chars: int = key(80, "int", low=0, high=100_000)
    context_chars_max: int = key(2400, "int", low=0, high=100_000)
    on_exhausted: str = key("skip", "str", tighter="ranked", choices=("skip", "embedded", "deny"))
    on_short_context: str = key("skip", "str", tighter="ranked", choices=("skip", "embedded", "deny"))
    include_file_contents: bool = key(False, "bool", tighter="false")
    skip_globs: tuple[str, ...] = key(DEFAULT_SKIP_GLOBS, "strs", tighter="subset")
    store_evidence: bool = key(True, "bool", tighter="false")
    retention_days: int = key(30, "int", low=1, high=3650)
    evaluator: EvaluatorSettings = EvaluatorSettings()
    claude_cli: ClaudeCli = ClaudeCli()
    openai: OpenAi = OpenAi()
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
    state: StateSettings = StateSettings()
    team: TeamService = TeamService()
    at_default: frozenset[str] = frozenset()
    readers: NamedReaders | None = None

    def confidence(self, stakes: StakesClass) -> float:
        """The least mean that passes: one number that the user set counts for all stakes."""
        if self.confidence_threshold is not None:
            return self.confidence_threshold
        by = self.confidence_by_stakes
        return by.irreversible if stakes == "irreversible" else by.reversible

    @property
    def sends_exchange(self) -> bool:
        """Near-zero egress where not: no text of the exchange or of an earlier message, no call of the turn, no name
        and no looked-up line leaves."""
        return bool(self.context_chars_max or self.transcript.prior_turn_chars_max)

    @property
    def sends_file_contents(self) -> bool:
        """Either spelling of the key turns it on."""
        return self.include_file_contents or self.data_egress.include_file_contents


S = TypeVar("S", bound=Section)


def _walk(section: Section, prefix: str) -> dict[str, Key]:
    found: dict[str, Key] = {}
    for name, held in values_of(section).items():
        path = prefix + name
        if isinstance(held, Section):
            found.update(_walk(held, path + "."))
        elif name in section.stated:
            found[path] = replace(section.stated[name], path=path)
    return found


KEYS: dict[str, Key] = _walk(Settings(), "")
"""Every key by its dotted path, in the order of the classes above."""


TEAM_READERS = "readers of the team"
"""Among the values, but no key: nobody sets it."""
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
    readers = cast("NamedReaders | None", values.get(TEAM_READERS))
    return replace(_built(Settings(), "", values), at_default=at_default, readers=readers)


def _built(section: S, prefix: str, values: Mapping[str, object]) -> S:
    found: dict[str, object] = {}
    for name, held in values_of(section).items():
        path = prefix + name
        found[name] = (
            _built(held, path + ".", values) if isinstance(held, Section) else values.get(path, held)
        )
    return section.__class__(**found)
