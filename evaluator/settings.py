"""Every setting: its key, default, bounds, and the direction that makes the gate tighter.

The one home of each stated figure. Built by `evaluator.config`; imports nothing of the project.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any, Literal, cast

Tighter = Literal["up", "down", "true", "false", "subset", "superset", "ranked"]
Kind = Literal["bool", "int", "float", "str", "strs", "table"]


@dataclass(frozen=True, slots=True)
class Key:
    """One setting. `tighter` None means that the key is the user's alone: a project cannot set it."""

    path: str
    kind: Kind
    default: object
    tighter: Tighter | None = None
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False


def key(default: object, kind: Kind, **meta: object) -> Any:
    return field(default=cast(Any, default), metadata={"kind": kind, **meta})


PROMPT_TAGS = (
    "current_request",
    "prior_assistant_turn",
    "resolved_option",
    "approved_plan",
    "delegated_task",
    "pending_write",
    "turn_so_far",
    "file_contents",
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


@dataclass(frozen=True, slots=True)
class Evaluator:
    backend: str = key("auto", "str", choices=("auto", "anthropic", "claude-cli", "embedded"))
    model: str = key("claude-haiku-4-5-20251001", "str")
    base_url: str | None = key(None, "str", optional=True)
    n: int = key(5, "int", tighter="up", low=1, high=31)
    temperature: float = key(0.3, "float", low=0.0, high=2.0)
    max_output_tokens: int = key(128, "int", low=16, high=4096)
    sample_timeout_seconds: float = key(8.0, "float", low=0.1, high=600.0)
    min_valid_samples: int = key(3, "int", tighter="up", low=1, high=31)
    retries: int = key(1, "int", low=0, high=5)
    retry_seconds: float = key(2.0, "float", low=0.0, high=60.0)
    max_concurrent_samples: int = key(40, "int", low=1, high=1000)
    daily_budget_usd: float | None = key(None, "float", optional=True, low=0.0)


@dataclass(frozen=True, slots=True)
class ClaudeCli:
    command: str = key("claude", "str")
    n: int = key(3, "int", low=1, high=9)
    timeout_seconds: float = key(15.0, "float", low=0.1, high=600.0)


@dataclass(frozen=True, slots=True)
class ConvergenceSettings:
    rule: str = key("score", "str", tighter="ranked", choices=("score", "score+agreement"))
    agreement_threshold: float = key(0.5, "float", tighter="up", low=0.0, high=1.0)
    blind_readers: int = key(0, "int", low=0, high=31)


@dataclass(frozen=True, slots=True)
class CooldownSettings:
    strategy: str = key("path_and_identity", "str", choices=("path_and_identity",))
    seconds: float = key(120.0, "float", tighter="down", low=0.0, high=86400.0)
    identity_match: str = key("dir_plus_stem", "str", choices=("dir_plus_stem",))


@dataclass(frozen=True, slots=True)
class Coverage:
    max_calls: int = key(10, "int", tighter="down", low=0, high=1000)


@dataclass(frozen=True, slots=True)
class Transcript:
    prior_turn_chars_max: int = key(800, "int", low=0, high=100_000)
    transcript_max_age_seconds: float = key(300.0, "float", low=0.0)


@dataclass(frozen=True, slots=True)
class ReplyToQuestion:
    enabled: bool = key(True, "bool", tighter="false")
    question_pattern: str = key(
        "numbered_list_with_question_mark", "str", choices=("numbered_list_with_question_mark",)
    )
    reply_pattern: str = key(
        "option_reference_or_affirmation", "str", choices=("option_reference_or_affirmation",)
    )


@dataclass(frozen=True, slots=True)
class SkipPatterns:
    reply_to_question: ReplyToQuestion = field(default_factory=ReplyToQuestion)


@dataclass(frozen=True, slots=True)
class SkipSentinel:
    trust_tool_input: bool = key(False, "bool", tighter="false")


@dataclass(frozen=True, slots=True)
class CircuitBreaker:
    enabled: bool = key(True, "bool")
    consecutive_failures_to_open: int = key(3, "int", low=1, high=1000)
    open_duration_seconds: float = key(300.0, "float", low=0.0, high=86400.0)
    open_behavior: str = key("fail_open", "str", tighter="ranked", choices=("fail_open", "embedded"))
    scope: str = key("machine", "str", choices=("machine", "session"))


@dataclass(frozen=True, slots=True)
class Sanitization:
    strip_sequences: tuple[str, ...] = key(DEFAULT_STRIP_SEQUENCES, "strs", tighter="superset")
    strip_null_bytes: bool = key(True, "bool", tighter="true")
    redact_secrets: bool = key(True, "bool", tighter="true")


@dataclass(frozen=True, slots=True)
class DataEgress:
    include_file_contents: bool = key(False, "bool", tighter="false")
    note: str = key("", "str")


@dataclass(frozen=True, slots=True)
class Intervention:
    recheck_limit: int = key(1, "int", tighter="down", low=0, high=10)
    ttl_seconds: float = key(1800.0, "float", low=0.0)
    headless: str = key("deny", "str", tighter="ranked", choices=("pass", "deny", "stop"))


@dataclass(frozen=True, slots=True)
class Gate:
    """`mcp_tools`: (name of an MCP tool that writes, the field of its input that holds the target)."""

    mcp_tools: tuple[tuple[str, str], ...] = key((), "table")


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    enabled: bool = key(True, "bool")
    idle_seconds: float = key(1800.0, "float", low=1.0, high=86_400.0)


@dataclass(frozen=True, slots=True)
class Bash:
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


@dataclass(frozen=True, slots=True)
class Settings:
    """The resolved settings of one check."""

    enabled: bool = key(False, "bool", tighter="true")
    mode: str = key("enforce", "str", tighter="ranked", choices=("observe", "enforce"))
    deadline_seconds: float = key(20.0, "float", low=0.5, high=600.0)
    error_policy: str = key("closed", "str", tighter="ranked", choices=("open", "embedded", "closed"))
    confidence_threshold: float = key(0.65, "float", tighter="up", low=0.0, high=1.0)
    stddev_threshold: float = key(0.20, "float", tighter="down", low=0.0, high=1.0)
    threshold_calibration_note: str = key("", "str")
    max_checks_per_turn: int = key(3, "int", tighter="up", low=0, high=1000)
    min_context_chars: int = key(80, "int", low=0, high=100_000)
    context_chars_max: int = key(600, "int", low=0, high=100_000)
    on_exhausted: str = key("embedded", "str", tighter="ranked", choices=("skip", "embedded", "deny"))
    on_short_context: str = key("embedded", "str", tighter="ranked", choices=("skip", "embedded", "deny"))
    include_file_contents: bool = key(False, "bool", tighter="false")
    skip_globs: tuple[str, ...] = key(DEFAULT_SKIP_GLOBS, "strs", tighter="subset")
    store_evidence: bool = key(True, "bool", tighter="false")
    retention_days: int = key(30, "int", low=1, high=3650)
    evaluator: Evaluator = field(default_factory=Evaluator)
    claude_cli: ClaudeCli = field(default_factory=ClaudeCli)
    convergence: ConvergenceSettings = field(default_factory=ConvergenceSettings)
    cooldown: CooldownSettings = field(default_factory=CooldownSettings)
    coverage: Coverage = field(default_factory=Coverage)
    transcript: Transcript = field(default_factory=Transcript)
    skip_patterns: SkipPatterns = field(default_factory=SkipPatterns)
    skip_sentinel: SkipSentinel = field(default_factory=SkipSentinel)
    circuit_breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    sanitization: Sanitization = field(default_factory=Sanitization)
    data_egress: DataEgress = field(default_factory=DataEgress)
    intervention: Intervention = field(default_factory=Intervention)
    gate: Gate = field(default_factory=Gate)
    bash: Bash = field(default_factory=Bash)
    service: ServiceSettings = field(default_factory=ServiceSettings)

    @property
    def sends_file_contents(self) -> bool:
        """Either spelling of the key turns it on."""
        return self.include_file_contents or self.data_egress.include_file_contents


def _walk(cls: type[Any], prefix: str) -> dict[str, Key]:
    found: dict[str, Key] = {}
    for item in fields(cls):
        path = prefix + item.name
        if "kind" in item.metadata:
            found[path] = _key_of(path, item)
        else:
            factory = item.default_factory
            assert factory is not MISSING
            found.update(_walk(cast(type[Any], factory), path + "."))
    return found


def _key_of(path: str, item: Field[Any]) -> Key:
    meta = dict(item.metadata)
    return Key(path=path, default=cast(object, item.default), **meta)


KEYS: dict[str, Key] = _walk(Settings, "")
"""Every key by its dotted path, in the order of the classes above."""


def build(values: dict[str, object]) -> Settings:
    """Settings from validated values by dotted path; a missing key takes its default."""
    return cast(Settings, _build(Settings, "", values))


def _build(cls: type[Any], prefix: str, values: dict[str, object]) -> object:
    args: dict[str, object] = {}
    for item in fields(cls):
        path = prefix + item.name
        if path in KEYS:
            args[item.name] = values.get(path, KEYS[path].default)
        else:
            factory = item.default_factory
            assert factory is not MISSING
            args[item.name] = _build(cast(type[Any], factory), path + ".", values)
    built = cls(**args)
    assert is_dataclass(built)
    return built
