"""Judges cases side by side, keeps what is finished, and stops where going on makes no sense. No statistics."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from queue import SimpleQueue
from typing import Protocol

from calibration.cases.labelled import LabelledCase
from calibration.measurement.journal import KEY_BYTES, key_of
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
    """One check to make: the `number`th, of which `key` tells what it is kept under."""

    number: int
    case: LabelledCase
    repeat: int
    key: str


class Jobs:
    """The checks of a measurement. Repeats go round the cases: an interrupted run then has whole rounds.

    Reads are asked of nobody. Holds twelve bytes a check, for there may be many.
    """

    def __init__(self, cases: Sequence[LabelledCase], repeats: int, measured: str) -> None:
        self._cases = cases
        self.repeats = repeats
        self._asked = array("Q")
        by_repeat = [bytearray() for _ in range(repeats)]
        for place, case in enumerate(cases):
            if is_write(case):
                self._asked.append(place)
                for repeat, keys in enumerate(by_repeat):
                    keys.extend(bytes.fromhex(key_of(case, repeat, measured)))
        self._keys = b"".join(by_repeat)

    @property
    def cases(self) -> int:
        """How many are asked about."""
        return len(self._asked)

    def __len__(self) -> int:
        return len(self._asked) * self.repeats

    def __iter__(self) -> Iterator[Job]:
        return (self._job(number) for number in range(len(self)))

    def left(self, kept: Container[str]) -> Iterator[Job]:
        """Those that `kept` does not have when their turn comes."""
        return (self._job(number) for number in range(len(self)) if self._key(number) not in kept)

    def done(self, kept: Container[str]) -> int:
        return sum(self._key(number) in kept for number in range(len(self)))

    def by_case(self) -> Iterator[tuple[LabelledCase, tuple[str, ...]]]:
        """Each case in order with the keys of its checks; a read has none."""
        first = 0
        for place, case in enumerate(self._cases):
            numbers = range(0)
            if first < len(self._asked) and self._asked[first] == place:
                numbers = range(first, len(self), len(self._asked))
                first += 1
            yield case, tuple(self._key(number) for number in numbers)

    def _job(self, number: int) -> Job:
        repeat, turn = divmod(number, len(self._asked))
        return Job(number, self._cases[self._asked[turn]], repeat, self._key(number))

    def _key(self, number: int) -> str:
        return self._keys[KEY_BYTES * number : KEY_BYTES * (number + 1)].hex()


@dataclass(frozen=True, slots=True)
class Measurement:
    """One case with all its checks; `asked` False for a read, about which no reader is asked."""

    case: LabelledCase
    outcomes: tuple[CaseOutcome, ...]
    asked: bool
    symbolic: SymbolicView


@lru_cache(maxsize=4)
def _view_once(skipped: bool, eligible: bool) -> SymbolicView:
    return SymbolicView(skipped, eligible)


Tick = Callable[[int, int], None]
"""(checks that are done, those kept from an earlier run among them)"""
SpendGuard = Callable[[CaseOutcome | None], None]
"""Called before a check with None, where it may raise StoppedError, and after one, in any thread, with its outcome."""
Judge = Callable[[LabelledCase], CaseOutcome]
"""Asks the readers about one case. For an executor of processes it must be picklable."""


def judge_by(parts: Parts) -> Judge:
    """In this process; any number of threads may call it."""

    def judge(case: LabelledCase) -> CaseOutcome:
        return judged(parts, case)

    return judge


def run(
    judge: Judge,
    jobs: Jobs,
    kept: Keeper,
    *,
    tick: Tick,
    guard: SpendGuard,
    executor: Executor | None = None,
    at_once: int = 1,
    together: int = 1,
) -> Mapping[str, CaseOutcome]:
    """Judges what `kept` does not have yet, and returns the outcomes that it refuses, with their errors, by key.

    Without an `executor` one at a time, here; else at most `at_once` are under way, so many `together` in one call of
    it. Which executor, and in what order it ends, changes nothing of what is kept. The caller closes it. Raises
    StoppedError where readers keep failing.
    """
    before = done = jobs.done(kept)
    failed: dict[str, CaseOutcome] = {}

    def ended(job: Job, outcome: CaseOutcome) -> CaseOutcome:
        """Kept at once: what is under way when the run ends is not asked for again."""
        if outcome.was_read:
            kept.keep(job.key, job.case, job.repeat, outcome)
        guard(outcome)
        return outcome

    for _ in range(ROUNDS):
        left = jobs.left(kept)
        failed.clear()
        row = 0
        for job, outcome in (
            _in_turn(judge, left, guard, ended)
            if executor is None
            else _side_by_side(executor, judge, left, (at_once, together), guard, ended)
        ):
            if outcome.was_read:
                done += 1
                row = 0
                tick(done, before)
            else:
                failed[job.key] = outcome
                row += 1
            if row >= FAILURES_IN_A_ROW + at_once:
                raise StoppedError(f"the readers do not answer: {outcome.error}")
        if not failed:
            break
    return failed


Ended = Callable[[Job, CaseOutcome], CaseOutcome]


def _in_turn(
    judge: Judge, jobs: Iterable[Job], guard: SpendGuard, ended: Ended
) -> Iterator[tuple[Job, CaseOutcome]]:
    for job in jobs:
        guard(None)
        yield job, ended(job, judge(job.case))


def _side_by_side(
    executor: Executor,
    judge: Judge,
    jobs: Iterator[Job],
    sizes: tuple[int, int],
    guard: SpendGuard,
    ended: Ended,
) -> Iterator[tuple[Job, CaseOutcome]]:
    """As they finish, in any order. `sizes`: how many are under way, and how many are handed over together."""
    at_once, together = sizes
    finished: SimpleQueue[tuple[Batch, list[CaseOutcome] | BaseException]] = SimpleQueue()

    def submit(batch: Batch) -> Future[list[CaseOutcome]]:
        def keep(future: Future[list[CaseOutcome]]) -> None:
            """In whatever thread ends it: the one that waits may have been interrupted."""
            if future.cancelled():
                return
            try:
                outcomes = future.result()
                finished.put((batch, [ended(*one) for one in zip(batch, outcomes, strict=True)]))
            except BaseException as fault:  # noqa: BLE001 - raised again by the thread that waits
                finished.put((batch, fault))

        future = executor.submit(_each, judge, [job.case for job in batch])
        future.add_done_callback(keep)
        return future

    running: dict[int, Future[list[CaseOutcome]]] = {}

    def some() -> Iterator[tuple[Job, CaseOutcome]]:
        batch, found = finished.get()
        running.pop(batch[0].number)
        if isinstance(found, BrokenExecutor):
            named = f"{batch[0].case.id} to {batch[-1].case.id}"
            raise StoppedError(f"a process that judged cases {named} ended: {found}") from found
        if isinstance(found, BaseException):
            raise found
        return zip(batch, found, strict=True)

    try:
        while batch := _batch(jobs, together, guard):
            running[batch[0].number] = submit(batch)
            if len(running) * together >= at_once:
                yield from some()
        while running:
            yield from some()
    except BrokenExecutor as error:
        raise StoppedError(f"a process that judged ended: {error}") from error
    finally:
        # Each of the others is heard of, so that all of them are kept before the journal closes.
        for _ in range(sum(not future.cancel() for future in running.values())):
            finished.get()


Batch = Sequence[Job]


def _batch(jobs: Iterator[Job], together: int, guard: SpendGuard) -> Batch:
    batch: list[Job] = []
    for job in islice(jobs, together):
        guard(None)
        batch.append(job)
    return batch


def _each(judge: Judge, cases: Sequence[LabelledCase]) -> list[CaseOutcome]:
    """Picklable where `judge` is."""
    return [judge(case) for case in cases]


def measurements(
    parts: Parts, jobs: Jobs, kept: Keeper, failed: Mapping[str, CaseOutcome]
) -> Iterator[Measurement]:
    """In the order of the cases, whatever the order in which they were judged."""
    for case, keys in jobs.by_case():
        outcomes = (kept.outcome(key) if key in kept else failed.get(key) for key in keys)
        found = tuple(outcome for outcome in outcomes if outcome is not None)
        known = found[0].symbolic if found else None
        view = symbolic(parts, case) if known is None else _view_once(*known)
        yield Measurement(case, found, bool(keys), view)
