"""`explain`, `feedback` and the resources: what the public functions tell, in the tools' own shapes."""

from __future__ import annotations

import time

from compass.advising.answers import Explanation, Feedback, Lesson, Listed
from compass.api.past.kept import coaching, past_check, past_checks
from compass.api.past.records import HeldRequest
from compass.api.past.telling import NEWEST
from compass.joining.kept_checks import Here

CLOCK = "%Y-%m-%d %H:%M"


def explained(found: Here, check_id: str) -> Explanation:
    """Of the newest check where `check_id` is empty, else of the one whose id begins so.

    Raises StateError where this project has no such check, or several.
    """
    past = past_check(found, check_id)
    return Explanation(
        check_id=past.verdict.check_id,
        when=_clock(past.at),
        session=past.session,
        write=past.write,
        outcome=past.outcome,
        why=past.why,
        readings=list(past.verdict.readings) if past.verdict.verdict == "failed" else [],
        question=past.verdict.question,
    )


def last_checks(found: Here) -> list[Listed]:
    """Newest first."""
    return [
        Listed(check_id=one.verdict.check_id, when=_clock(one.at), outcome=one.outcome, write=one.write)
        for one in past_checks(found, NEWEST)
    ]


def feedback_of(found: Here) -> Feedback:
    """How the newest requests whose writes were held came to their end, newest first."""
    told = coaching(found)
    return Feedback(summary=told.summary, lessons=[_lesson(one) for one in told.requests])


def _lesson(one: HeldRequest) -> Lesson:
    return Lesson(
        when=_clock(one.at),
        session=one.session,
        request=one.request,
        held=list(one.held),
        open=one.doubt,
        settled=one.settled,
        coach=one.coach,
    )


def _clock(at: float) -> str:
    return time.strftime(CLOCK, time.localtime(at))
