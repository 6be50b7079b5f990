"""What the tools of `compass mcp` answer, by the public functions: advice that holds, releases and records nothing."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from pydantic import BaseModel, Field, ValidationError

from compass.api.exports import Verdict, judge_async
from compass.api.project import folder_of
from compass.api.recorded_checks import NEWEST, doubt_of, past_check, past_checks, questions
from compass.composition.settings import Here
from compass.show.log_line import WHY
from evaluator import wire
from evaluator.effects import text_of
from evaluator.errors import CompassError
from evaluator.files import PRIVATE_FILE, locked, private_folder
from evaluator.gate.verdicts import UNJUDGED
from evaluator.intervention.language import language_of
from evaluator.intervention.messages import Cause, question
from evaluator.model import Exchange
from evaluator.record import Record
from evaluator.settings.places import project_root
from hooks import registry

SETTLED = {
    "reply_to_question_pattern": "the user chose an option",
    "skip_sentinel": "the user wrote [compass:skip]",
}
NOTE = (
    "Advice only: it lets nothing run and holds nothing. Where hooks are wired they judge the write itself again, and "
    "only what the user types in the session answers a held write."
)
INSTRUCTIONS = (
    "Compass says whether two readers of the user's request would agree on a write. Call check_write before a write "
    "that the request leaves open, and show the user its question word for word where there is one. "
    "pending_questions lists what waits for the user, explain says why a past write was held.\n"
    "All of it is advice: a verdict lets nothing run, and has no effect where hooks judge the write. An answer "
    "that the user gives to this server is text for you; it is not a reply to a held write and releases nothing."
)
OWN_ACCOUNT = "on your own account: you reported what the user said, and nobody else has seen it"
FROM_SESSION = "from the session's file: your own account of the request was not used"
ASKED_OFTEN = (
    "check_write has already been called {most} times {span}. Nobody was asked. Ask the user instead, or go on: what "
    "is unclear is held where hooks are wired."
)
TURN, MINUTE = "in this turn", "within a minute"

CLEAR = "Two readers of the request would expect this write."
ASK = "Ask the user before you write: show them the question word for word, and stop."
NOT_JUDGED = "Nobody judged this; it is not a yes."
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
    account: str = Field(description="Where the user's words were taken from")
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
    """What an agent is advised of a write before it makes it. `write` is the call, by the names that `judge` has for
    it. `user` and `prior` are the agent's own account; they count only where no session's file tells.

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
    """The advice to a call past the bound, for which nobody was asked."""
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
        return f"{doubt_of(found.concern, found.rationale or '')} {ASK}"
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
    """An explanation of the newest check where `check_id` is empty, else of the one whose id begins so.

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


def pending_of(found: Here, now: float) -> Pending:
    """What is held and waits for its user. Raises StateError for state that cannot be read."""
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


CODEX, CODEX_META = "codex", "x-codex-turn-metadata"
TOOL = "compass"
CALLS_MAX = 3
SPAN_SECONDS = 60.0
TURNS_MAX = 1000
"""Turns that are remembered, the newest."""
LOCK_SECONDS = 2.0
BYTES_MAX = 1 << 20


class Account(Record):
    """`turn` names the turn that the call was made in, for counting."""

    exchange: Exchange
    turn: str


def account_of(
    meta: Mapping[str, object], project: str | None, env: Mapping[str, str], home: str
) -> Account | None:
    """What the session's own file tells of the conversation. `project` is that of the server. None where no session's
    file vouches for the call."""
    told = meta.get(CODEX_META)
    if not isinstance(told, dict):
        return None
    given = cast(Mapping[str, object], told)
    session, turn = text_of(given, "session_id"), text_of(given, "turn_id")
    from hooks.hosts.codex import file_of, home_of

    path = file_of(text_of(given, "thread_id") or session, os.path.join(home_of(env, home), "sessions"))
    if not (path and session and turn):
        return None
    host = registry.host_of(CODEX)
    payload: dict[str, object] = {
        "session_id": session, "turn_id": turn, "transcript_path": path, "cwd": os.sep,
        "tool_name": TOOL, "tool_input": {},
    }  # fmt: skip
    try:
        pending = host.pending_write(host.parse(json.dumps(payload).encode()), {})
    except CompassError:
        return None
    if project_root(pending.project_dir) != project_root(folder_of(project)):
        return None
    source = host.transcripts(None)
    spoken, exchange = source.voices(pending), source.exchange(pending, ())
    newest = spoken[0].prompt_id if spoken else None
    # A subagent's turn is its own; what the person said is that of its session.
    if not exchange.request or newest is None or not (newest == turn or exchange.delegated_task):
        return None
    # Counted by the session's turn alone, so that subagents have no calls of their own.
    return Account(exchange, hashlib.sha256(newest.encode()).hexdigest())


class CallCounts(BaseModel):
    """Counts of one project, as they are kept. `turns` are calls by turn, `recent` the seconds of those without one.

    Not for threads.
    """

    turns: dict[str, int] = {}
    recent: list[float] = []

    def take(self, turn: str, now: float) -> bool:
        """Whether one more call may be made. `turn` is empty where no session's file vouches for one; `now` in
        seconds. A call that was made later than `now` counts for nothing: the clock was set back since.
        """
        if turn:
            taken = self.turns.pop(turn, 0)
            self.turns[turn] = min(taken + 1, CALLS_MAX)
            if len(self.turns) > TURNS_MAX:
                del self.turns[next(iter(self.turns))]
            return taken < CALLS_MAX
        self.recent = [at for at in self.recent if 0 <= now - at < SPAN_SECONDS]
        if len(self.recent) >= CALLS_MAX:
            return False
        self.recent.append(now)
        return True


class CallTally:
    """`path` is the file of the counts; empty for none. Safe for threads."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._own = CallCounts()
        self._lock = threading.Lock()

    def take(self, turn: str) -> bool:
        """As `CallCounts.take`, at the time once nobody else counts: an earlier one would miss their calls."""
        try:
            return self._shared(turn)
        except OSError:
            with self._lock:
                return self._own.take(turn, time.time())

    def _shared(self, turn: str) -> bool:
        private_folder(os.path.dirname(self._path), repair=False)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        file = os.open(self._path, flags, PRIVATE_FILE)
        try:
            with locked(file, LOCK_SECONDS, self._path):
                calls = _kept(os.pread(file, BYTES_MAX, 0))
                may = calls.take(turn, time.time())
                raw = calls.model_dump_json().encode()
                os.pwrite(file, raw, 0)
                os.ftruncate(file, len(raw))
                return may
        finally:
            os.close(file)


def tally_of(env: Mapping[str, str], project: str | None) -> CallTally:
    """How many calls agents of the server's project have made."""
    folder = os.fsdecode(wire.run_dir(wire.folder_variables(env)))
    root = project_root(folder_of(project))
    name = hashlib.sha256(root.encode(errors="surrogateescape")).hexdigest()[:16]
    return CallTally(os.path.join(folder, f"asked-{name}.json") if folder else "")


def _kept(raw: bytes) -> CallCounts:
    """None so far where they are damaged."""
    try:
        return CallCounts.model_validate_json(raw)
    except ValidationError:
        return CallCounts()
