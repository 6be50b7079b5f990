"""One case through the gate's own steps: resolved, sanitized, read and judged as a hook's call would be.

The symbolic layer is measured beside, not in front: what it would let through is read too. Cooldown, coverage and
budgets belong to a session and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from calibration.cases.labelled import LabelledCase
from evaluator.exchange.menu import find_menu
from evaluator.gate import judging
from evaluator.gate.run import Parts, Run, drive
from evaluator.model import Sample
from evaluator.verdict.convergence import score_of
from evaluator.verdict.readings import named_paths, slots

ANSWER_WORDS_MAX = 6


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """How one check of a case came out. `scores` are of the valid readers, empty where too few answered (`error`).

    `readings` has one code for each of `scores`: equal codes, from 0 in the order asked, for readings that are equal to
    the gate; -1 for a reader that gave none. `symbolic` has the fields of the case's `SymbolicView`, None where nobody
    asked.
    """

    scores: tuple[float, ...] = ()
    readings: tuple[int, ...] = ()
    mean: float = 0.0
    stddev: float = 0.0
    agreement: float | None = None
    held: bool = False
    concern: str = ""
    rationale: str = ""
    error: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    symbolic: tuple[bool, bool] | None = None

    @property
    def was_read(self) -> bool:
        return bool(self.scores)

    def as_json(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}


def outcome_of_json(found: Mapping[str, object]) -> CaseOutcome:
    """Raises TypeError, KeyError or ValueError for what `CaseOutcome.as_json` did not write."""
    scores = tuple(float(cast(float, score)) for score in cast(list[object], found["scores"]))
    readings = tuple(int(cast(int, code)) for code in cast(list[object], found["readings"]))
    if len(readings) != len(scores):
        raise ValueError(f"{len(scores)} scores, but {len(readings)} readings")
    view = cast(list[object] | None, found.get("symbolic"))
    given: dict[str, Any] = {
        name: found[name]
        for name in CaseOutcome.__slots__
        if name not in ("scores", "readings", "held", "symbolic")
    }
    return CaseOutcome(
        scores,
        readings,
        held=found.get("held") is True,
        symbolic=None if view is None else (view[0] is True, view[1] is True),
        **given,
    )


@dataclass(frozen=True, slots=True)
class SymbolicView:
    """What the skip layer alone would do with a case, and whether a skip was due if the case is clear."""

    skipped: bool
    eligible: bool


def is_write(case: LabelledCase) -> bool:
    """Reads are never gated, so no reader is asked about one."""
    return case.effects.verdict != "read_only"


def prepare(parts: Parts, case: LabelledCase) -> Run:
    """All steps before the readers; nothing leaves the machine."""
    return _prepared(parts, case)[0]


def judged(parts: Parts, case: LabelledCase) -> CaseOutcome:
    """Asks the readers, and the symbolic layer beside them."""
    run, skipped = _prepared(parts, case)
    return replace(read(run), symbolic=(skipped, _eligible(case)))


def _prepared(parts: Parts, case: LabelledCase) -> tuple[Run, bool]:
    run = _begun(parts, case)
    skipped = judging.reply_to_question(run) is not None
    judging.sanitize(run)
    return run, skipped


def symbolic(parts: Parts, case: LabelledCase) -> SymbolicView:
    return SymbolicView(judging.reply_to_question(_begun(parts, case)) is not None, _eligible(case))


def read(run: Run) -> CaseOutcome:
    """Asks the readers; their failures are an outcome with an error."""
    check = drive(judging.read(run), run.parts.clock)
    samples = check.samples
    if check.convergence is None:
        causes = dict.fromkeys([*(sample.error or "" for sample in samples), *check.notes])
        cause = "; ".join(cause for cause in causes if cause)[:400]
        return _with_spending(CaseOutcome(error=cause or check.reason), samples)
    outcome = CaseOutcome(
        scores=tuple(score_of(sample) for sample in samples if sample.valid),
        readings=_readings(run, samples),
        mean=check.convergence.mean,
        stddev=check.convergence.stddev,
        agreement=check.convergence.agreement,
        held=check.convergence.held,
        concern=check.convergence.primary_concern,
        rationale=check.convergence.rationale,
    )
    return _with_spending(outcome, samples)


def _readings(run: Run, samples: Sequence[Sample]) -> tuple[int, ...]:
    paths = named_paths(run.known_exchange)
    found: dict[tuple[str, str, str], int] = {}
    read = (sample.reading for sample in samples if sample.valid)
    return tuple(
        -1 if one is None else found.setdefault(slots(one, run.pending.project_dir, paths), len(found))
        for one in read
    )


def _begun(parts: Parts, case: LabelledCase) -> Run:
    clock = parts.clock
    run = Run(parts, case.pending, started=clock.monotonic(), at=clock.now())
    run.effects = case.effects
    run.exchange = run.said = case.exchange
    run.turn = parts.store.turn(case.pending.session_id, None)
    return run


def _eligible(case: LabelledCase) -> bool:
    """Whether the layer should let the case through if it is clear, unless the row itself says so: the prior turn
    ends in a question with options, and a few words answer it."""
    if case.eligible is not None:
        return case.eligible
    request = case.exchange.request
    if case.effects.operation_class == "destructive" or len(request) != 1:
        return False
    short = len(request[0].split()) <= ANSWER_WORDS_MAX and not request[0].rstrip().endswith("?")
    return short and find_menu(case.exchange.prior_assistant_turn) is not None


def _with_spending(outcome: CaseOutcome, samples: tuple[Sample, ...]) -> CaseOutcome:
    costs = [sample.cost_usd for sample in samples if sample.valid]
    return replace(
        outcome,
        calls=len(samples),
        input_tokens=sum(sample.input_tokens for sample in samples),
        output_tokens=sum(sample.output_tokens for sample in samples),
        usd=None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs),
    )
