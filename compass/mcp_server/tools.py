"""What the tools of `compass mcp` answer, by the public functions: advice that holds, releases and records nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from compass.api.past import DOUBTED, NEWEST, SETTLED, coaching, past_check, past_checks, questions
from compass.api.surface import Verdict, judge_async
from compass.composition.settings import Here
from compass.mcp_server.calls import CALLS_MAX, Account
from compass.show.log_line import WHY
from evaluator.gate.verdicts import UNJUDGED
from evaluator.intervention.telling import Cause, language_of, question

NOTE = (
    "Advice only: it lets nothing run and holds nothing. Where hooks are wired they judge the write itself, anew, and "
    "only what the user types in the session answers a held write."
)
INSTRUCTIONS = (
    "Compass says whether two readers of the user's request would agree on a write. Call check_write before a write "
    "that the request leaves open, and show the user its question word for word where there is one. "
    "pending_questions lists what waits for the user, explain says why a past write was held, feedback what made "
    "earlier requests unclear.\n"
    "All of it is advice: a verdict lets nothing run, and counts for nothing where hooks judge the write. An answer "
    "that the user gives to this server is text for you; it is no reply to a held write and releases nothing."
)
OWN_ACCOUNT = "on your own account: you told what the user said, and nobody else has seen it"
FROM_SESSION = "from the session's file: your own account of the request was not used"
ASKED_OFTEN = (
    "check_write was called {most} times already {span}. Nobody was asked. Ask the user instead, or go on: what "
    "is unclear is held where hooks are wired."
)
TURN, MINUTE = "in this turn", "within a minute"

CLEAR = "Two readers of the request would expect this write."
ASK = "Ask the user before you write: show them the question word for word, and stop."
NOT_JUDGED = "Nobody judged this; it is no yes."
UNKNOWN_TOOL = (
    "Nothing is known to be written by this call. "
    "If it does write, give its command, or its path and content."
)
CLOCK = "%Y-%m-%d %H:%M"


class ToolAnswer(BaseModel):
    note: str = Field(default=NOTE, description="What this is not")


class Advice(ToolAnswer):
    """What `check_write` found."""

    verdict: Literal["passed", "failed", "skipped"] = Field(
        description="passed: readers would agree; failed: ask the user; skipped: nobody judged it"
    )
    reason: str = Field(description="Why, as one of Compass's reasons")
    why: str = Field(description="The same in words")
    question: str = Field(
        default="", description="Show it to the user word for word; empty where nothing is to be asked"
    )
    readings: list[str] = Field(default_factory=list, description="What the request can mean, at most three")
    account: str = Field(description="Where what the user said was taken from")
    user_answered: str = Field(
        default="", description="What the user answered to this server, as text for you; it releases nothing"
    )


class Explanation(ToolAnswer):
    """One past check, in words."""

    check_id: str
    when: str = Field(description="Local time")
    session: str
    write: str
    outcome: str = Field(description="held, let run, passed or skipped")
    why: str
    readings: list[str] = Field(default_factory=list)
    question: str = ""


class OpenQuestion(BaseModel):
    """What is held in one session and waits for its user."""

    session: str
    since: str = Field(description="Local time")
    held: list[str]
    readings: list[str] = Field(default_factory=list)
    user_said: list[str] = Field(
        default_factory=list, description="Said since; the next try of a held write is judged with it"
    )
    user_may: str = Field(description="What the user may type, in that session")


class Pending(ToolAnswer):
    questions: list[OpenQuestion]


class Lesson(BaseModel):
    """One request whose writes were held."""

    when: str = Field(description="Local time")
    session: str
    request: str = Field(default="", description="Empty where requests are not kept")
    held: list[str]
    open: str = Field(description="What was open")
    settled: str = Field(description="How it ended")
    coach: str = Field(description="What would have saved the block")


class Feedback(ToolAnswer):
    summary: str
    lessons: list[Lesson]


class CheckLine(BaseModel):
    check_id: str
    when: str
    outcome: str
    write: str


async def advise(
    write: dict[str, Any],
    user: str | Sequence[str],
    prior: str,
    account: Account | None,
    project: str | None,
) -> Advice:
    """`write` is the call, by the names that `judge` has for it. `user` and `prior` are the agent's own account; they
    count only where no session's file tells.

    Raises CompassError for a write that cannot be judged.
    """
    request, before, task = user, prior, ""
    if account is not None:
        exchange = account.exchange
        request, before, task = exchange.request, exchange.prior_assistant_turn, exchange.delegated_task
    found = await judge_async(request, prior=before, task=task, project=project, **write)
    text = request if isinstance(request, str) else "\n\n".join(request)
    return Advice(
        verdict=found.verdict,
        reason=found.reason,
        why=_why_of(found),
        question=_question_of(found, text),
        readings=list(found.readings) if found.verdict == "failed" else [],
        account=OWN_ACCOUNT if account is None else FROM_SESSION,
    )


def refused(*, by_turn: bool) -> Advice:
    """Of a call past the bound, for which nobody was asked."""
    span = TURN if by_turn else MINUTE
    return Advice(
        verdict="skipped",
        reason="turn_budget_exhausted",
        why=ASKED_OFTEN.format(most=CALLS_MAX, span=span),
        account=FROM_SESSION if by_turn else OWN_ACCOUNT,
    )


def _why_of(found: Verdict) -> str:
    if found.verdict == "passed":
        return CLEAR
    if found.concern is not None and found.verdict == "failed":
        # Without a doubt the rationale is that of a reader who saw nothing.
        doubt = found.rationale if found.concern != "none" else ""
        return " ".join(filter(None, (DOUBTED[found.concern], doubt, ASK)))
    if found.reason == "not_write_class":
        return UNKNOWN_TOOL
    if found.reason in SETTLED and found.allowed:
        return f"Nobody needed to judge this: {SETTLED[found.reason]}."
    unread = any(note == UNJUDGED for note in found.notes)
    return f"Not judged: {'no model reads here' if unread else WHY[found.reason]}. {NOT_JUDGED}"


def _question_of(found: Verdict, request: str) -> str:
    """In the user's language, without what can only be typed where a write is held."""
    if found.verdict != "failed" or found.concern is None:
        return ""
    readings = found.readings if len(found.readings) > 1 else ()
    cause: Cause = "ambiguous" if readings else "unclear"
    if found.concern in ("scope", "destructive"):
        cause = found.concern
    return "\n".join(question(language_of(request), cause, request, readings))


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


def last_checks(found: Here) -> list[CheckLine]:
    """Newest first."""
    return [
        CheckLine(check_id=one.verdict.check_id, when=_clock(one.at), outcome=one.outcome, write=one.write)
        for one in past_checks(found, NEWEST)
    ]


def feedback_of(found: Here) -> Feedback:
    """How the newest requests whose writes were held came to their end, newest first."""
    told = coaching(found)
    lessons = [
        Lesson(
            when=_clock(one.at),
            session=one.session,
            request=one.request,
            held=list(one.held),
            open=one.doubt,
            settled=one.settled,
            coach=one.coach,
        )
        for one in told.requests
    ]
    return Feedback(summary=told.summary, lessons=lessons)


def pending_of(found: Here, now: float) -> Pending:
    """Raises StateError for state that cannot be read."""
    waiting = [
        OpenQuestion(
            session=one.session,
            since=_clock(one.since),
            held=list(one.held),
            readings=[f"{number}. {text}" for number, text in enumerate(one.readings, 1)],
            user_said=list(one.user_said),
            user_may=one.user_may,
        )
        for one in questions(found, now)
    ]
    return Pending(questions=waiting)


def _clock(at: float) -> str:
    return time.strftime(CLOCK, time.localtime(at))
