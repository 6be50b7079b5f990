"""While something is held back, nothing may type into a terminal: it could answer in the user's place."""

from __future__ import annotations

from evaluator.gate.run import Run
from evaluator.model import Check

DETAIL = (
    "Compass does not let an agent type into a terminal, or have anything run later, while a write waits for the "
    "user's answer.\nNothing was run. The user answers what is held back first, by `compass: proceed` or "
    "`compass: cancel`."
)


def typing_while_held(run: Run) -> Check | None:
    if all(one.kind != "keyboard" for one in run.known_effects.each):
        return None
    from evaluator.intervention import memory as model

    origin = run.origin
    sessions = (run.pending.session_id, *(one.session_id for one in (origin.parents if origin else ())))
    seconds = run.settings.intervention.ttl_seconds
    for session in sessions:
        waiting = model.waiting(run.parts.store.intervention(session), run.at, seconds)
        # What nobody could judge waits as well, but to be judged again it does not wait for the user.
        if any(one.binding or not model.concerns(one.call, run.call) for one in waiting):
            return run.check("failed", "self_protection", "deny", detail=DETAIL)
    return None
