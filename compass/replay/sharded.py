"""A replay of many sessions, a session to a worker: what comes of them is in order, and the same as of one process."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Generic, TypeVar

from compass.engines import mapped, stays_here, without_keys
from compass.replay.sessions import Loader, Replay, ReplayedSession
from compass.replay.stage import Judged, ReplayPlan, Tally
from evaluator.errors import CompassError
from hooks.sessions import Passed, file_behind

T = TypeVar("T")
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


@dataclass(frozen=True, slots=True)
class SessionWorker(Generic[T]):
    """Makes what judges a session. `row` is a function with a name, or a partial of one."""

    plan: ReplayPlan
    row: Callable[[Judged], T | None]

    def __call__(self) -> Callable[[str], ReplayedSession[T]]:
        replay = Replay(self.plan)

        def judge(path: str) -> ReplayedSession[T]:
            """Raises CompassError where another machine has not the files of this one."""
            if not os.path.exists(file_behind(path)):
                raise CompassError(f"{path}: a worker finds no such file")
            return replay.session(path, self.row)

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
    and what they may take of the day. Raises CompassError where a worker was killed."""
    told: set[str] = set()
    little = sum(map(size_of, paths)) < LEAST_BYTES
    alone = plan.asks or stays_here(args, little=little)
    sessions = _here(plan, paths, row) if alone else _away(args, plan, paths, row)
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
    replay, seen = Replay(plan), set[int]()
    for path in paths:
        found = None
        if _is_due(plan, path):
            found = replay.session(path, row, seen)
            seen.update(found.places)
        yield path, found


def _away(
    args: argparse.Namespace, plan: ReplayPlan, paths: Sequence[str], row: Callable[[Judged], T | None]
) -> Sessions[T]:
    """A session that repeats a call of an earlier one is judged again, here, without it: that is seldom, and none has
    to wait for those before it."""
    env = without_keys(plan.env)
    worker = SessionWorker(replace(plan, env=env, load=Loader(env)), row)
    due = [path for path in paths if _is_due(plan, path)]
    found, again, seen = mapped(args, worker, due), Replay(worker.plan), set[int]()
    for path in paths:
        if path not in due:
            yield path, None
            continue
        one = next(found)
        if not seen.isdisjoint(one.places):
            one = again.session(path, row, seen)
        seen.update(one.places)
        yield path, one


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


@contextmanager
def progress_over(paths: list[str], doing: str, *, quiet: bool) -> Generator[Advance]:
    """On a terminal's stderr only."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(doing, total=sum(map(size_of, paths)) or 1)
        yield lambda size: progress.advance(task, size)


def since_of(text: str) -> float:
    """A date or a time, ISO 8601; local where it names no zone. Seconds since the epoch."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"not a date: {text!r} (as 2026-11-21, or 2026-11-21T14:00)"
        ) from None
