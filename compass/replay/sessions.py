"""Recorded sessions, through the gate once more: what it would have decided of each call, had it only watched; a
session to a worker, and what comes of them is in order, and the same as of one process.

The sessions went on as they are recorded, so nothing is held back: each call is judged as the first that would be."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

from compass.composition.settings import load_for
from compass.parallel import mapped, stays_here, without_keys
from compass.replay.batch import BatchBackend, read_answers
from compass.replay.recorded_gate import Judged, ReplayPlan, Stage, Tally
from compass.show.terminal import in_steps, progress
from evaluator.errors import CompassError
from evaluator.readers.kinds.kind import kind_of
from evaluator.settings import layers
from hooks import registry
from hooks.registry import host_of_session
from hooks.sessions import Called, Ended, Interrupted, Passed, Spoken, session_file, session_written

T = TypeVar("T")


def settings_by(env: Mapping[str, str], project: str, host: str) -> layers.Loaded:
    """The settings of a project, as they stand now."""
    return load_for(dict(env), project, host=registry.host_of(host))


@dataclass(slots=True)
class ReplayedSession(Generic[T]):
    """What came of one session: a row for each write-class call that gives one, in order. `places` has the number of
    each call that it holds, `problems` what is wrong with its project's settings."""

    rows: list[T] = field(default_factory=list[T])
    tally: Tally = field(default_factory=Tally)
    passed: Passed = field(default_factory=Passed)
    places: list[int] = field(default_factory=list[int])
    problems: tuple[str, ...] = ()


class Replay:
    """Replays session after session. Settings are those of each session's own project, as they stand now."""

    def __init__(self, plan: ReplayPlan) -> None:
        self._plan = plan
        self._loaded: dict[tuple[str, str], layers.Loaded] = {}
        self._answers = read_answers(plan.answers or ())

    def replayed(
        self, transcript: str, row: Callable[[Judged], T | None], before: Container[int] = ()
    ) -> ReplayedSession[T]:
        """Replays one recorded session: the rows that `row` makes of its judged calls, with their counts."""
        found = ReplayedSession[T]()
        made = map(row, self.judged(transcript, found, before))
        found.rows.extend(one for one in made if one is not None)
        return found

    def judged(
        self, transcript: str, found: ReplayedSession[T], before: Container[int] = ()
    ) -> Iterator[Judged]:
        """The write-class calls from `since` on, in order, counted in `found`. A call of `before`, which another file
        held already, is passed over: a resumed session may repeat the lines of the one before."""
        own: set[int] = set()
        host = self._plan.host or host_of_session(transcript) or registry.DEFAULT
        stage: Stage | None = None
        try:
            for moment in registry.host_of(host).sessions().session_moments(transcript, found.passed):
                if isinstance(moment, Ended | Interrupted):
                    if stage is not None:
                        stage.hear(moment)
                    continue
                if stage is None:
                    found.tally.sessions += 1
                    if (moment.project, host) not in self._loaded:
                        self._loaded[moment.project, host] = self._plan.load(moment.project, host)
                    loaded = self._loaded[moment.project, host]
                    found.problems = tuple(map(str, loaded.problems))
                    backend, batch = self._plan.backend, None
                    if self._plan.answers is not None:
                        batch = BatchBackend(backend, kind_of(backend).model(loaded.settings), self._answers)
                    stage = Stage(self._plan, host, loaded, transcript, moment.project, found.tally, batch)
                if isinstance(moment, Spoken):
                    stage.hear(moment)
                elif self._is_new_session_call(moment, found, own, before):
                    found.tally.calls += 1
                    judged = stage.judge(moment)
                    if judged is not None:
                        yield judged
        finally:
            if stage is not None:
                stage.close()

    def _is_new_session_call(
        self, called: Called, found: ReplayedSession[T], own: set[int], before: Container[int]
    ) -> bool:
        if called.at < self._plan.since or not called.tool_name:
            return False
        if not called.uuid:
            return True
        place = place_of(called)
        if place in own:
            return False
        own.add(place)
        found.places.append(place)
        return place not in before


def place_of(called: Called) -> int:
    """A number of 64 bits for where a call stands, whichever file holds its line."""
    said = f"{called.uuid}\0{called.tool_use_id}\0{called.index}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(said, digest_size=8).digest())


Advance = Callable[[int], None]
"""Told how many bytes of transcripts were done."""

LEAST_BYTES = 512 * 1024
"""Fewer are judged here before another process has started."""


@dataclass(slots=True)
class ReplayTotals:
    """What is told of all sessions together, complete once their rows were gone through."""

    tally: Tally = field(default_factory=Tally)
    passed: Passed = field(default_factory=Passed)

    def add(self, found: ReplayedSession[T]) -> None:
        for total, one in ((self.tally, found.tally), (self.passed, found.passed)):
            for name in (each.name for each in fields(one)):
                setattr(total, name, getattr(total, name) + getattr(one, name))


def session_judge(plan: ReplayPlan, row: Callable[[Judged], T | None]) -> Callable[[str], ReplayedSession[T]]:
    """Made by each worker. `row` is a function with a name, or a partial of one."""
    replay = Replay(plan)

    def judge(path: str) -> ReplayedSession[T]:
        """A session's rows. Raises CompassError where another machine has not the files of this one."""
        if not os.path.exists(session_file(path)):
            raise CompassError(f"{path}: a worker cannot find this file")
        return replay.replayed(path, row)

    return judge


def rows_of(
    args: argparse.Namespace,
    plan: ReplayPlan,
    paths: Sequence[str],
    row: Callable[[Judged], T | None],
    totals: ReplayTotals,
    advance: Advance,
) -> Iterator[T]:
    """A row for each session that is replayed. By rules on the engine that `args` name. Hosted readers are asked by
    this process alone, which holds their rates and what they may take of the day. Raises CompassError where a worker
    was killed."""
    told: set[str] = set()
    little = sum(map(size_of, paths)) < LEAST_BYTES
    alone = plan.asks or stays_here(args, little=little)
    sessions = (
        _replay_sessions_here(plan, paths, row) if alone else _replay_in_workers(args, plan, paths, row)
    )
    for path, found in sessions:
        if found is not None:
            for problem in found.problems:
                if problem not in told:
                    told.add(problem)
                    print(f"compass {args.command}: {problem}", file=sys.stderr)
            totals.add(found)
            yield from found.rows
        advance(size_of(path))


Sessions = Iterator[tuple[str, ReplayedSession[T] | None]]


def _replay_sessions_here(
    plan: ReplayPlan, paths: Sequence[str], row: Callable[[Judged], T | None]
) -> Sessions[T]:
    replay, seen = Replay(plan), set[int]()
    for path in paths:
        found = None
        if _is_session_due(plan, path):
            found = replay.replayed(path, row, seen)
            seen.update(found.places)
        yield path, found


def _replay_in_workers(
    args: argparse.Namespace, plan: ReplayPlan, paths: Sequence[str], row: Callable[[Judged], T | None]
) -> Sessions[T]:
    """A session that repeats a call of an earlier one is judged again, here, without it: that is seldom, and none has
    to wait for those before it."""
    env = without_keys(plan.env)
    elsewhere = replace(plan, env=env, load=partial(settings_by, env))
    due = [path for path in paths if _is_session_due(plan, path)]
    found = mapped(args, partial(session_judge, elsewhere, row), due)
    again, seen, awaited = Replay(elsewhere), set[int](), set(due)
    for path in paths:
        if path not in awaited:
            yield path, None
            continue
        one = next(found)
        if not seen.isdisjoint(one.places):
            one = again.replayed(path, row, seen)
        seen.update(one.places)
        yield path, one


def _is_session_due(plan: ReplayPlan, path: str) -> bool:
    """Whether a session's file was touched since the moment from which calls are replayed."""
    return session_written(path) >= plan.since


def size_of(path: str) -> int:
    try:
        return os.stat(session_file(path)).st_size
    except OSError:
        return 0


@contextmanager
def progress_over(paths: list[str], doing: str, *, quiet: bool) -> Generator[Advance]:
    """A progress over session files, told what was done since the last time."""
    with progress(doing, sum(map(size_of, paths)), quiet=quiet) as reach:
        yield in_steps(reach)


def since_of(text: str) -> float:
    """A date or a time, ISO 8601; local where it names no zone. Seconds since the epoch."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"not a date: {text!r}; write 2026-11-21, or 2026-11-21T14:00"
        ) from None
