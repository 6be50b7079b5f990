"""`pending_questions`: the public function's answer in the tool's own shape."""

from __future__ import annotations

import time

from compass.advising.answers import Pending, Question
from compass.api.past.records import PendingQuestion
from compass.api.past.waiting import questions
from compass.joining.kept_checks import Here

CLOCK = "%Y-%m-%d %H:%M"


def pending_of(found: Here, now: float) -> Pending:
    """Raises StateError for state that cannot be read."""
    return Pending(questions=[_question(one) for one in questions(found, now)])


def _question(one: PendingQuestion) -> Question:
    return Question(
        session=one.session,
        since=time.strftime(CLOCK, time.localtime(one.since)),
        held=list(one.held),
        readings=[f"{number}. {text}" for number, text in enumerate(one.readings, 1)],
        user_said=list(one.user_said),
        user_may=one.user_may,
    )
