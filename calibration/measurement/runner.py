"""Judges cases side by side, keeps what is finished, and stops where going on makes no sense. No statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol

from calibration.cases.labelled import LabelledCase
from calibration.measurement.journal import key_of
from calibration.measurement.judging import CaseOutcome, SymbolicView, is_write, prepare, read, symbolic
from evaluator.gate.run import Parts

ROUNDS = 3
"""How often a check with too few answers is tried again, after all others."""
FAILURES_IN_A_ROW = 5


class StoppedError(RuntimeError):
    """The measurement cannot go on; what was judged is kept."""


class Keeper(Protocol):
    found: dict[str, CaseOutcome]

    def keep(self, key: str, case: LabelledCase, repeat: int, outcome: CaseOutcome) -> None: ...


@dataclass(frozen=True, slots=True)
class Job:
    case: LabelledCase
    repeat: int
    key: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """One case with all its checks; `asked` False for a read, about which no reader is asked."""

    case: LabelledCase
    outcomes: tuple[CaseOutcome, ...]
    asked: bool
    symbolic: SymbolicView


Tick = Callable[[int, int], None]
"""(checks that are done, those kept from an earlier run among them)"""
SpendGuard = Callable[[CaseOutcome | None], None]
"""Called before a check with None, where it may raise StoppedError, and after one, in any thread, with its outcome."""


def jobs_of(cases: Sequence[LabelledCase], repeats: int, measured: str) -> tuple[Job, ...]:
    """Repeats go round the cases: an interrupted run then has whole rounds."""
    return tuple(
        Job(case, repeat, key_of(case, repeat, measured))
        for repeat in range(repeats)
        for case in cases
        if is_write(case)
    )


def run(
    parts: Parts,
    jobs: Sequence[Job],
    journal: Keeper,
    *,
    concurrency: int,
    tick: Tick,
    guard: SpendGuard,
) -> dict[str, CaseOutcome]:
    """Outcomes by key, failed ones with their error. Raises StoppedError where readers keep failing."""
    found = {job.key: journal.found[job.key] for job in jobs if job.key in journal.found}
    kept = len(found)
    failed: dict[str, CaseOutcome] = {}

    def judged(job: Job) -> CaseOutcome:
        """Kept at once: what is under way when the run ends is not asked for again."""
        outcome = read(prepare(parts, job.case))
        if outcome.was_read:
            journal.keep(job.key, job.case, job.repeat, outcome)
        guard(outcome)
        return outcome

    for _ in range(ROUNDS):
        left = [job for job in jobs if job.key not in found]
        failed.clear()
        row = 0
        for job, outcome in _side_by_side(judged, left, concurrency, guard):
            if outcome.was_read:
                found[job.key] = outcome
                row = 0
                tick(len(found), kept)
            else:
                failed[job.key] = outcome
                row += 1
            if row >= FAILURES_IN_A_ROW + concurrency:
                raise StoppedError(f"the readers do not answer: {outcome.error}")
        if not failed:
            break
    return {**failed, **found}


def _side_by_side(
    judged: Callable[[Job], CaseOutcome], jobs: Iterable[Job], concurrency: int, guard: SpendGuard
) -> Iterable[tuple[Job, CaseOutcome]]:
    """As they finish; at most `concurrency` are under way. One at a time runs in this thread."""
    if concurrency == 1:
        for job in jobs:
            guard(None)
            yield job, judged(job)
        return
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="calibrate")
    running: dict[Future[CaseOutcome], Job] = {}
    try:
        for job in jobs:
            guard(None)
            running[pool.submit(judged, job)] = job
            if len(running) >= concurrency:
                yield from _finished(running)
        while running:
            yield from _finished(running)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _finished(running: dict[Future[CaseOutcome], Job]) -> list[tuple[Job, CaseOutcome]]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    return [(running.pop(future), future.result()) for future in done]


def measurements(
    parts: Parts, cases: Sequence[LabelledCase], jobs: Sequence[Job], found: dict[str, CaseOutcome]
) -> tuple[Measurement, ...]:
    """In the order of the cases, whatever the order in which they were judged."""
    by_case: dict[str, list[CaseOutcome]] = {}
    for job in jobs:
        if job.key in found:
            by_case.setdefault(job.case.id, []).append(found[job.key])
    return tuple(
        Measurement(case, tuple(by_case.get(case.id, ())), is_write(case), symbolic(parts, case))
        for case in cases
    )
