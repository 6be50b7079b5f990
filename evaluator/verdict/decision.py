"""From convergence to a decision, and what a failed check tells the agent and its user."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.intervention.question import question
from evaluator.model import Convergence, Decision, Reason, Sample, Thresholds, VerdictName
from evaluator.verdict.convergence import TOLERANCE, passes

OPTIONS = (
    "The user can say what they meant, answer with the number of a reading if there is a list, or type "
    "`compass: proceed` (the held-back calls may run once), `compass: proceed all` or `compass: cancel`."
)


def judge(convergence: Convergence, thresholds: Thresholds) -> tuple[VerdictName, Reason]:
    """Low confidence is named before disagreement, and that before low agreement, when several hold.

    What one reader holds is a disagreement, whatever the thresholds.
    """
    if passes(convergence, thresholds):
        return "passed", "confident"
    if convergence.mean < thresholds.confidence - TOLERANCE:
        return "failed", "low_confidence"
    if convergence.held or convergence.stddev > thresholds.deviation + TOLERANCE:
        return "failed", "disagreement"
    return "failed", "low_agreement"


def decision_of(verdict: VerdictName, mode: str) -> Decision:
    return "deny" if verdict == "failed" and mode == "enforce" else "allow"


def block_message(
    *,
    target: str,
    operation: str,
    convergence: Convergence,
    thresholds: Thresholds,
    samples: Sequence[Sample],
    readings: Sequence[str],
    request: str,
) -> str:
    """Facts and options, never an order to retry. Shown to the agent and to its user.

    Two readings or more are a question, in the language of `request` where that is known.
    """
    lines = [
        f"Compass held back this {operation} of {target}: {_why(convergence, thresholds)}",
        _concern(convergence, samples),
    ]
    if len(readings) > 1:
        lines += question(readings, request)
    lines.append(f"Nothing was written. {OPTIONS}")
    return "\n".join(lines)


def again_message(*, target: str, operation: str, told: int) -> str:
    """Short: the facts were told the first time."""
    return f"Still held back: the {operation} of {target} (denied {told} times). {OPTIONS}"


def exceeding_message(*, target: str, operation: str) -> str:
    """A call that does what was released, and more."""
    return (
        f"Still held back: the {operation} of {target} does more than the calls that the user released. "
        f"Those may run once as they were held back. {OPTIONS}"
    )


def cancelled_message(*, target: str, operation: str) -> str:
    return f"The user cancelled this: the {operation} of {target} stays denied for the current request."


def _concern(convergence: Convergence, samples: Sequence[Sample]) -> str:
    """The modal concern and its rationale; where most readers saw none, what the most doubtful one saw."""
    if convergence.primary_concern != "none":
        return f"Concern: {convergence.primary_concern}. {convergence.rationale}".rstrip()
    doubtful = min((sample for sample in samples if sample.valid), key=lambda sample: sample.score or 0.0)
    concern = f" ({doubtful.primary_concern})" if doubtful.primary_concern not in (None, "none") else ""
    return f"Most readers saw no concern; the most doubtful one{concern} said: {doubtful.rationale}".rstrip()


def _why(convergence: Convergence, thresholds: Thresholds) -> str:
    held = "the user's own words do not both order this and name all of it; " if convergence.held else ""
    return (
        f"{held}{convergence.sample_count} readers of the request did not converge on it "
        f"(mean {convergence.mean:.2f}, needed {thresholds.confidence:.2f}; "
        f"deviation {convergence.stddev:.2f}, allowed {thresholds.deviation:.2f}{_agreed(convergence, thresholds)})."
    )


def _agreed(convergence: Convergence, thresholds: Thresholds) -> str:
    if thresholds.agreement is None or convergence.agreement is None:
        return ""
    return f"; agreement {convergence.agreement:.2f}, needed {thresholds.agreement:.2f}"


def fallback_message(*, target: str, operation: str, reason: str, rationale: str) -> str:
    """A block by the local evaluator that stood in for the readers."""
    return (
        f"Compass held back this {operation} of {target}: {rationale}.\n"
        f"No reader was asked ({reason.replace('_', ' ')}); the local evaluator found this by itself.\n"
        f"Nothing was written. {OPTIONS}"
    )


def unreadable_message(*, target: str, operation: str, cause: str) -> str:
    """Nobody can release the call: that would stand in the state that cannot be read."""
    return (
        f"Compass could not check this {operation} of {target}, and its error policy is closed: {cause}.\n"
        "Nothing was written. This is not a judgement of the request. The user can see the cause with `compass doctor`."
    )


def failure_message(*, target: str, operation: str, causes: Sequence[str]) -> str:
    """The check itself could not complete; says so and why, so that it is not taken for a judgement."""
    seen = "; ".join(dict.fromkeys(cause for cause in causes if cause)) or "no reader answered"
    return (
        f"Compass could not check this {operation} of {target}, and its error policy is closed: {seen}.\n"
        "Nothing was written. This is not a judgement of the request. The user can see the cause with "
        "`compass doctor`, let this call run once with `compass: proceed`, or set error_policy to open or "
        "embedded for as long as the readers are down."
    )
