"""Judges cases, keeps what is finished, and stops where going on makes no sense. No statistics."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from calibration.cases.labelled import LabelledCase
from calibration.measurement.journal import key_of
from calibration.measurement.judging import CaseOutcome, SymbolicView, is_write, judged, symbolic
from evaluator.gate.run import Parts

ROUNDS = 3
"""How often a check with too few answers is tried again, after all others."""
FAILURES_IN_A_ROW = 5


class StoppedError(RuntimeError):
    """The measurement cannot go on; what was judged is kept."""


class Keeper(Protocol):
    """What is judged so far, by key."""

    def __contains__(self, key: object) -> bool: ...
    def outcome(self, key: str) -> CaseOutcome:
        """Raises KeyError for what is not kept."""
        ...

    def keep(self, key: str, case: LabelledCase, repeat: int, outcome: CaseOutcome) -> None: ...


@dataclass(frozen=True, slots=True)
class Job:
    """One check to make; `key` tells what it is kept under."""

    case: LabelledCase
    repeat: int
    key: str


class Jobs:
    """The checks of a measurement. Repeats go round the cases: an interrupted run then has whole rounds.

    Reads are asked of nobody.
    """

    def __init__(self, cases: Sequence[LabelledCase], repeats: int, measured: str) -> None:
        self._cases = cases
        self._measured = measured
        self.repeats = repeats
        asked = [case for case in cases if is_write(case)]
        self.cases = len(asked)
        self._jobs = [
            Job(case, repeat, key_of(case, repeat, measured)) for repeat in range(repeats) for case in asked
        ]

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def left(self, kept: Container[str]) -> list[Job]:
        return [job for job in self._jobs if job.key not in kept]

    def by_case(self) -> Iterator[tuple[LabelledCase, tuple[str, ...]]]:
        """Each case in order with the keys of its checks; a read has none."""
        for case in self._cases:
            repeats = range(self.repeats if is_write(case) else 0)
            yield case, tuple(key_of(case, repeat, self._measured) for repeat in repeats)


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
Judge = Callable[[LabelledCase], CaseOutcome]
"""Asks the readers about one case."""
Judging = Callable[[Sequence[Job]], Iterable[tuple[Job, CaseOutcome]]]
"""Judges all of them, in any order, and keeps what was read as soon as it is."""


def judge_by(parts: Parts) -> Judge:
    """In this process; any number of threads may call it."""

    def judge(case: LabelledCase) -> CaseOutcome:
        return judged(parts, case)

    return judge


def in_turn(judge: Callable[[Iterable[LabelledCase]], Iterable[CaseOutcome]], kept: Keeper) -> Judging:
    """`judge` says of each case, in order, how it came out."""

    def judging(jobs: Sequence[Job]) -> Iterator[tuple[Job, CaseOutcome]]:
        for job, outcome in zip(jobs, judge(job.case for job in jobs), strict=True):
            if outcome.was_read:
                kept.keep(job.key, job.case, job.repeat, outcome)
            yield job, outcome

    return judging


def in_threads(judge: Judge, kept: Keeper, guard: SpendGuard, at_once: int) -> Judging:
    """At most `at_once` are under way. What is when the run ends is waited for and kept: it has been paid for."""

    def one(job: Job) -> tuple[Job, CaseOutcome]:
        outcome = judge(job.case)
        if outcome.was_read:
            kept.keep(job.key, job.case, job.repeat, outcome)
        guard(outcome)
        return job, outcome

    def judging(jobs: Sequence[Job]) -> Iterator[tuple[Job, CaseOutcome]]:
        left, running = iter(jobs), set[Future[tuple[Job, CaseOutcome]]]()
        with ThreadPoolExecutor(at_once, thread_name_prefix="calibrate") as pool:
            while True:
                for job in islice(left, at_once - len(running)):
                    guard(None)
                    running.add(pool.submit(one, job))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)

    return judging


def run(
    judging: Judging, jobs: Jobs, kept: Keeper, *, tick: Tick, at_once: int = 1
) -> Mapping[str, CaseOutcome]:
    """Judges what `kept` does not have yet, and returns the outcomes that it refuses, with their errors, by key.

    Raises StoppedError where readers keep failing: so many in a row as are under way, and some more.
    """
    left = jobs.left(kept)
    before = done = len(jobs) - len(left)
    failed: dict[str, CaseOutcome] = {}
    for _ in range(ROUNDS):
        failed, row = {}, 0
        for job, outcome in judging(left):
            if outcome.was_read:
                done += 1
                row = 0
                tick(done, before)
            else:
                failed[job.key] = outcome
                row += 1
            if row >= FAILURES_IN_A_ROW + at_once:
                raise StoppedError(f"the readers do not answer: {outcome.error}")
        left = [job for job in left if job.key in failed]
        if not left:
            break
    return failed


def measurements(
    parts: Parts, jobs: Jobs, kept: Keeper, failed: Mapping[str, CaseOutcome]
) -> Iterator[Measurement]:
    """In the order of the cases, whatever the order in which they were judged."""
    for case, keys in jobs.by_case():
        outcomes = (kept.outcome(key) if key in kept else failed.get(key) for key in keys)
        found = tuple(outcome for outcome in outcomes if outcome is not None)
        known = found[0].symbolic if found else None
        view = symbolic(parts, case) if known is None else SymbolicView(*known)
        yield Measurement(case, found, bool(keys), view)
