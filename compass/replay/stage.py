"""One recorded session's gate: it watches, and nothing that it decides changes what was recorded.

Joined from the very parts that gate; the clock, the transcript, what the file system held and the thresholds are
those of the replay.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from compass.composition.effects import DiskGround, classify
from compass.composition.gate import SystemClock, Wired, wire
from compass.composition.process import BookedStore
from compass.composition.readers import make_readers
from compass.hook.events import note
from compass.replay.batch import NOT_ASKED, BatchBackend, BatchCheck, BatchFiles
from compass.replay.requests import RecordedRequest, RequestLog
from evaluator.gate import pipeline
from evaluator.gate.run import Parts, Rule
from evaluator.gate.verdicts import day_is_spent
from evaluator.model import Check, Effects, PendingWrite, Sample, Subject, Thresholds
from evaluator.ports import Readers
from evaluator.readers.kinds.kind import kind_of
from evaluator.record import replace
from evaluator.settings import layers
from evaluator.settings.keys import Settings
from evaluator.settings.places import state_dir
from evaluator.text import day_of
from evaluator.trigger.effects import effects_of, has_build_name, with_stakes
from hooks import registry
from hooks.sessions import Called, Ended, Interrupted, Spoken


@dataclass(frozen=True, slots=True)
class Proposal:
    """Thresholds to try beside the current ones; None keeps the current value."""

    confidence: float | None = None
    deviation: float | None = None

    def over(self, current: Thresholds) -> Thresholds:
        return Thresholds(
            current.confidence if self.confidence is None else self.confidence,
            current.deviation if self.deviation is None else self.deviation,
            current.agreement,
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """One write-class call: its check under the current thresholds, and under the proposed ones if there are any.

    `request` is complete once its session was gone through.
    """

    transcript: str
    called: Called
    current: Check
    proposed: Check | None
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
    `since` in seconds since the epoch.

    `counting`: nobody is asked, and every check fails, which is the most that can come to be asked. `batch`: readers
    are asked through files.
    """

    env: Mapping[str, str]
    home: str
    backend: str
    proposal: Proposal | None
    since: float
    load: Callable[[str, str], layers.Loaded]
    counting: bool = False
    host: str = ""
    batch: BatchFiles | None = None

    @property
    def asks(self) -> bool:
        """Whether hosted readers are asked, now."""
        return kind_of(self.backend).hosted and not self.counting and self.batch is None


class Stage:
    """One session's gate, once for each pair of thresholds; all of them are given the same samples."""

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
        self._settings = settings = _watching(loaded.settings, plan.backend, whole=plan.proposal is not None)
        self._caps = loaded.settings
        gates = [
            wire(plan.env, plan.home, project or os.curdir, loaded, host=host, settings=settings, keep=False)
            for _ in range(2 if plan.proposal else 1)
        ]
        current = gates[0].parts.rule()
        rules = [current]
        if plan.proposal is not None:
            over = plan.proposal.over
            rules.append(Rule(over(current.reversible), over(current.irreversible), current.note))
        self._books = BookedStore(state_dir(gates[0].env, gates[0].home)) if plan.asks else None
        readers = _Once(lambda: _readers(plan, settings, gates[0], rules, batch), tally, self._books)
        self._gates = [
            replace(gate, parts=self._parts(gate.parts, rule, readers))
            for gate, rule in zip(gates, rules, strict=True)
        ]

    def judge(self, called: Called) -> Judged | None:
        """None for a call that is not write-class, or that comes after what readers may take today was taken."""
        if self._is_spent():
            self._tally.unjudged += 1
            return None
        self._requests.called(called)
        self._clock.at, self._created = called.at, called.created
        self._source.go_to(called.end, called.heard)
        host = self._gates[0].host
        env = {host.PROJECT_VARIABLE: self._project}
        pending = host.pending_write(_payload(called, self._transcript), env)
        if self._project and not host.PROJECT_VARIABLE:
            pending = replace(pending, project_dir=self._project)
        if self._batch is not None:
            self._batch.begin(called.session_id, called.tool_use_id or called.uuid)
        checks = [pipeline.check(gate.parts, pending) for gate in self._gates]
        if checks[0].reason == "not_write_class":
            return None
        asked = self._batch.ended() if self._batch is not None else NOT_ASKED
        self._tally.unanswered += bool(asked.unanswered)
        proposed = checks[1] if len(checks) > 1 else None
        return Judged(self._transcript, called, checks[0], proposed, self._requests.running, asked)

    def hear(self, moment: Spoken | Ended | Interrupted) -> None:
        if isinstance(moment, Interrupted):
            self._requests.interrupted()
            return
        if isinstance(moment, Spoken):
            self._requests.said(moment)
        event, payload = _event(moment)
        for gate in self._gates:
            note(event, payload, gate, moment.at)
            if isinstance(moment, Spoken) and moment.typed:
                gate.store.note_attended(moment.session_id)

    def close(self) -> None:
        for gate in self._gates:
            gate.close()
        if self._books is not None:
            self._books.close()

    def _is_spent(self) -> bool:
        books, day = self._books, _today()
        return books is not None and day_is_spent(
            self._caps, lambda: books.spent(day), lambda: books.samples_of(day)
        )

    def _parts(self, parts: Parts, rule: Rule, readers: Readers) -> Parts:
        return replace(
            parts,
            clock=self._clock,
            transcripts=self._source,
            readers=lambda: readers,
            rule=lambda: rule,
            effects_of=self._effect_of,
            attended=False,
            nested=lambda: False,
            # What stands on disk today is not what the recorded call found there.
            text_of=_not_known,
        )

    def _effect_of(self, pending: PendingWrite) -> Effects | None:
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


def _today() -> str:
    """Readers are asked now, whenever the recording was made."""
    return day_of(SystemClock().now())


def _not_known(_path: str) -> None:
    """The text of a file as the call found it."""


class RecordedGround:
    """`evaluator.trigger.effects.Ground` of a project that is not on this machine: git is taken to hold its files, and
    to ignore what has the name of a build output."""

    def __init__(self, root: str, existed: Callable[[str], bool]) -> None:
        self.root = root
        self._existed = existed

    def exists(self, path: str) -> bool:
        return self._existed(path)

    def is_held(self, path: str) -> bool:
        return not self.is_ignored(path)

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


class _Once:
    """Readers that are asked once for a call, however many gates want to know. `books`: what they take is counted."""

    def __init__(self, make: Callable[[], Readers], tally: Tally, books: BookedStore | None) -> None:
        self._make = make
        self._tally = tally
        self._books = books
        self._readers: Readers | None = None
        self._given: tuple[PendingWrite, tuple[Sample, ...]] | None = None

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def _inner(self) -> Readers:
        if self._readers is None:
            self._readers = self._make()
        return self._readers

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        if self._given is None or self._given[0] is not subject.pending:
            samples = self._inner.collect(subject, seconds)
            self._given = (subject.pending, samples)
            self._tally.checks += 1
            usd = sum(sample.cost_usd or 0.0 for sample in samples)
            self._tally.usd += usd
            if self._books is not None:
                self._books.add_spend(_today(), usd, len(samples))
        return self._given[1]


class _Nobody:
    """Stands for hosted readers while calls are counted: a check that fails excuses no later one."""

    name, model = "nobody", ""

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        return (Sample("nobody", 0.0, "none"),)


def _watching(settings: Settings, backend: str, *, whole: bool) -> Settings:
    """`whole`: all samples are waited for, since two pairs of thresholds are held against them. The caps are of today,
    by the machine's clock, and a recording has days of its own."""
    return replace(
        settings,
        enabled=True,
        mode="observe",
        evaluator=replace(settings.evaluator, backend=backend, daily_budget_usd=None, daily_calls=None),
        sampling=replace(settings.sampling, strategy="fixed") if whole else settings.sampling,
    )


def _readers(
    plan: ReplayPlan, settings: Settings, gate: Wired, rules: list[Rule], batch: BatchBackend | None
) -> Readers:
    """A check that is bound to fail may end early, but only if it fails under every pair."""
    if plan.counting:
        return _Nobody()
    pairs = [pair for rule in rules for pair in (rule.reversible, rule.irreversible)]
    loosest = Thresholds(
        min(pair.confidence for pair in pairs), max(pair.deviation for pair in pairs), pairs[0].agreement
    )
    rule = Rule(loosest, loosest) if len(rules) > 1 else rules[0]
    if batch is None:
        return make_readers(plan.backend, settings, gate.env, gate.store, SystemClock(), lambda: rule)
    return make_readers(
        plan.backend,
        settings,
        gate.env,
        gate.store,
        SystemClock(),
        lambda: rule,
        through=batch,
        nonce=batch.nonce,
    )


def _payload(called: Called, transcript: str) -> dict[str, object]:
    """What the client gave, or would have given, the hook of the call."""
    return {
        "session_id": called.session_id,
        "transcript_path": transcript,
        "cwd": called.cwd,
        "prompt_id": called.prompt_id,
        "tool_name": called.tool_name,
        "tool_input": called.tool_input,
        "tool_use_id": called.tool_use_id,
        "agent_id": called.agent_id,
    }


def _event(moment: Spoken | Ended) -> tuple[str, dict[str, object]]:
    payload: dict[str, object] = {"session_id": moment.session_id}
    if isinstance(moment, Spoken):
        return "user-prompt-submit", payload | {"prompt_id": moment.prompt_id, "prompt": moment.text}
    event = "post-tool-use" if moment.succeeded else "post-tool-use-failure"
    return event, payload | {"tool_use_id": moment.tool_use_id}
