"""From convergence to a decision, and what a failed check tells the agent and its user."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.intervention.question import question
from evaluator.model import Concern, Convergence, Decision, Reason, Sample, Thresholds, VerdictName
from evaluator.record import Record
from evaluator.verdict.convergence import TOLERANCE, passes

OPTIONS = (
    "The user can say what they meant, answer with the number of a reading if there is a list, or type "
    "`compass: proceed` (the held-back calls may run once), `compass: proceed all` or `compass: cancel`."
)
STOP = (
    "Show the user these readings word for word and stop; do not try another tool. A number, the user's own words, "
    "`compass: proceed` (the held calls may run once) or `compass: cancel` resolves it."
)
SAY = "Say what you mean, or type `compass: proceed` (it may run once) or `compass: cancel`."
CHOOSE = (
    "Type the number, say what you mean, or type `compass: proceed` (it may run once) or `compass: cancel`."
)
ASKED = "You asked something, and this would change files."
NOT_ORDERED = "Your own words do not both order this and name all of it."
OPEN: dict[Concern, str] = {
    "target": "It is open which thing you mean.",
    "scope": "It goes further, or elsewhere, than what you asked for.",
    "context": "What was said does not settle this.",
    "destructive": "Something would be lost that you did not speak of.",
    "none": "Your request can be understood in more than one way.",
}


class BlockTexts(Record):
    """One block, told twice: `agent` is the reason of the denial, `person` is shown to the user. No figures."""

    agent: str
    person: str


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


def block_texts(
    *,
    target: str,
    operation: str,
    convergence: Convergence,
    samples: Sequence[Sample],
    readings: Sequence[str],
    request: str,
    ran: bool = False,
) -> BlockTexts:
    """Facts and options, never an order to retry. `ran`: nothing is held back, because the gate only watches.

    Two readings or more are a question, in the language of `request` where that is known.
    """
    listed = question(readings, request) if len(readings) > 1 else []
    what = _what_is_open(convergence, samples)
    doubt = _doubt(convergence, samples)
    if ran:
        text = "\n".join(
            [f"Compass would have held back this {operation} of {target}; it ran. {what}", doubt, *listed]
        )
        return BlockTexts(text, text)
    agent = [
        f"Compass held back this {operation} of {target}. To the user: {what}",
        doubt,
        *listed,
        f"Nothing was written. {STOP if listed else OPTIONS}",
    ]
    person = [
        f"Compass held back: {operation} {target}",
        f"{what} {doubt}".strip(),
        *listed,
        CHOOSE if listed else SAY,
    ]
    return BlockTexts("\n".join(line for line in agent if line), "\n".join(person))


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


def _what_is_open(convergence: Convergence, samples: Sequence[Sample]) -> str:
    if convergence.held:
        return NOT_ORDERED
    valid = [sample for sample in samples if sample.valid and sample.reading is not None]
    answers = sum(sample.reading is not None and sample.reading.action == "answer" for sample in valid)
    return ASKED if valid and 2 * answers > len(valid) else OPEN[convergence.primary_concern]


def _doubt(convergence: Convergence, samples: Sequence[Sample]) -> str:
    """What the readers doubt; where most saw nothing, what the most doubtful one saw."""
    if convergence.primary_concern != "none":
        return convergence.rationale
    return min(
        (sample for sample in samples if sample.valid), key=lambda sample: sample.score or 0.0
    ).rationale


def fallback_message(*, target: str, operation: str, reason: str, rationale: str) -> str:
    """A block by the local evaluator that stood in for the readers."""
    return (
        f"Compass held back this {operation} of {target}: {rationale}.\n"
        f"No language model was asked ({reason.replace('_', ' ')}); rules found this.\n"
        f"Nothing was written. {OPTIONS}"
    )


def fallback_told(*, target: str, operation: str, rationale: str) -> str:
    return f"Compass held back: {operation} {target}\n{rationale}.\n{SAY}"


def outage_told(*, target: str, operation: str) -> str:
    return (
        f"Compass could not check: {operation} {target}\n"
        "Its readers do not answer, and the error policy is closed: what needs a judgement is held until they do.\n"
        "`compass doctor` shows the cause; type `compass: proceed` to let this one run once."
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
