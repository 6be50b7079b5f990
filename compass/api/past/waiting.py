"""What is held in a project's sessions and waits for its user. Changes nothing."""

from __future__ import annotations

from compass.api.past.records import PendingQuestion
from compass.joining.kept_checks import Here
from evaluator.intervention import memory
from evaluator.intervention.held import Denial, Intervention
from evaluator.intervention.language import language_of
from evaluator.intervention.phrases import PHRASES
from evaluator.state.history import Waiting
from evaluator.trigger.rules import display

LISTED_MAX = 10


def questions(found: Here, now: float) -> tuple[PendingQuestion, ...]:
    """Raises StateError for state that cannot be read."""
    ttl = found.loaded.settings.intervention.ttl_seconds
    asked = [_question(one, now, ttl) for one in found.history.held(found.project)]
    return tuple(one for one in asked if one is not None)[:LISTED_MAX]


def _question(one: Waiting, now: float, ttl_seconds: float) -> PendingQuestion | None:
    held = _heard(one, now, ttl_seconds)
    left = memory.waiting(held, now, ttl_seconds)
    if held is None or not left:
        return None
    phrases = PHRASES[language_of(" ".join(held.request))]
    readings = held.readings if len(held.readings) > 1 else ()
    return PendingQuestion(
        session=one.session_id,
        since=held.opened_at,
        held=tuple(_named(denial, one.project_dir) for denial in left),
        readings=tuple(readings),
        user_said=tuple(held.chosen or held.clarifications),
        user_may=phrases.choose if readings else phrases.say,
    )


def _heard(one: Waiting, now: float, ttl_seconds: float) -> Intervention | None:
    """With what was typed since the gate last looked."""
    held: Intervention | None = one.held
    for prompt in one.prompts:
        if held is not None and prompt.position > held.position:
            held = memory.resolve(held, memory.reply_of(prompt.text, prompt.position), now, ttl_seconds)
    return held


def _named(denial: Denial, project_dir: str) -> str:
    call = denial.call
    return f"{call.operation} {', '.join(display(target, project_dir) for target in call.targets)}".strip()
