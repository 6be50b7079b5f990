"""The documents between a laptop and a team's evaluator: pydantic reads them on both sides and describes them.

Requests are read strictly. In answers, what is newer than this program is passed over; what is not as stated is never
taken for a verdict. Importing this module imports pydantic, so import it late.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, StrictBool, ValidationError, WithJsonSchema

from evaluator.errors import PayloadError
from evaluator.model import (
    Action,
    Concern,
    Evidence,
    Extent,
    Look,
    NamedReaders,
    Operation,
    OperationClass,
    Reading,
    Sample,
    Thresholds,
)
from evaluator.readers.team.wire import SECONDS_MAX, Evaluation, EvaluationRequest, Scope

TEXT_CHARS_MAX: Final = 100_000
ITEMS_MAX: Final = 1_000
SAMPLES_MAX: Final = 31


def _validate_document_text(value: object) -> str:
    """Kept as it came, lone surrogates too, which pydantic's own strings cannot hold. Raises ValueError."""
    if not isinstance(value, str) or len(value) > TEXT_CHARS_MAX:
        raise ValueError(f"must be a string of at most {TEXT_CHARS_MAX} characters")
    return value


Text = Annotated[
    str,
    PlainValidator(_validate_document_text),
    WithJsonSchema({"type": "string", "maxLength": TEXT_CHARS_MAX}),
]
Texts = Annotated[tuple[Text, ...], Field(max_length=ITEMS_MAX)]
Count = Annotated[int, Field(strict=True, ge=0, le=1 << 53)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Score = Annotated[float, Field(strict=True, ge=0.0, le=1.0, allow_inf_nan=False)]
Cost = Annotated[float, Field(strict=True, ge=0.0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(strict=True, ge=0.0, le=SECONDS_MAX, allow_inf_nan=False)]


class Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReceivedDocument(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


A = TypeVar("A", bound=ReceivedDocument)


def read(kind: type[A], found: object) -> A:
    """A server's answer. Raises PayloadError, which names fields and quotes nothing."""
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the answer"
        raise PayloadError(f"{where}: {first['msg']}") from None


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
    `alone`: a measurement, which shares no answer."""

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


class ReadingDocument(ReceivedDocument):
    action: Action
    target: Text
    extent: Extent


class SampleDocument(ReceivedDocument):
    reader: Text
    score: Score | None = None
    primary_concern: Concern | None = None
    rationale: Text = ""
    reading: ReadingDocument | None = None
    rival: Text | None = None
    fits: StrictBool | None = None
    latency_ms: Count = 0
    error: Text | None = None
    input_tokens: Count = 0
    output_tokens: Count = 0
    cost_usd: Cost | None = None
    blind: StrictBool = False
    look: Look = "second"

    def record(self) -> Sample:
        reading = None if self.reading is None else Reading(**dict(self.reading))
        given: dict[str, Any] = {**dict(self), "reading": reading}
        return Sample(**given)


class EvaluationDocument(ReceivedDocument):
    """Too few valid samples are an answer, too: the gate's own rules say what that means."""

    evaluation_id: Text
    backend: Text
    model: Text
    prompt: Text
    samples: Annotated[tuple[SampleDocument, ...], Field(max_length=SAMPLES_MAX)]
    shared: StrictBool = False
    policy: Text = ""

    def record(self) -> Evaluation:
        given: dict[str, Any] = {**dict(self), "samples": tuple(one.record() for one in self.samples)}
        return Evaluation(**given)


class Me(ReceivedDocument):
    team: Text
    person: Text
    token_id: Text
    scopes: tuple[Scope, ...]
    expires_at: Number


class ReadersDocument(ReceivedDocument):
    """`prompt` is the fingerprint of what the readers are told besides the evidence."""

    backend: Text
    model: Text
    prompt: Text
    n: Annotated[int, Field(strict=True, ge=1, le=SAMPLES_MAX)]

    def record(self) -> NamedReaders:
        return NamedReaders(**dict(self))


class PolicyDocument(ReceivedDocument):
    """Settings that a gate takes where they are tighter than its own."""

    settings: dict[str, Any] = {}
    digest: Text = ""
