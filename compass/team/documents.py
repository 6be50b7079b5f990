"""The documents of the team's API: pydantic reads what comes in, strictly, and describes what goes out.

What is not as stated is refused by its name, never mended; what was sent is never quoted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    StrictBool,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from compass.team.model import RefusalKind, TeamSettings
from evaluator.model import Evidence, Operation, OperationClass, Thresholds
from evaluator.readers.team.wire import (
    ITEMS_MAX,
    SAMPLES_MAX,
    SCOPES,
    SECONDS_MAX,
    TEXT_CHARS_MAX,
    EvaluationRequest,
    Scope,
)
from evaluator.settings.layers import counts_nowhere

BODY_BYTES_MAX: Final = 1_000_000
DAY_SECONDS: Final = 86_400.0
TOKEN_SECONDS: Final = 90 * DAY_SECONDS
TOKEN_SECONDS_MAX: Final = 366 * DAY_SECONDS
RETENTION_DAYS_MAX: Final = 3650
BURST_MAX: Final = 100_000
PERSON_CHARS_MAX: Final = 120
AMOUNT_MAX: Final = 1e12
MOMENT_MAX: Final = 1e12
NAMES_TOLD: Final = 5
"""Faults of one document that a refusal names."""
NAME_CHARS_MAX: Final = 60
NO_PATH: Final = frozenset("/\\?#%")


def _text(value: object) -> str:
    """Kept as it came, lone surrogates too, which pydantic's own strings cannot hold. Raises ValueError."""
    if not isinstance(value, str) or len(value) > TEXT_CHARS_MAX:
        raise ValueError(f"a string of at most {TEXT_CHARS_MAX} characters")
    return value


def _person(name: str) -> str:
    """In one spelling, so that records and caps are one person's. Raises ValueError."""
    name = unicodedata.normalize("NFKC", name)
    plain = name.isprintable() and name.strip() == name and NO_PATH.isdisjoint(name)
    if not 0 < len(name) <= PERSON_CHARS_MAX or not plain:
        raise ValueError(f"a name of at most {PERSON_CHARS_MAX} characters, without / \\ ? # %")
    return name


def _day(text: str) -> str:
    """Raises ValueError."""
    try:
        if datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).strftime("%Y-%m-%d") == text:
            return text
    except ValueError:
        pass
    raise ValueError("such as 2026-01-31")


def _moment(text: object) -> object:
    """Seconds since the epoch, from such or from an ISO date or time, UTC without a zone. Raises ValueError."""
    try:
        return float(str(text))
    except ValueError:
        pass
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        raise ValueError("seconds since the epoch, or such as 2026-01-31T12:00:00Z") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string", "maxLength": TEXT_CHARS_MAX})]
Texts = Annotated[tuple[Text, ...], Field(max_length=ITEMS_MAX)]
Count = Annotated[int, Field(strict=True, ge=0, le=1 << 53)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Seconds = Annotated[float, Field(strict=True, ge=0.0, le=SECONDS_MAX, allow_inf_nan=False)]
CapUsd = Annotated[float, Field(strict=True, ge=0.0, le=AMOUNT_MAX, allow_inf_nan=False)]
CapSamples = Annotated[int, Field(strict=True, ge=0, le=1 << 40)]
Person = Annotated[str, AfterValidator(_person)]
Repository = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Day = Annotated[str, AfterValidator(_day)]
Moment = Annotated[
    float,
    Field(ge=0.0, le=MOMENT_MAX, allow_inf_nan=False),
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string"}),
]


class Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TeamFault(Document):
    """Why a request was not served. Where waiting helps, the header `retry-after` says how long, in seconds."""

    error: str
    kind: RefusalKind


class ReplicaHealth(Document):
    status: Literal["ok", "closing", "no database"]


# Evaluations


class EvidenceDocument(Document):
    """What a gate's sanitizer let through, and nothing else."""

    tool_name: Text
    operation: Operation
    operation_class: OperationClass
    targets: Texts
    current_request: Text
    prior_assistant_turn: Text = ""
    command: Text = ""
    lines: Count | None = None
    delegated_task: Text = ""
    resolved_option: Text = ""
    plan: Text = ""
    turn_so_far: Texts = ()
    contents: Text = ""
    excused: Texts = ()
    symbols: Texts = ()
    added: Count | None = None
    removed: Count | None = None
    looked_up: Texts = ()
    precedents: Texts = ()
    earlier_messages: Texts = ()


class ThresholdsDocument(Document):
    confidence: Number
    deviation: Number
    agreement: Number | None = None
    alpha: Number | None = None


class EvaluationRequestDocument(Document):
    """`seconds`: how long the gate still waits; `waited`: how long it has waited for this same evaluation already.
    `alone`: a measurement, which shares no answer.
    """

    evidence: EvidenceDocument
    repository: Annotated[str, Field(pattern=r"^([0-9a-f]{12})?$")] = ""
    session: Annotated[str, Field(pattern=r"^([0-9a-f]{32})?$")] = ""
    seconds: Seconds
    waited: Seconds = 0.0
    thresholds: ThresholdsDocument | None = None
    blind: Annotated[int, Field(strict=True, ge=0, le=SAMPLES_MAX)] = 0
    alone: StrictBool = False

    def record(self) -> EvaluationRequest:
        held = self.thresholds
        given: dict[str, Any] = dict(self) | {
            "evidence": Evidence(**dict(self.evidence)),
            "thresholds": None if held is None else Thresholds(**dict(held)),
        }
        return EvaluationRequest(**given)


class ReadingDocument(Document):
    action: str
    target: str
    extent: str


class SampleDocument(Document):
    reader: str
    score: float | None
    primary_concern: str | None
    rationale: str
    reading: ReadingDocument | None
    rival: str | None
    fits: bool | None
    latency_ms: int
    error: str | None
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    blind: bool
    look: Literal["first", "second"]


class EvaluationDocument(Document):
    """Too few valid samples are an answer, too: the gate's own rules say what that means."""

    evaluation_id: str
    backend: str
    model: str
    prompt: str
    samples: list[SampleDocument]
    shared: bool
    policy: str
    thresholds: str


class Kept(Document):
    """Which of the kept evaluations."""

    since: Moment | None = Field(
        None,
        description="from this moment on: seconds since the epoch, or 2026-01-31 or 2026-01-31T12:00:00Z",
    )
    until: Moment | None = Field(None, description="before this moment")
    person: Person | None = Field(None, description="only this one")
    repository: Repository | None = Field(None, description="only this one: 12 hexadecimal digits")


# People


class Me(Document):
    team: str
    person: str
    token_id: str
    scopes: tuple[Scope, ...]
    expires_at: float


class Token(Document):
    """As it is listed: never the secret, nor its hash."""

    token_id: str
    person: str
    scopes: tuple[Scope, ...]
    created_at: float
    expires_at: float
    revoked_at: float | None = None
    used_at: float | None = None


class Tokens(Document):
    tokens: tuple[Token, ...]


class TokenRequest(Document):
    """`evaluate` stands alone: what lies on a laptop may do nothing else. `seconds` until it expires."""

    person: Person
    scopes: tuple[Scope, ...] = ("evaluate",)
    seconds: Annotated[float, Field(strict=True, ge=1.0, le=TOKEN_SECONDS_MAX, allow_inf_nan=False)] = (
        TOKEN_SECONDS
    )

    @field_validator("scopes")
    @classmethod
    def _fit(cls, scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
        if not scopes:
            raise ValueError(f"some of {', '.join(SCOPES)}")
        if "evaluate" in scopes and len(set(scopes)) > 1:
            raise ValueError("`evaluate` cannot be combined, since such a token is kept on a laptop")
        return tuple(one for one in SCOPES if one in scopes)


class NewToken(Token):
    token: str


class Revoked(Document):
    revoked: str


class Erased(Document):
    records: int


# What a team sets, pushes and shares


class ReadersDocument(Document):
    """`prompt` is the fingerprint of what the readers are told besides the evidence."""

    backend: str
    model: str
    prompt: str
    n: int


class PolicyDocument(Document):
    """Settings that a gate takes where they are tighter than its own; `backends` None for any."""

    settings: dict[str, Any] = {}
    backends: Texts | None = None
    digest: Text = ""


class PushedPolicy(PolicyDocument):
    """A policy that an administrator puts. The digest is made by the service, whatever is sent."""

    @model_validator(mode="after")
    def _counts(self) -> Self:
        refused = counts_nowhere(self.settings)
        if refused is not None:
            raise ValueError(f"{refused.key[:NAME_CHARS_MAX]}: {refused.why.partition(';')[0]}")
        return self


class SharedThresholds(Document):
    """A repository's calibration and whose it is. `document` is what `compass calibrate` wrote, as a gate reads it."""

    repository: str
    digest: str
    document: dict[str, Any]
    person: str
    at: float


class TeamSettingsDocument(Document):
    """None for no cap. All of them at once, so that none is reset by not being named."""

    daily_usd: CapUsd | None
    daily_usd_person: CapUsd | None
    daily_samples: CapSamples | None
    daily_samples_person: CapSamples | None
    samples_per_minute: (
        Annotated[float, Field(strict=True, ge=0.001, le=AMOUNT_MAX, allow_inf_nan=False)] | None
    )
    burst: Annotated[int, Field(strict=True, ge=1, le=BURST_MAX)]
    retention_days: Annotated[int, Field(strict=True, ge=1, le=RETENTION_DAYS_MAX)]
    store_evidence: StrictBool

    def record(self) -> TeamSettings:
        return TeamSettings(**dict(self))


class OfDay(Document):
    day: Day | None = Field(None, description="such as 2026-01-31, UTC; today without it")


class NoQuery(Document):
    """A parameter that nobody knows must not be taken for a filter."""


class Spent(Document):
    """What a person, or with `person` empty the whole team, took on a day, reservations under way included."""

    person: str
    usd: float
    samples: int


class Spend(Document):
    day: str
    spent: tuple[Spent, ...]


def faults_of(errors: Sequence[Mapping[str, Any]]) -> str:
    """Names and reasons of what pydantic found, for the answer: not a word of what was sent but names of fields."""
    told: list[str] = []
    for error in errors[:NAMES_TOLD]:
        parts = [str(part)[:NAME_CHARS_MAX] for part in error["loc"] if part not in ("body", "query", "path")]
        where = ".".join(parts) or "the body"
        match error["type"]:
            case "extra_forbidden":
                told.append(f"unknown field {where!r}")
            case "missing":
                told.append(f"{where}: is missing")
            case "json_invalid":
                told.append("the body is not JSON")
            case _:
                told.append(f"{where}: {str(error['msg']).removeprefix('Value error, ')}")
    return "; ".join(told)
