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

    Act on `allowed`: where the gate only observes, even a call that failed its check may run. `question` is for the
    person, and numbered if the request was read in several ways; it is empty if there is nothing to say, for instance
    when a call that they were asked about is tried again. `agent_message` tells the agent why the call does not run.
    `ends_turn` means that the agent has tried so often that its turn should end. `confidence` is the mean and
    `deviation` the population standard deviation of the readers' scores, in [0, 1]; `agreement` is the probability
    that two of them understood the same. `cost_usd` is None if no price is known. `readings` are what the request was
    understood to mean, in words for people, at most three.
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
    """What came of a message, or of the end of a call. `message` is for the person, `agent_message` for the agent, to
    be added to what the user wrote; most are empty. `stops` means that the message was only for Compass, and that no
    model should see it.
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
