"""Cases through the gate's own steps: resolved, sanitized, read and judged as a hook's call would be; and the journal
of how they came out.

The symbolic layer is measured beside, not in front: what it would let through is read too. Cooldown, coverage and
budgets belong to a session and are left out. What is finished is kept as JSON lines, each whole or not there, and a run
stops where going on makes no sense. A process that is killed leaves at most one torn line, which counts as not judged.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import threading
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import cast

from pydantic import TypeAdapter

from calibration.cases.case import LabelledCase
from evaluator.exchange.menu import find_menu
from evaluator.files import PRIVATE_FILE, lock_file, private_folder
from evaluator.gate import evaluation
from evaluator.gate.run import Parts, Run, drive
from evaluator.verdict.convergence import score_of

WAIT_SECONDS = 0.2
AGE_SECONDS_MAX = 3 * 24 * 3600.0
"""What is older was measured of readers that may have moved since."""


@dataclass(frozen=True, slots=True)
class SymbolicView:
    """What the skip layer alone would do with a case, and whether a skip was due if the case is clear."""

    skipped: bool
    eligible: bool


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """How one check of a case came out. `scores` are of the valid readers, empty where too few answered (`error`);
    `agreement` is that of their readings. `symbolic` is None where nobody asked."""

    scores: tuple[float, ...] = ()
    mean: float = 0.0
    stddev: float = 0.0
    agreement: float | None = None
    error: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    symbolic: SymbolicView | None = None

    @property
    def was_read(self) -> bool:
        return bool(self.scores)


OUTCOME: TypeAdapter[CaseOutcome] = TypeAdapter(CaseOutcome)


class BusyError(RuntimeError):
    """Another process measures with this journal."""


class Journal:
    """Outcomes by key. `keep` appends one line at once; `finish` deletes the file. Safe among threads."""

    def __init__(self, path: str, now: Callable[[], float]) -> None:
        self._path = path
        self._now = now
        self._lock = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, PRIVATE_FILE)
        self._outcomes: dict[str, CaseOutcome] = {}
        end = 0
        with open(self._path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    os.ftruncate(self._file, end)
                    break
                # A line that says nothing usable is a case that is judged again.
                with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
                    entry = cast(Mapping[str, object], json.loads(line))
                    outcome, at = OUTCOME.validate_python(entry), float(cast(float, entry["at"]))
                    if outcome.was_read and self._now() - at <= AGE_SECONDS_MAX:
                        self._outcomes[str(entry["key"])] = outcome
                end += len(line)

    def __contains__(self, key: object) -> bool:
        return key in self._outcomes

    def outcome(self, key: str) -> CaseOutcome:
        """The kept outcome of a check, by its key. Raises KeyError for one that is not in the journal."""
        return self._outcomes[key]

    def keep(self, key: str, case_id: str, repeat: int, outcome: CaseOutcome) -> None:
        """Appends a check's outcome to the journal, from which a run can go on. Raises OSError."""
        entry = {"key": key, "id": case_id, "repeat": repeat, "at": self._now(), **asdict(outcome)}
        line = json.dumps(entry).encode() + b"\n"
        with self._lock:
            if os.write(self._file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._path)
            self._outcomes[key] = outcome

    def finish(self) -> None:
        """Deletes the journal's file; call it once the result was written."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)

    def close(self) -> None:
        os.close(self._file)


@contextlib.contextmanager
def journal(path: str, now: Callable[[], float]) -> Generator[Journal]:
    """The journal at `path`, for this process alone. Raises BusyError, OSError."""
    private_folder(os.path.dirname(path), repair=False)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(lock_file(f"{path}.lock", WAIT_SECONDS))
        except TimeoutError:
            raise BusyError(
                "`compass calibrate` is already running for this project; wait for it to finish, or stop it"
            ) from None
        opened = Journal(path, now)
        try:
            yield opened
        finally:
            opened.close()


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
    run = Run(parts, case.pending)
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
    """The checks of a measurement. Repeats go round the cases: an interrupted run then has whole rounds. Reads are
    asked of nobody. `by_case`: each case in order with the keys of its checks; a read has none."""

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
    """Judges what `kept` does not have yet, and returns the outcomes that it refuses, with their errors, by key. Raises
    StoppedError where readers keep failing: so many in a row as are under way, and some more."""
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
