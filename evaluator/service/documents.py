"""The shapes of the HTTP API's documents, for its OpenAPI description. Nothing is validated by them at run time."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Fault(_Document):
    """Why a request was not served."""

    error: str


class Health(_Document):
    status: Literal["ok", "closing"]


class HookOutput(BaseModel):
    """What the host reads as a hook's output. Empty for no opinion; Compass never answers `allow`."""

    model_config = ConfigDict(extra="allow")

    hookSpecificOutput: dict[str, str] | None = Field(  # noqa: N815 - the host's own name
        default=None,
        description="`hookEventName`, and for a denial `permissionDecision`, `permissionDecisionReason`",
    )


class HookPayload(BaseModel):
    """A hook's payload as the host sends it; for `pre-tool-use` also what it would do."""

    model_config = ConfigDict(extra="allow")

    session_id: str
    hook_event_name: str | None = None
    cwd: str | None = None
    transcript_path: str | None = None
    prompt_id: str | None = None
    tool_name: str | None = None
    tool_input: dict[str, object] | None = None
    tool_use_id: str | None = None


class CaseDocument(BaseModel):
    """A labelled case: the exchange and the write are stated, nothing is looked up."""

    model_config = ConfigDict(extra="allow")

    user_message: str
    prior_assistant_turn: str | None = None
    tool_name: str | None = None
    file_path: str | None = None
    operation: str | None = None
    command: str | None = None


class ReadingDocument(_Document):
    action: str
    target: str
    extent: str


class SampleDocument(_Document):
    reader: str | None
    score: float | None
    primary_concern: str | None
    rationale: str | None
    reading: ReadingDocument | None
    rival: str | None
    fits: bool | None
    look: Literal["first", "second"]
    blind: bool | None
    latency_ms: float | None
    error: str | None


class ClusterDocument(ReadingDocument):
    readers: list[str]


class ThresholdsDocument(_Document):
    confidence: float
    deviation: float
    agreement: float | None
    alpha: float | None = None


class CheckDocument(_Document):
    """One check, as `compass check --json` prints it."""

    check_id: str
    verdict: Literal["passed", "failed", "skipped"]
    decision: Literal["allow", "deny"]
    reason: str
    confidence: float | None
    stddev: float | None
    primary_concern: str | None
    rationale: str | None
    sample_count: int | None
    agreement: float | None
    clusters: list[ClusterDocument]
    samples: list[SampleDocument]
    backend: str | None
    model: str | None
    mode: str | None
    prior_assistant_turn: str | None
    current_request: str | None
    delegated_task: str | None
    resolved_option: list[str] | None
    tool_name: str | None
    targets: list[str]
    operation: str | None
    operation_class: str | None
    thresholds: ThresholdsDocument | None
    message: str | None
    notes: list[str]
    duration_ms: float | None


class RecordDocument(CheckDocument):
    """A kept check, as `compass explain --json` prints it."""

    evidence: dict[str, object] | None
    at: float | str | None
