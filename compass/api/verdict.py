"""What a program is told: of a call that it is about to make, and of a message that its user wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluator.verdict.readings import choices

if TYPE_CHECKING:
    from evaluator.model import Check, Concern, Exchange, Reason, Sample, VerdictName


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one pending call was judged. Figures are None where no reader was asked.

    `allowed` decides: a failed check is let run where the gate only observes. `question` is for the person, as a
    numbered question where the request was read in several ways; empty where nothing is to be said, as when a call that
    they were asked about is tried again. `agent_message` is why the call does not run, for the agent; `ends_turn`: it
    tried so often that its turn should end. `confidence` is the mean and `deviation` the population standard deviation
    of the readers' scores, in [0, 1]. `cost_usd` is None where no price is known. `readings` are what the request was
    taken for, in words for people, at most three.
    """

    verdict: VerdictName
    reason: Reason
    allowed: bool
    question: str = ""
    agent_message: str = ""
    readings: tuple[str, ...] = ()
    confidence: float | None = None
    deviation: float | None = None
    concern: Concern | None = None
    rationale: str | None = None
    backend: str | None = None
    model: str | None = None
    cost_usd: float | None = None
    ends_turn: bool = False
    check_id: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a message, or of the end of a call. `message` is for the person, `agent_message` for the agent,
    beside what the user wrote; most are empty. `stops`: the message was for Compass alone, and no model is to see it.
    """

    message: str = ""
    agent_message: str = ""
    stops: bool = False


def verdict_of(check: Check, told: str) -> Verdict:
    """`told` is what the person is shown."""
    found, denied = check.convergence, check.decision == "deny"
    return Verdict(
        verdict=check.verdict,
        reason=check.reason,
        allowed=not denied,
        question=told,
        agent_message=check.detail if denied else "",
        readings=_readings(check.samples, check.pending.project_dir, check.exchange),
        confidence=found.mean if found else None,
        deviation=found.stddev if found else None,
        concern=found.primary_concern if found else None,
        rationale=found.rationale if found else None,
        backend=check.backend,
        model=check.model or None,
        cost_usd=_cost(check.samples),
        ends_turn=check.ends_turn,
        check_id=check.check_id,
    )


def _readings(samples: tuple[Sample, ...], project_dir: str, exchange: Exchange | None) -> tuple[str, ...]:
    if exchange is None:
        return ()
    return tuple(choice.text for choice in choices(samples, project_dir, exchange))


def _cost(samples: tuple[Sample, ...]) -> float | None:
    known = [sample.cost_usd for sample in samples if sample.cost_usd is not None]
    return sum(known) if known else None
