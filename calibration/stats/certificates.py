"""Two certificates along the score T: false blocks at most alpha, misses at most beta.

Learn then test (Angelopoulos, Bates, Candes, Jordan and Lei 2021) by fixed-sequence testing, once for each side. Block
cuts are tried from one that blocks nothing upwards on clear units, pass cuts from one that passes nothing downwards on
ambiguous ones; each "the error rate is above the aim" is tested by an exact binomial p-value, and the last cut that is
rejected before the first that is not is taken. Errors only grow along a sequence, so the last cut is an order statistic
of T rounded to the step of the sequence. Each side has half of delta; a side whose units cannot suffice is left out
beforehand, and the other has it all. With probability 1 - delta over the calibration set both true rates are at or
under their aims, for the population that the units were drawn from.

A block cut is set from clear units alone and a pass cut from ambiguous ones: what either does to the other class is
measured on cases that it was not fitted on, unless the cuts crossed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.stats.estimate import Bools, Floats, TooLittle
from calibration.stats.intervals import upper_bound
from calibration.stats.looks import LookColumns, Procedure
from calibration.stats.special import binomial_at_most
from calibration.stats.thresholds import DELTA, minimum_units, one_of_each
from evaluator.model import NO_BLOCK, NO_PASS, Cuts, Score
from evaluator.verdict.convergence import TOLERANCE

STEP: Final = 0.001
"""Between neighbouring cuts of a sequence."""
MISSES: Final = 0.10


@dataclass(frozen=True, slots=True)
class Aims:
    """False blocks at most `alpha`, misses at most `beta`, and the chance `delta` that either is not kept."""

    alpha: float
    beta: float = MISSES
    delta: float = DELTA


@dataclass(frozen=True, slots=True)
class Reach:
    """What so many units can certify at all, before anything is measured: the delta of each side, 0 for none.

    `needed_clear` and `needed_ambiguous` would do for both sides, `needed_alone` clear ones for false blocks alone.
    """

    clear: int
    ambiguous: int
    needed_clear: int
    needed_ambiguous: int
    needed_alone: int
    block_delta: float
    pass_delta: float


@dataclass(frozen=True, slots=True)
class CertifiedSide:
    """One side. `errors` of `units` drawn verdicts are wrong at `cut`; with confidence 1 - `delta` the true rate is at
    most `aim`, and under `upper`. `cut` is None where none could be certified."""

    aim: float
    delta: float
    cut: float | None
    units: int
    errors: int
    upper: float


@dataclass(frozen=True, slots=True)
class CertifiedSides:
    """Both sides of one population. `crossed`: the two cuts had crossed, and both moved to their midpoint."""

    block: CertifiedSide | TooLittle
    passing: CertifiedSide | TooLittle
    crossed: bool = False

    @property
    def blocks(self) -> bool:
        return _cut(self.block) is not None

    @property
    def cuts(self) -> Cuts:
        low, high = _cut(self.block), _cut(self.passing)
        return Cuts(
            NO_BLOCK if low is None else low,
            NO_PASS if high is None else high,
            _aim(self.block),
            _aim(self.passing),
        )


def reach(clear: int, ambiguous: int, aims: Aims) -> Reach:
    """Numbers of units alone decide how delta is shared, never a score. Without a certificate of false blocks there
    is none of misses: cuts that may block anyone are not written."""
    half = aims.delta / 2
    needed_clear, needed_ambiguous = minimum_units(aims.alpha, half), minimum_units(aims.beta, half)
    alone = minimum_units(aims.alpha, aims.delta)
    both = clear >= needed_clear and ambiguous >= needed_ambiguous
    return Reach(
        clear,
        ambiguous,
        needed_clear,
        needed_ambiguous,
        alone,
        half if both else aims.delta if clear >= alone else 0.0,
        half if both else 0.0,
    )


def most_errors(units: int, aim: float, delta: float) -> int:
    """The most errors of `units` with which "above `aim`" is still rejected at `delta`; -1 if not even none."""
    found = -1
    while found + 1 < units and binomial_at_most(found + 1, units, aim) <= delta:
        found += 1
    return found


def block_cuts(drawn: Floats, most: int) -> Floats:
    """The last cut of which at most `most` of the units' T, along the last axis, lie below."""
    at = np.sort(drawn, axis=-1)[..., most]
    return np.round(np.floor((at + TOLERANCE) / STEP) * STEP, 6)


def pass_cuts(drawn: Floats, most: int) -> Floats:
    """The last cut that at most `most` of the units' T, along the last axis, reach."""
    at = np.sort(drawn, axis=-1)[..., -1 - most]
    return np.round((np.floor((at + TOLERANCE) / STEP) + 1) * STEP, 6)


def meeting(block: Floats, passing: Floats) -> tuple[Floats, Floats]:
    """Cuts that crossed, both at their midpoint: a block cut that falls and a pass cut that rises stay certified."""
    middle = np.round(np.floor((block + passing) / 2 / STEP + TOLERANCE) * STEP, 6)
    crossed = block > passing
    return np.where(crossed, middle, block), np.where(crossed, middle, passing)


def certify(
    table: LookColumns, score: Score, aims: Aims, procedure: Procedure, generator: np.random.Generator
) -> CertifiedSides:
    """Both sides for `procedure`, from one drawn verdict a unit of either class."""
    clear, ambiguous = table.of(~table.ambiguous), table.of(table.ambiguous)
    reached = reach(_units(clear), _units(ambiguous), aims)
    if not reached.block_delta:
        return CertifiedSides(
            TooLittle("clear units", reached.clear, reached.needed_alone), _too_little(reached)
        )
    low = clear.lowest(procedure)[one_of_each(clear.unit, generator)]
    cut = float(block_cuts(low, most_errors(len(low), aims.alpha, reached.block_delta)))
    # Below the least T that there can be, a cut blocks nothing.
    least = -score.deviation_weight * max(0.0, 0.5 - score.deviation_free)
    block = None if cut <= least + TOLERANCE else cut
    passing: float | None = None
    high = np.zeros(0)
    if reached.pass_delta:
        high = ambiguous.highest(procedure)[one_of_each(ambiguous.unit, generator)]
        cut = float(pass_cuts(high, most_errors(len(high), aims.beta, reached.pass_delta)))
        passing = None if cut > 1.0 + score.agreement_weight + TOLERANCE else cut
    crossed = block is not None and passing is not None and block > passing
    if block is not None and passing is not None and crossed:
        block, passing = (float(one) for one in meeting(np.array(block), np.array(passing)))
    blocked = low < (-math.inf if block is None else block - TOLERANCE)
    passed = high >= (math.inf if passing is None else passing - TOLERANCE)
    return CertifiedSides(
        _certificate(blocked, block, aims.alpha, reached.block_delta),
        _certificate(passed, passing, aims.beta, reached.pass_delta)
        if reached.pass_delta
        else _too_little(reached),
        crossed,
    )


def _too_little(reached: Reach) -> TooLittle:
    """What is missing for the second certificate."""
    if reached.ambiguous < reached.needed_ambiguous:
        return TooLittle("ambiguous units", reached.ambiguous, reached.needed_ambiguous)
    return TooLittle("clear units", reached.clear, reached.needed_clear)


def _certificate(wrong: Bools, cut: float | None, aim: float, delta: float) -> CertifiedSide:
    errors = int(wrong.sum())
    return CertifiedSide(aim, delta, cut, len(wrong), errors, upper_bound(errors, len(wrong), delta))


def _cut(side: CertifiedSide | TooLittle) -> float | None:
    return side.cut if isinstance(side, CertifiedSide) else None


def _aim(side: CertifiedSide | TooLittle) -> float:
    return side.aim if isinstance(side, CertifiedSide) and side.cut is not None else 1.0


def _units(table: LookColumns) -> int:
    return len(np.unique(table.unit))
