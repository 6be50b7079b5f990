"""What a program is told: of a call, and of a message that its user wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluator.verdict.readings import reading_choices

if TYPE_CHECKING:
    from evaluator.model import Check, Concern, Reason, VerdictName


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one pending call was judged. Figures are None where no reader was asked.

    `allowed` decides: a failed check is let run where the gate only observes. `question` is for the person, as a
    numbered question where the request was read in several ways; empty where nothing is to be said, as when a call that
    they were asked about is tried again. `agent_message` is why the call does not run, for the agent; `ends_turn`: it
    tried so often that its turn should end. `confidence` is the mean and `deviation` the population standard deviation
    of the readers' scores, in [0, 1], `agreement` the chance that two of them understood the same. `cost_usd` is None
    where no price is known. `readings` are what the request was taken for, in words for people, at most three.
    """

    verdict: VerdictName
    reason: Reason
    allowed: bool
    question: str = ""
    agent_message: str = ""
    readings: tuple[str, ...] = ()
    confidence: float | None = None
    deviation: float | None = None
    agreement: float | None = None
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
    """A check as a program is told of it. `told` is what the person is shown."""
    found, said = check.convergence, check.exchange
    costs = [one.cost_usd for one in check.samples if one.cost_usd is not None]
    readings = reading_choices(check.samples, check.pending.project_dir, said) if said else ()
    return Verdict(
        verdict=check.verdict,
        reason=check.reason,
        allowed=check.decision != "deny",
        question=told,
        agent_message=check.detail if check.decision == "deny" else "",
        readings=tuple(one.text for one in readings),
        confidence=found.mean if found else None,
        deviation=found.stddev if found else None,
        agreement=found.agreement if found else None,
        concern=found.primary_concern if found else None,
        rationale=found.rationale if found else None,
        backend=check.backend,
        model=check.model or None,
        cost_usd=sum(costs) if costs else None,
        ends_turn=check.ends_turn,
        check_id=check.check_id,
    )
