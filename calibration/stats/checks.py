"""Measured checks as columns: what the gate would do with them, how well their score tells ambiguous from clear, and
cuts on the mean that keep false blocks under a target with a guarantee.

An ambiguous case is the positive one and should score low: AUC is the chance that an ambiguous check scores below a
clear one, ties half (Mann and Whitney 1947).

Cuts by learn, then test: Angelopoulos, Bates, Candes, Jordan and Lei 2021, by fixed-sequence testing. Along a sequence
of cuts that is fixed beforehand, from blocking nothing to ever stricter, each "the false-block rate is above the
target" is tested by an exact binomial p-value at delta; the last cut rejected before the first that is not is
recommended. With probability 1 - delta over the calibration set its true rate is at or under the target, for the
population that the units were drawn from, and for nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from calibration.stats.estimates import (
    LEVEL,
    Bools,
    Estimate,
    Floats,
    Ints,
    Names,
    TooLittle,
    binomial_at_most,
    codes,
    floats,
    rate_of_units,
    student_quantile,
)
from evaluator.model import StakesClass, Thresholds
from evaluator.verdict.convergence import TOLERANCE

DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Measured:
    """One check of a labelled case: the scores of its valid readers, in [0, 1], in the order they were asked. `unit` is
    what is independent of the others: the pair or the session. Repeats share `case` and `unit`, which are names, or all
    of them numbers in the order of the names. `agreement` is that of their readings: 1 where fewer than two gave any,
    for they do not disagree on one."""

    case: str | int
    unit: str | int
    ambiguous: bool
    scores: tuple[float, ...]
    agreement: float = 1.0
    irreversible: bool = False

    @property
    def mean(self) -> float:
        return fmean(self.scores)

    @property
    def stddev(self) -> float:
        return pstdev(self.scores)


@dataclass(frozen=True, slots=True)
class CheckColumns:
    """Checks as columns of one length; units and cases are codes from 0. Means, deviations and agreements are rounded
    to `DIGITS`, so that equal ones are ties whatever the readers' order."""

    mean: Floats
    stddev: Floats
    ambiguous: Bools
    unit: Ints
    case: Ints
    agreement: Floats
    irreversible: Bools

    def __len__(self) -> int:
        return len(self.mean)

    def only(self, ambiguous: bool) -> CheckColumns:
        """The measured checks of one label alone, with their units and cases numbered anew."""
        return self._select_check_columns(self.ambiguous == ambiguous)

    def at_stake(self, stakes: StakesClass) -> CheckColumns:
        """The measured checks of calls of those stakes, with units and cases numbered anew."""
        return self._select_check_columns(self.irreversible == (stakes == "irreversible"))

    def _select_check_columns(self, keep: Bools) -> CheckColumns:
        count = int(keep.sum())
        return CheckColumns(
            self.mean[keep], self.stddev[keep], self.ambiguous[keep], codes(self.unit[keep], count),
            codes(self.case[keep], count), self.agreement[keep], self.irreversible[keep],
        )  # fmt: skip

    @property
    def units(self) -> int:
        return len(np.unique(self.unit))


def columns(checks: Sequence[Measured]) -> CheckColumns:
    """Measured checks as columns."""
    return CheckColumns(
        _rounded_check_values(check.mean for check in checks),
        _rounded_check_values(check.stddev for check in checks),
        np.array([check.ambiguous for check in checks], dtype=np.bool_),
        codes([check.unit for check in checks], len(checks)),
        codes([check.case for check in checks], len(checks)),
        _rounded_check_values(check.agreement for check in checks),
        np.array([check.irreversible for check in checks], dtype=np.bool_),
    )


def _rounded_check_values(values: Iterable[float]) -> Floats:
    return np.array([round(value, DIGITS) for value in values], dtype=np.float64)


def columns_of(
    scores: Floats, ambiguous: Bools, unit: Ints, case: Ints, agreement: Floats | None = None
) -> CheckColumns:
    """From scores of shape (checks, readers); NaN for a reader that is not valid, at least one a check being so.
    Without `agreement` it is 1."""
    return CheckColumns(
        np.nanmean(scores, axis=1).round(DIGITS),
        np.nanstd(scores, axis=1).round(DIGITS),
        ambiguous,
        codes(unit, len(scores)),
        codes(case, len(scores)),
        np.ones(len(scores)) if agreement is None else agreement.round(DIGITS),
        np.zeros(len(scores), dtype=np.bool_),
    )


def blocked(checks: CheckColumns, thresholds: Thresholds) -> Bools:
    """What the gate would block at `thresholds`, for its agreement too where they set one."""
    low = checks.mean < thresholds.confidence - TOLERANCE
    found: Bools = low | (checks.stddev > thresholds.deviation + TOLERANCE)
    if thresholds.agreement is not None:
        found |= checks.agreement < thresholds.agreement - TOLERANCE
    return found


def rates_at(
    checks: CheckColumns, thresholds: Thresholds
) -> tuple[Estimate | TooLittle, Estimate | TooLittle]:
    """(false blocks, detection) of the gate at `thresholds`; every unit counts once."""
    false_blocks, detection = (
        rate_of_units(blocked(one, thresholds).astype(np.float64), one.unit)
        for one in (checks.only(False), checks.only(True))
    )
    return false_blocks, detection


CHANCE_UNITS: Final = 0.5
"""Keeps the interval open at perfect separation, and its end towards chance far enough where few units err."""


def auc_interval(scores: ArrayLike, ambiguous: Bools, units: Names) -> Estimate | TooLittle:
    """AUC with a 95 % interval, one score a check, `units` naming the pair or session of each. Variance: DeLong, DeLong
    and Clarke-Pearson 1988, summed over clusters as in Obuchowski 1997, so that a unit may hold both classes and
    repeats. The interval is Student's t on the logit scale, from the lowest to the highest end of two: one as it is,
    one as if half a unit more had been seen that ranks at chance (`CHANCE_UNITS`). The second alone ends short of the
    truth near 1, where what it adds pulls the centre down: 81 to 94 % at a true 0.99 to 0.999, and 97 % with both.
    Needs two units of each class."""
    column = floats(scores)
    of = codes(units, len(column))
    if len(ambiguous) != len(column):
        raise ValueError(f"{len(column)} scores, but {len(ambiguous)} labels")
    ones, others = len(np.unique(of[ambiguous])), len(np.unique(of[~ambiguous]))
    if min(ones, others) < 2:
        return TooLittle("ambiguous units" if ones < others else "clear units", min(ones, others), 2)
    low, high = column[ambiguous], column[~ambiguous]
    below, above = _share_of_checks_above(low, high), 1 - _share_of_checks_above(high, low)
    value = float(below.mean())
    total = int(of.max()) + 1
    first = np.bincount(of[ambiguous], weights=below - value, minlength=total) / len(low)
    second = np.bincount(of[~ambiguous], weights=above - value, minlength=total) / len(high)
    variance = float(
        ones / (ones - 1) * (first**2).sum()
        + others / (others - 1) * (second**2).sum()
        + 2 * total / (total - 1) * (first * second).sum()
    )
    quantile = student_quantile(LEVEL, min(ones, others) - 1)
    chance = CHANCE_UNITS / (min(ones, others) + CHANCE_UNITS)
    plain = _logit_interval(value, math.sqrt(max(variance, 0.0)), quantile)
    shrunk = _logit_interval(
        (1 - chance) * value + chance / 2,
        math.sqrt((1 - chance) ** 2 * max(variance, 0.0) + chance**2 * (value - 0.5) ** 2 / CHANCE_UNITS),
        quantile,
    )
    return Estimate(value, min(plain[0], shrunk[0]), max(plain[1], shrunk[1]), len(column), total)


def _logit_interval(centre: float, error: float, quantile: float) -> tuple[float, float]:
    if not 0 < centre < 1:
        return centre, centre
    step = quantile * error / (centre * (1 - centre))
    logit = math.log(centre / (1 - centre))
    return _logistic(logit - step), _logistic(logit + step)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _share_of_checks_above(ones: Floats, others: Floats) -> Floats:
    """For each of `ones` the share of `others` above it, ties half."""
    ordered = np.sort(others)
    left, right = np.searchsorted(ordered, ones), np.searchsorted(ordered, ones, side="right")
    return 1 - (left + right) / (2 * len(others))


DELTA: Final = 0.05
"""The chance at which the true rate may lie over the target."""
SEQUENCE: Final = tuple(Thresholds(step / 100, 1.0) for step in range(101))
"""The cuts in testing order, fixed before any data; each blocks all that the one before it blocks."""
NOTHING: Final = SEQUENCE[0]
"""What blocks nothing."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Thresholds for one target. `false_blocks` of `units` drawn verdicts were blocked at them. `blocks_nothing` says
    that nothing stricter than letting everything through could be certified."""

    target: float
    thresholds: Thresholds
    units: int
    false_blocks: int
    blocks_nothing: bool


def minimum_units(target: float) -> int:
    """The fewest clear units with which no false block at all certifies anything: 29, 59, 149."""
    return math.ceil(math.log(DELTA) / math.log1p(-target))


def one_of_each(units: Ints, generator: np.random.Generator) -> Ints:
    """The place of one observation of each unit, drawn evenly, so that what is tested is independent."""
    order = np.lexsort((generator.random(len(units)), units))
    return order[np.unique(units[order], return_index=True)[1]].astype(np.int64)


def learn(
    checks: CheckColumns, target: float, generator: np.random.Generator, *, agreement: float | None = None
) -> Recommendation | TooLittle:
    """The strictest certified cut, from one drawn verdict a clear unit; ambiguous checks play no part. Where several
    clear cases or repeats share a unit, one check is drawn, the same for all cuts. `agreement` is the threshold that
    the gate holds readings to beside any cut: its blocks are tested with each."""
    clear = checks.only(False)
    needed = minimum_units(target)
    if clear.units < needed:
        return TooLittle("clear units", clear.units, needed)
    drawn = one_of_each(clear.unit, generator)
    best, hits = NOTHING, 0
    for cut in (Thresholds(one.confidence, one.deviation, agreement) for one in SEQUENCE):
        found = int(blocked(clear, cut)[drawn].sum())
        if binomial_at_most(found, len(drawn), target) > DELTA:
            break
        best, hits = cut, found
    return Recommendation(
        target=target,
        thresholds=best,
        units=len(drawn),
        false_blocks=hits,
        blocks_nothing=best.agreement is None and best.confidence <= 0,
    )
