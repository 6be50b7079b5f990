"""Rules on every core: processes that each build the bench anew and judge the cases that they are handed.

Started afresh and not forked: the parent has threads, and a copy of them would be none. Each ends with the process that
started it, however that ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from calibration.cases.labelled import LabelledCase
from evaluator.record import Record

if TYPE_CHECKING:
    from calibration.measurement.judging import CaseOutcome

LEAST_CHECKS = 400
"""Fewer are judged here before another process has started."""
TOGETHER = 8
"""Cases that are handed to a process together: one by one, handing over takes a tenth of the time."""
AT_ONCE = 2 * TOGETHER
"""Cases under way for each process, so that none waits for the parent."""


class Worker(Record):
    """What a process needs to build the same bench. `measured` is that of the parent's, which it must come to."""

    env: Mapping[str, str]
    project_dir: str
    cwd: str
    backend: str
    measured: str


def cores() -> int:
    """Those that this process may use."""
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def workers(count: int, worker: Worker) -> Generator[Executor]:
    pool = ProcessPoolExecutor(
        count, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(worker,)
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def judge(case: LabelledCase) -> CaseOutcome:
    """Picklable by name, `_begin` has made what it calls."""
    return _judges[-1](case)


_judges: list[Callable[[LabelledCase], CaseOutcome]] = []


def _begin(worker: Worker) -> None:
    """Raises RuntimeError where the settings are others by now, which ends the pool."""
    # The parent hears of an interrupt too, and ends this process once its case is kept.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from calibration.measurement.runner import judge_by
    from compass.joining.packages import enable
    from compass.joining.surroundings import home_of, load_for
    from compass.measure.parts import bench

    enable()
    env = dict(worker.env)
    loaded = load_for(env, worker.project_dir, worker.cwd)
    at = bench(env, home_of(env), worker.project_dir, loaded, worker.backend)
    if at.measured != worker.measured:
        raise RuntimeError("the settings changed since the measurement began")
    _judges.append(judge_by(at.parts))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
