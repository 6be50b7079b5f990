"""What goes between a laptop and a team's evaluator, and its names. The leaf that both sides share.

Both read what came by `evaluator.readers.team.documents`.
"""

from __future__ import annotations

from typing import Final, Literal, cast

from evaluator.model import Evidence, Sample, Thresholds
from evaluator.record import Record, plain_of, values_of

Scope = Literal["evaluate", "read", "admin"]
SCOPES: tuple[Scope, ...] = ("evaluate", "read", "admin")

SECONDS_MAX: Final = 600.0


class Principal(Record):
    """Who asks, by the token that was shown."""

    team: str
    person: str
    token_id: str
    scopes: tuple[Scope, ...]
    expires_at: float


class EvaluationRequest(Record):
    """What a gate asks. `session` is a digest; `seconds` is how long the gate still waits, `waited` how long it has
    waited for this evaluation already. `blind`: how many do not see the write.
    `alone`: a measurement, whose repeats are independent: nobody shares it."""

    evidence: Evidence
    repository: str
    session: str
    seconds: float
    waited: float = 0.0
    thresholds: Thresholds | None = None
    blind: int = 0
    alone: bool = False


class Evaluation(Record):
    """What a gate is answered. `shared`: another request paid for it. `policy`: the digest of what the team pushes."""

    evaluation_id: str
    backend: str
    model: str
    prompt: str
    samples: tuple[Sample, ...]
    shared: bool = False
    policy: str = ""


def request_document(request: EvaluationRequest) -> dict[str, object]:
    """A request as JSON values. What older services do not know is named only if it is there."""
    found = plain_of(request)
    evidence = cast(dict[str, object], found["evidence"])
    for name in ("precedents", "earlier_messages"):
        if not getattr(request.evidence, name):
            del evidence[name]
    return found


def evaluation_document(evaluation: Evaluation) -> dict[str, object]:
    """An answer as JSON values."""
    found = values_of(evaluation)
    found["samples"] = [plain_of(sample) for sample in evaluation.samples]
    return found
