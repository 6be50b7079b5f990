"""One recorded session's gate: it watches, and nothing that it decides changes what was recorded; and what a person
thought of a request's writes, by signs alone: refused, interrupted, taken back by word or by deed.

The gate is joined from the very parts that gate; the clock, the transcript, what the file system held and the
thresholds are those of the replay. Signs read no meaning: "undo that" counts, "hmm, not quite" does not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial

from compass.composition.effects import DiskGround, classify
from compass.composition.gate import SystemClock, wire
from compass.composition.process import BookedStore
from compass.composition.readers import make_readers
from compass.hook.events import note
from compass.replay.batch import NOT_ASKED, BatchBackend, BatchCheck
from evaluator.effects import text_of
from evaluator.gate import pipeline
from evaluator.gate.evaluation import day_is_spent
from evaluator.intervention.control import parse_control
from evaluator.model import Check, Effects, PendingWrite, Sample, Subject
from evaluator.ports import Readers
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import replace
from evaluator.settings import layers
from evaluator.settings.places import state_dir
from evaluator.text import day_of, is_continuation
from evaluator.trigger.calls import effects_of, has_build_name, with_stakes
from hooks import registry
from hooks.sessions import Called, Ended, Interrupted, Spoken

UNDOING = re.compile(
    r"(?:^|[.!?,;:\n]\s*|\b(?:please|no|now|just|then|and|can you|could you|let'?s|let us|bitte)\s+)"
    r"(?:undo|revert|roll (?:it |that |this )?back|back (?:it|that|this) out|(?:take|put) (?:it|that|this|them) back"
    r"|mach(?:e)? (?:das|es) rückgängig|annule|deshaz|desfaz)\b",
    re.IGNORECASE,
)
UNDOING_CHARS = 400
"""So much of the next message is looked at: further on it rather tells of undoing than orders it."""
_BACK_TO_FILES = re.compile(r"\bgit\s+(?:checkout|restore)\b")
_BACK_TO_COMMITS = re.compile(r"\bgit\s+(?:revert|reset)\b")
_COMMITS = re.compile(r"\bgit\s+commit\b")

ANSWERS_NOTHING = ("status", "pause", "resume", "unknown")
"""Controls that settle nothing of what is held."""

Edit = tuple[str, str, str, str]
"""(call, file, old text, new text); a commit has no file."""


@dataclass(slots=True)
class RecordedRequest:
    """A person's message and what became of the writes that followed. `at` in seconds since the epoch; ids are those of
    calls. Filled in as the session goes on."""

    text: str = ""
    at: float = 0.0
    last_call: str = ""
    interrupted: bool = False
    undone_by: str = ""
    reverted: set[str] = field(default_factory=set[str])
    held: set[str] = field(default_factory=set[str])
    answer: str = ""
    followed_by: str = ""
    """What the person said next, to the agent."""

    def refused(self, call: str) -> bool:
        return self.interrupted and call == self.last_call

    def taken_back(self, call: str) -> bool:
        return bool(self.undone_by) or call in self.reverted


class RequestLog:
    """The running request of one session, and the one before."""

    def __init__(self) -> None:
        self.running = self._before = RecordedRequest()
        self._edits: list[Edit] = []
        self._edits_before: list[Edit] = []

    def said(self, spoken: Spoken) -> None:
        """A reply to the gate, or "continue", opens no request."""
        running = self.running
        if control := parse_control(spoken.text):
            if control.verb not in ANSWERS_NOTHING:
                running.answer = running.answer or spoken.text
            return
        if is_continuation(spoken.text):
            return
        if running.held and not running.answer:
            running.answer = spoken.text
        if UNDOING.search(spoken.text[:UNDOING_CHARS]):
            running.undone_by = spoken.text
        running.followed_by = spoken.text
        self._before, self.running = running, RecordedRequest(spoken.text, spoken.at)
        self._edits_before, self._edits = self._edits, []

    def called(self, called: Called) -> None:
        given, running = called.tool_input, self.running
        running.last_call = called.tool_use_id
        if called.fate == "held":
            running.held.add(called.tool_use_id)
        file, command = text_of(given, "file_path"), text_of(given, "command")
        old, new = text_of(given, "old_string"), text_of(given, "new_string")
        for call, earlier, before, after in self._edits_before:
            name = os.path.basename(earlier)
            undoes = file == earlier != "" and (old, new) == (after, before) and old != new
            to_file = name != "" and name in command and _BACK_TO_FILES.search(command)
            to_commit = not name and _BACK_TO_COMMITS.search(command)
            if undoes or to_file or to_commit:
                self._before.reverted.add(call)
        if file:
            self._edits.append((called.tool_use_id, file, old, new))
        elif _COMMITS.search(command):
            self._edits.append((called.tool_use_id, "", "", ""))

    def interrupted(self) -> None:
        self.running.interrupted = True


@dataclass(frozen=True, slots=True)
class Judged:
    """One write-class call and its check. `request` is complete once its session was gone through."""

    transcript: str
    called: Called
    check: Check
    request: RecordedRequest
    batch: BatchCheck = NOT_ASKED


@dataclass(slots=True)
class Tally:
    """What a replay has done so far. `calls` of any tool; `checks` is how often readers were asked, `unanswered` how
    many of these lack an answer, `usd` what was paid; `unjudged` is how many calls came after what readers may take in
    a day was taken."""

    sessions: int = 0
    calls: int = 0
    checks: int = 0
    unanswered: int = 0
    usd: float = 0.0
    unjudged: int = 0


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """How to replay sessions. `host` is empty where each session's shape tells it; `backend` is resolved, never `auto`;
    `since` in seconds since the epoch. `counting`: nobody is asked, and every check fails, which is the most that can
    come to be asked. `answers`: readers are asked through files, of which these have results."""

    env: Mapping[str, str]
    home: str
    backend: str
    since: float
    load: Callable[[str, str], layers.Loaded]
    counting: bool = False
    host: str = ""
    answers: tuple[str, ...] | None = None

    @property
    def asks(self) -> bool:
        """Whether hosted readers are asked in this replay, now."""
        return kind_of(self.backend).hosted and not self.counting and self.answers is None


class Stage:
    """One session's gate."""

    def __init__(
        self,
        plan: ReplayPlan,
        host_name: str,
        loaded: layers.Loaded,
        transcript: str,
        project: str,
        tally: Tally,
        batch: BatchBackend | None = None,
    ) -> None:
        self._transcript = transcript
        self._project = project
        self._tally = tally
        self._batch = batch
        self._requests = RequestLog()
        self._clock = _Clock()
        host = registry.host_of(host_name)
        self._source = host.sessions().then()
        self._created: bool | None = None
        there = bool(project) and os.path.isdir(project)
        self._ground = DiskGround(project) if there else RecordedGround(project or os.curdir, self._existed)
        # The cap is of today, by the machine's clock, and a recording has days of its own.
        evaluator = replace(loaded.settings.evaluator, backend=plan.backend, daily_budget_usd=None)
        settings = replace(loaded.settings, enabled=True, mode="observe", evaluator=evaluator)
        self._settings = settings
        self._caps = loaded.settings
        where = (plan.env, plan.home, project or os.curdir)
        gate = wire(*where, loaded, host=host, settings=settings, keep=False)
        self._books = BookedStore(state_dir(gate.env, gate.home)) if plan.asks else None

        @cache
        def readers() -> Readers:
            if plan.counting:
                return _Counted(_Nobody(), tally, self._books)
            stand = (gate.env, gate.store, SystemClock(), gate.parts.rule)
            make = partial(make_readers, plan.backend, settings, *stand)
            found = make() if batch is None else make(through=batch, nonce=batch.nonce)
            return _Counted(found, tally, self._books)

        def not_known(_path: str) -> None:
            """What stands on disk today is not what the recorded call found there."""

        parts = replace(
            gate.parts, clock=self._clock, transcripts=self._source, readers=readers,
            effects_of=self._recorded_call_effects, attended=False, nested=lambda: False, text_of=not_known,
        )  # fmt: skip
        self._gate = replace(gate, parts=parts)

    def judge(self, called: Called) -> Judged | None:
        """None for a call that is not write-class, or that comes after what readers may take today was taken."""
        books = self._books
        if books is not None and day_is_spent(self._caps, lambda: books.spent(_replay_today())):
            self._tally.unjudged += 1
            return None
        self._requests.called(called)
        self._clock.at, self._created = called.at, called.created
        self._source.go_to(called.end)
        host = self._gate.host
        env = {host.PROJECT_VARIABLE: self._project}
        # What the client gave, or would have given, the hook of the call.
        names = ("session_id", "cwd", "prompt_id", "tool_name", "tool_input", "tool_use_id", "agent_id")
        payload: dict[str, object] = {name: getattr(called, name) for name in names}
        pending = host.pending_write(payload | {"transcript_path": self._transcript}, env)
        if self._project and not host.PROJECT_VARIABLE:
            pending = replace(pending, project_dir=self._project)
        if self._batch is not None:
            self._batch.begin(called.session_id, called.tool_use_id or called.uuid)
        check = pipeline.check(self._gate.parts, pending)
        if check.reason == "not_write_class":
            return None
        asked = self._batch.ended() if self._batch is not None else NOT_ASKED
        self._tally.unanswered += bool(asked.unanswered)
        return Judged(self._transcript, called, check, self._requests.running, asked)

    def hear(self, moment: Spoken | Ended | Interrupted) -> None:
        if isinstance(moment, Interrupted):
            self._requests.interrupted()
            return
        payload: dict[str, object] = {"session_id": moment.session_id}
        if isinstance(moment, Spoken):
            self._requests.said(moment)
            event = "user-prompt-submit"
            payload |= {"prompt_id": moment.prompt_id, "prompt": moment.text}
        else:
            event = "post-tool-use" if moment.succeeded else "post-tool-use-failure"
            payload |= {"tool_use_id": moment.tool_use_id}
        note(event, payload, self._gate, moment.at)
        if isinstance(moment, Spoken) and moment.typed:
            self._gate.store.note_attended(moment.session_id)

    def close(self) -> None:
        self._gate.close()
        if self._books is not None:
            self._books.close()

    def _recorded_call_effects(self, pending: PendingWrite) -> Effects | None:
        settings = self._settings
        found = effects_of(
            pending,
            classify=lambda command, cwd: classify(command, cwd, settings.bash, pending.host),
            mcp_tools=settings.gate.mcp_tools,
            exists=self._existed,
            resolve=os.path.realpath,
        )
        return with_stakes(found, self._ground) if found and found.each else found

    def _existed(self, path: str) -> bool:
        """What came of the call tells it; of a call that did not run, what is there today has to."""
        return os.path.lexists(path) if self._created is None else not self._created


def _replay_today() -> str:
    """Readers are asked now, whenever the recording was made."""
    return day_of(SystemClock().now())


class RecordedGround:
    """`evaluator.trigger.calls.Ground` of a project that is not on this machine: git is taken to hold its files, and to
    ignore what has the name of a build output; a name without an ending is taken for a folder's."""

    def __init__(self, root: str, existed: Callable[[str], bool]) -> None:
        self.root = root
        self._existed = existed

    def exists(self, path: str) -> bool:
        return self._existed(path)

    def is_unchanged(self, path: str) -> bool:
        return "." in os.path.basename(path) and self.is_held(path)

    def is_held(self, path: str) -> bool:
        return not (os.path.basename(path).startswith(".env") or self.is_ignored(path))

    def is_ignored(self, path: str) -> bool:
        return has_build_name(path[len(self.root) :])


class _Clock:
    """The wall clock of the recording, and this machine's for what takes time."""

    def __init__(self) -> None:
        self.at = 0.0
        self._real = SystemClock()
        self._slept = 0.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self._real.monotonic() + self._slept

    def sleep(self, seconds: float) -> None:
        """Nothing comes to a recording by waiting for it."""
        self._slept += seconds


class _Counted:
    """What readers take is told, and kept in the `books`."""

    def __init__(self, readers: Readers, tally: Tally, books: BookedStore | None) -> None:
        self.name = readers.name
        self._readers = readers
        self._tally = tally
        self._books = books

    @property
    def model(self) -> str:
        return self._readers.model

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        samples = self._readers.collect(subject, seconds)
        self._tally.checks += 1
        usd = sum(sample.cost_usd or 0.0 for sample in samples)
        self._tally.usd += usd
        if self._books is not None:
            self._books.add_spend(_replay_today(), usd, len(samples))
        return samples


class _Nobody:
    """Stands for hosted readers while calls are counted: a check that fails excuses no later one."""

    name, model = "nobody", ""

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        return (Sample("nobody", 0.0, "none"),)
