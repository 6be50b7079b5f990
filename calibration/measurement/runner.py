"""Cases through the gate's own steps: resolved, sanitized, read and judged as a hook's call would be.

The symbolic layer is measured beside, not in front: what it would let through is read too. Cooldown, coverage and
budgets belong to a session and are left out. What is finished is kept, and a run stops where going on makes no sense.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import islice

from calibration.cases.case import LabelledCase
from calibration.measurement.journal import CaseOutcome, Journal, SymbolicView
from evaluator.exchange.menu import find_menu
from evaluator.gate import evaluation
from evaluator.gate.run import Parts, Run, drive
from evaluator.verdict.convergence import score_of

ANSWER_WORDS_MAX = 6


def prepare(parts: Parts, case: LabelledCase) -> Run:
    """A case's run up to the readers: all steps before them, so nothing leaves the machine."""
    return _prepare_case_run(parts, case)[0]


def judged(parts: Parts, case: LabelledCase) -> CaseOutcome:
    """Asks the readers about a case, and the symbolic layer beside them."""
    run, skipped = _prepare_case_run(parts, case)
    return replace(read(run), symbolic=SymbolicView(skipped, _is_skippable_case_run(case)))


def _prepare_case_run(parts: Parts, case: LabelledCase) -> tuple[Run, bool]:
    run = _begin_case_run(parts, case)
    skipped = evaluation.reply_to_question(run) is not None
    evaluation.sanitize(run)
    return run, skipped


def symbolic(parts: Parts, case: LabelledCase) -> SymbolicView:
    skipped = evaluation.reply_to_question(_begin_case_run(parts, case)) is not None
    return SymbolicView(skipped, _is_skippable_case_run(case))


def read(run: Run) -> CaseOutcome:
    """Asks the readers about a prepared case; their failures are an outcome with an error."""
    check = drive(evaluation.read(run), run.parts.clock)
    samples, found = check.samples, check.convergence
    if found is None:
        causes = dict.fromkeys([*(sample.error or "" for sample in samples), *check.notes])
        outcome = CaseOutcome(error="; ".join(filter(None, causes))[:400] or check.reason)
    else:
        scores = tuple(score_of(sample) for sample in samples if sample.valid)
        outcome = CaseOutcome(scores, found.mean, found.stddev, found.agreement)
    costs = [sample.cost_usd for sample in samples if sample.valid]
    return replace(
        outcome,
        calls=len(samples),
        input_tokens=sum(sample.input_tokens for sample in samples),
        output_tokens=sum(sample.output_tokens for sample in samples),
        usd=None if None in costs else sum(cost or 0.0 for cost in costs),
    )


def _begin_case_run(parts: Parts, case: LabelledCase) -> Run:
    clock = parts.clock
    run = Run(parts, case.pending, started=clock.monotonic(), at=clock.now())
    run.effects = case.effects
    run.exchange = run.said = case.exchange
    run.turn = parts.store.turn(case.pending.session_id, None)
    return run


def _is_skippable_case_run(case: LabelledCase) -> bool:
    """Whether the layer should let the case through if it is clear: the prior turn ends in a question with options, and
    a few words answer it."""
    request = case.exchange.request
    if case.effects.operation_class == "destructive" or len(request) != 1:
        return False
    short = len(request[0].split()) <= ANSWER_WORDS_MAX and not request[0].rstrip().endswith("?")
    return short and find_menu(case.exchange.prior_assistant_turn) is not None


KEY_CHARS = 24


def key_of(case: LabelledCase, repeat: int, measured: str) -> str:
    """The key under which a check's outcome is kept: `KEY_CHARS` hexadecimal digits. `measured` tells what the readers
    are, and the settings they read by."""
    said = json.dumps([case.id, case.digest, repeat, measured])
    return hashlib.sha256(said.encode()).hexdigest()[:KEY_CHARS]


FAILURES_IN_A_ROW = 5


class StoppedError(RuntimeError):
    """The measurement cannot go on; what was judged is kept."""


@dataclass(frozen=True, slots=True)
class Job:
    """One check to make; `key` tells what it is kept under."""

    case: LabelledCase
    repeat: int
    key: str


class Jobs:
    """The checks of a measurement. Repeats go round the cases: an interrupted run then has whole rounds.

    Reads are asked of nobody. `by_case`: each case in order with the keys of its checks; a read has none.
    """

    def __init__(self, cases: Sequence[LabelledCase], repeats: int, measured: str) -> None:
        self.by_case: list[tuple[LabelledCase, tuple[str, ...]]] = []
        for case in cases:
            # Reads are never gated, so no reader is asked about one.
            times = repeats if case.effects.verdict != "read_only" else 0
            self.by_case.append((case, tuple(key_of(case, repeat, measured) for repeat in range(times))))
        asked = [(case, keys) for case, keys in self.by_case if keys]
        self.cases = len(asked)
        self._jobs = [Job(case, repeat, keys[repeat]) for repeat in range(repeats) for case, keys in asked]

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(self._jobs)

    def left(self, kept: Container[str]) -> list[Job]:
        return [job for job in self._jobs if job.key not in kept]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One case with all its checks; `asked` False for a read, about which no reader is asked."""

    case: LabelledCase
    outcomes: tuple[CaseOutcome, ...]
    asked: bool
    symbolic: SymbolicView


Tick = Callable[[int], None]
"""Told how many checks are done, those kept from an earlier run among them."""
SpendGuard = Callable[[CaseOutcome | None], None]
"""Called before a check with None, where it may raise StoppedError, and after one, in any thread, with its outcome."""
Judge = Callable[[LabelledCase], CaseOutcome]
"""Asks the readers about one case."""
Judging = Callable[[Sequence[Job]], Iterable[tuple[Job, CaseOutcome]]]
"""Judges all of them, in any order, and keeps what was read as soon as it is."""


def in_turn(judge: Callable[[Iterable[LabelledCase]], Iterable[CaseOutcome]], kept: Journal) -> Judging:
    """Judges cases one after another. `judge` says of each case, in order, how it came out."""

    def judging(jobs: Sequence[Job]) -> Iterator[tuple[Job, CaseOutcome]]:
        for job, outcome in zip(jobs, judge(job.case for job in jobs), strict=True):
            if outcome.was_read:
                kept.keep(job.key, job.case.id, job.repeat, outcome)
            yield job, outcome

    return judging


def in_threads(judge: Judge, kept: Journal, guard: SpendGuard, at_once: int) -> Judging:
    """Judges cases, at most `at_once` at a time. What is under way at the end is waited for: it is paid for."""

    def one(job: Job) -> tuple[Job, CaseOutcome]:
        outcome = judge(job.case)
        if outcome.was_read:
            kept.keep(job.key, job.case.id, job.repeat, outcome)
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
    judging: Judging, jobs: Jobs, kept: Journal, *, tick: Tick, at_once: int = 1
) -> Mapping[str, CaseOutcome]:
    """Judges what `kept` does not have yet, and returns the outcomes that it refuses, with their errors, by key.

    Raises StoppedError where readers keep failing: so many in a row as are under way, and some more.
    """
    left = jobs.left(kept)
    done, row = len(jobs) - len(left), 0
    failed: dict[str, CaseOutcome] = {}
    for job, outcome in judging(left):
        if outcome.was_read:
            done, row = done + 1, 0
            tick(done)
            continue
        failed[job.key] = outcome
        row += 1
        if row >= FAILURES_IN_A_ROW + at_once:
            raise StoppedError(f"the readers are not answering: {outcome.error}")
    return failed


def measurements(
    parts: Parts, jobs: Jobs, kept: Journal, failed: Mapping[str, CaseOutcome]
) -> Iterator[Measurement]:
    """Each case with all its checks, in the order of the cases, whatever the order in which they were judged."""
    for case, keys in jobs.by_case:
        outcomes = (kept.outcome(key) if key in kept else failed.get(key) for key in keys)
        found = tuple(outcome for outcome in outcomes if outcome is not None)
        known = found[0].symbolic if found else None
        yield Measurement(case, found, bool(keys), known or symbolic(parts, case))
