"""Rule 7 of the trigger gate: what the user said, or did not say, of a call that was held back before."""

from __future__ import annotations

from evaluator.gate.run import Run
from evaluator.model import Check
from evaluator.record import replace


def unreadable_state(run: Run) -> Check | None:
    """The error policy answers: a judge who does not know what was held would let it pass at a second try."""
    cause = run.parts.unreadable
    if not cause:
        return None
    from evaluator.gate import judging, verdicts
    from evaluator.gate.naming import held_thing
    from evaluator.intervention import telling

    judging.sanitize(run)
    found = verdicts.failed_evaluation(run, (), None, [cause])
    if found.decision == "allow" or run.settings.error_policy != "closed":
        return found
    texts = telling.unreadable(held_thing(run), cause)
    return replace(found, detail=texts.agent, told=texts.person)


def live_intervention(run: Run) -> Check | None:
    """Released once, cancelled, denied from memory, or due for the one re-check of a clarification."""
    found = run.parts.store.intervention(run.pending.session_id)
    if found is None:
        return None
    from evaluator.gate import consulting

    return consulting.consult(run, found)


def hold_back(run: Run, check: Check) -> Check:
    """Note a block in the request's intervention, and put what the host allows a headless session."""
    if check.decision != "deny" or check.reason in ("self_protection", "cancelled", "denied_before"):
        return check
    from evaluator.gate import consulting

    return consulting.hold_back(run, check)


def let_through(run: Run) -> None:
    """A call that was held back has now passed: its denial is over."""
    from evaluator.gate import consulting

    consulting.let_through(run)
