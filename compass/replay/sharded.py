"""A replay of many sessions, a session to a worker: what comes of them is in order, and the same as of one process."""

from __future__ import annotations

import argparse
import os
import sys
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field, fields, replace
from heapq import merge
from itertools import chain
from typing import Generic, TypeVar

from compass.engines.choosing import PROCESSES, here, opened
from compass.engines.engine import Engine
from compass.engines.entry import Entry, without_keys
from compass.replay.sessions import Loader, Replay, ReplayedSession
from compass.replay.stage import Judged, ReplayPlan, Tally
from evaluator.errors import CompassError
from hooks.moments import Passed
from hooks.recorded import file_behind

T = TypeVar("T")
Advance = Callable[[int], None]
"""Told how many bytes of transcripts were done."""

LEAST_BYTES = 512 * 1024
"""Fewer are judged here before another process has started."""
AHEAD = 4
"""Sessions under way for each process, of which some are long; what came of those behind waits in memory."""


@dataclass(slots=True)
class ReplayTotals:
    """What is told of all sessions together, complete once their rows were gone through."""

    tally: Tally = field(default_factory=Tally)
    passed: Passed = field(default_factory=Passed)

    def add(self, found: ReplayedSession[T]) -> None:
        for total, one in ((self.tally, found.tally), (self.passed, found.passed)):
            for name in (each.name for each in fields(one)):
                setattr(total, name, getattr(total, name) + getattr(one, name))


@dataclass(frozen=True, slots=True)
class SessionWorker(Generic[T]):
    """Makes what judges a session. `row` is a function with a name, or a partial of one."""

    plan: ReplayPlan
    row: Callable[[Judged], T | None]

    def __call__(self) -> Callable[[str, frozenset[int]], ReplayedSession[T]]:
        replay = Replay(self.plan)

        def judge(path: str, before: frozenset[int]) -> ReplayedSession[T]:
            """Raises CompassError where another machine has not the files of this one."""
            if not os.path.exists(file_behind(path)):
                raise CompassError(f"{path}: a worker finds no such file")
            return replay.session(path, self.row, before)

        return judge


def rows_of(
    args: argparse.Namespace,
    plan: ReplayPlan,
    paths: Sequence[str],
    row: Callable[[Judged], T | None],
    totals: ReplayTotals,
    advance: Advance,
) -> Iterator[T]:
    """By rules on the engine that `args` name. Hosted readers are asked by this process alone, which holds their rates
    and what they may take of the day. Raises CompassError, naming a session whose workers were killed."""
    told: set[str] = set()
    few = args.engine == PROCESSES and sum(map(size_of, paths)) < LEAST_BYTES
    sessions = _here(plan, paths, row) if plan.asks or few or here(args) else _away(args, plan, paths, row)
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


def _here(plan: ReplayPlan, paths: Sequence[str], row: Callable[[Judged], T | None]) -> Sessions[T]:
    replay, seen = Replay(plan), Seen()
    for path in paths:
        found = None
        if _is_due(plan, path):
            found = replay.session(path, row, seen)
            seen.update(found.places)
        yield path, found


def _away(
    args: argparse.Namespace, plan: ReplayPlan, paths: Sequence[str], row: Callable[[Judged], T | None]
) -> Sessions[T]:
    """A session that repeats a call of an earlier one is judged again, without it: that is seldom, and none has to wait
    for those before it."""
    env = without_keys(plan.env)
    judge = Entry(SessionWorker(replace(plan, env=env, load=Loader(env)), row))
    seen = Seen()
    with opened(args) as engine:
        for path, given in _ahead(engine, judge, plan, paths):
            found = _result(path, given) if given is not None else None
            if found is not None:
                before = frozenset(place for place in found.places if place in seen)
                if before:
                    found = _result(path, engine.submit(judge, path, before))
                seen.update(found.places)
            yield path, found


def _ahead(
    engine: Engine, judge: Entry[ReplayedSession[T]], plan: ReplayPlan, paths: Sequence[str]
) -> Iterator[tuple[str, Future[ReplayedSession[T]] | None]]:
    waiting: deque[tuple[str, Future[ReplayedSession[T]] | None]] = deque()
    for path in chain(paths, [None] * AHEAD * engine.jobs):
        if path is not None:
            there = _is_due(plan, path)
            waiting.append((path, engine.submit(judge, path, frozenset[int]()) if there else None))
        if waiting and (path is None or len(waiting) > AHEAD * engine.jobs):
            yield waiting.popleft()
    yield from waiting


def _result(path: str, given: Future[ReplayedSession[T]]) -> ReplayedSession[T]:
    try:
        return given.result()
    except BrokenExecutor as error:
        raise CompassError(f"{path}: a process that judged it ended: {error}") from error


def _is_due(plan: ReplayPlan, path: str) -> bool:
    """Whether it was touched since."""
    try:
        return os.stat(file_behind(path)).st_mtime >= plan.since
    except OSError:
        return plan.since <= 0.0


def size_of(path: str) -> int:
    try:
        return os.stat(file_behind(path)).st_size
    except OSError:
        return 0


class Seen:
    """Which calls were met: a set of numbers that takes eight bytes for each.

    Sorted runs, each more than twice as long as the next: adding is cheap, and few runs are looked through."""

    def __init__(self) -> None:
        self._runs: list[array[int]] = []

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and any(_has(run, place) for run in self._runs)

    def update(self, places: Iterable[int]) -> None:
        added = array("Q", sorted(set(places)))
        while self._runs and len(self._runs[-1]) <= 2 * len(added):
            added = array("Q", merge(self._runs.pop(), added))
        if added:
            self._runs.append(added)


def _has(run: array[int], place: int) -> bool:
    at = bisect_left(run, place)
    return at < len(run) and run[at] == place
