"""The shapes of the team API's documents, for its OpenAPI description. Nothing is validated by them at run time."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Scope = Literal["evaluate", "read", "admin"]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TeamFault(_Document):
    """Why a request was not served. Where waiting helps, the header `retry-after` says how long, in seconds."""

    error: str
    kind: Literal[
        "invalid", "unauthorized", "forbidden", "missing", "rate", "budget", "overloaded", "breaker_open",
        "state", "closing", "late", "fault",
    ]  # fmt: skip


class Health(_Document):
    status: Literal["ok", "closing", "no database"]


class EvidenceDocument(_Document):
    """What a gate's sanitizer let through, and nothing else."""

    tool_name: str
    operation: str
    operation_class: Literal["additive", "modifying", "destructive"]
    targets: list[str]
    current_request: str
    prior_assistant_turn: str = ""
    command: str = ""
    lines: int | None = None
    delegated_task: str = ""
    resolved_option: str = ""
    plan: str = ""
    turn_so_far: list[str] = []
    contents: str = ""
    excused: list[str] = []
    symbols: list[str] = []
    added: int | None = None
    removed: int | None = None
    looked_up: list[str] = []
    precedents: list[str] = []
    earlier_messages: list[str] = []


class EvaluationRequestDocument(_Document):
    """`seconds`: how long the gate still waits; `waited`: how long it has waited for this same evaluation already.
    `alone`: a measurement, which shares no answer.
    """

    evidence: EvidenceDocument
    repository: str
    session: str
    seconds: float
    waited: float = 0.0
    thresholds: dict[str, object] | None = None
    blind: int = 0
    alone: bool = False


class ReadingDocument(_Document):
    action: str
    target: str
    extent: str


class TeamSample(_Document):
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
    holds: bool
    look: Literal["first", "second"]


class EvaluationDocument(_Document):
    """Too few valid samples are an answer, too: the gate's own rules say what that means."""

    evaluation_id: str
    backend: str
    model: str
    prompt: str
    samples: list[TeamSample]
    shared: bool
    policy: str
    thresholds: str


class Me(_Document):
    team: str
    person: str
    token_id: str
    scopes: list[Scope]
    expires_at: float


class ReadersDocument(_Document):
    """`prompt` is the fingerprint of what the readers are told besides the evidence."""

    backend: str
    model: str
    prompt: str
    n: int


class PolicyDocument(_Document):
    """Settings that a gate takes where they are tighter than its own; `backends` None for any."""

    settings: dict[str, object]
    backends: list[str] | None = None
    digest: str = ""


class Calibration(BaseModel):
    """The thresholds that `compass calibrate` wrote, as a gate reads them."""

    model_config = ConfigDict(extra="allow")


class SharedThresholdsDocument(_Document):
    repository: str
    digest: str
    document: dict[str, object]
    person: str
    at: float


class TokenRow(_Document):
    token_id: str
    person: str
    scopes: list[Scope]
    created_at: float
    expires_at: float
    revoked_at: float | None
    used_at: float | None


class Tokens(_Document):
    tokens: list[TokenRow]


class TokenRequest(_Document):
    """`evaluate` stands alone: what lies on a laptop may do nothing else."""

    person: str
    scopes: list[Scope] = ["evaluate"]
    seconds: float = 7_776_000.0


class NewToken(TokenRow):
    token: str


class Revoked(_Document):
    revoked: str


class Erased(_Document):
    records: int


class SpentRow(_Document):
    person: str
    usd: float
    samples: int


class Spend(_Document):
    """`person` is empty for the whole team."""

    day: str
    spent: list[SpentRow]


class TeamSettingsDocument(_Document):
    """None for no cap."""

    daily_usd: float | None
    daily_usd_person: float | None
    daily_samples: int | None
    daily_samples_person: int | None
    samples_per_minute: float | None
    burst: int
    retention_days: int
    store_evidence: bool


DOCUMENTS: dict[str, type[BaseModel]] = {
    model.__name__: model
    for model in (
        TeamFault, Health, EvaluationRequestDocument, EvaluationDocument, Me, ReadersDocument, PolicyDocument,
        Calibration, SharedThresholdsDocument, Tokens, TokenRequest, NewToken, Revoked, Erased, Spend,
        TeamSettingsDocument,
    )
}  # fmt: skip
