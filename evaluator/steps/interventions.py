"""Rule 7 of the trigger gate: what the user said, or did not say, of a call that was held back before."""

from __future__ import annotations

from evaluator.model import Check
from evaluator.run import Run


def live_intervention(run: Run) -> Check | None:
    """Released once, cancelled, denied from memory, or due for the one re-check of a clarification."""
    found = run.parts.store.intervention(run.pending.session_id)
    if found is None:
        return None
    from evaluator.steps import consulting

    return consulting.consult(run, found)


def hold_back(run: Run, check: Check) -> Check:
    """Note a block in the request's intervention, and put what the host allows a headless session."""
    if check.decision != "deny" or check.reason in ("self_protection", "cancelled", "denied_before"):
        return check
    from evaluator.steps import consulting

    return consulting.hold_back(run, check)


def let_through(run: Run) -> None:
    """A call that was held back has now passed: its denial is over."""
    from evaluator.steps import consulting

    consulting.let_through(run)
