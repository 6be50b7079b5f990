"""Expected calibration error: does a mean of 0.7 mean that 70 % of such checks are clear?

It depends on the mix of classes, so it describes the measured set and no other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from calibration.stats.bootstrap import DRAWS, drawn
from calibration.stats.estimate import LEVEL, Bools, Estimate, Floats, Ints, Names, TooLittle, codes, floats
from calibration.stats.special import student_quantile

BINS: Final = 10
LEAST_UNITS: Final = 10
UNSEEN_UNITS: Final = 0.5
"""How many units may err that were not seen yet. A draw of the low end turns so many round, on average: where nearly
all checks are clear, resampling alone calls calibrated readers miscalibrated (in up to half of all runs). The high end
is as if so many more erred as much as can be: resampling alone lies under the truth in up to a third."""

BIAS: Final = 0.5
"""The share of the value's bootstrap bias that is taken off its high end: bins that all err to one side have none, and
all of it left 8 % of intervals under the truth there."""


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a reliability diagram: mean confidence and share of clear checks of `n` checks."""

    low: float
    high: float
    confidence: float
    clear_share: float
    n: int


def reliability(confidence: ArrayLike, clear: Bools, bins: int = BINS) -> tuple[Bin, ...]:
    """Bins of equal mass (Nguyen and O'Connor 2015): cut at quantiles; equal values share a bin."""
    column = floats(confidence)
    if not len(column):
        return ()
    which = _bins(column, bins)
    return tuple(
        Bin(
            float(column[which == number].min()),
            float(column[which == number].max()),
            float(column[which == number].mean()),
            float(clear[which == number].mean()),
            int((which == number).sum()),
        )
        for number in range(int(which.max()) + 1)
    )


def calibration_error(
    confidence: ArrayLike,
    clear: Bools,
    units: Names,
    generator: np.random.Generator,
    bins: int = BINS,
    draws: int = DRAWS,
    unseen: float = UNSEEN_UNITS,
) -> Estimate | TooLittle:
    """ECE over bins of equal mass: the mean over checks of |confidence - clear share| of their bins.

    The value errs upwards, most of all where the truth is near 0 (Kumar, Liang and Ma 2019), which also
    breaks percentile and BCa intervals. So the ends are found apart, both from a bootstrap over units with
    the bins held fixed: the low one is the value less the 97.5 % quantile of the summed absolute noise of
    the bins (the triangle inequality), with `unseen` units on average whose labels are turned round; the high one
    is t-based around the value less half its bootstrap bias, as if `unseen` units more were all wrong. Needs 10
    units. Draws are taken in blocks.
    """
    column = floats(confidence)
    of = codes(units, len(column))
    total = int(of.max()) + 1 if len(of) else 0
    if total < LEAST_UNITS:
        return TooLittle("units", total, LEAST_UNITS)
    which = _bins(column, bins)
    gaps = np.zeros((total, int(which.max()) + 1))
    turned = np.zeros_like(gaps, dtype=np.float32)
    np.add.at(gaps, (of, which), column - clear)
    np.add.at(turned, (of, which), 2.0 * clear - 1)
    sizes = np.bincount(of).astype(np.float64)

    here = gaps.sum(axis=0) / sizes.sum()
    value = float(np.abs(here).sum())
    found: list[Floats] = []
    for weights in drawn(total, generator, draws):
        shares = (weights @ sizes)[:, None]
        there = (weights @ gaps) / shares
        turns = np.repeat(np.arange(len(weights)), generator.poisson(unseen, len(weights)))
        other = np.zeros_like(there)
        np.add.at(other, turns, turned[generator.integers(total, size=len(turns))])
        found.append(np.stack([np.abs(there), np.abs(there + other / shares - here)]).sum(axis=2))
    values, noises = np.concatenate(found, axis=1)
    noise = float(np.quantile(noises, 1 - LEVEL / 2))
    high = _high(value - BIAS * max(float(values.mean()) - value, 0.0), float(values.var()), total, unseen)
    return Estimate(value, max(value - noise, 0.0), min(max(high, value), 1.0), len(column), total)


def _high(unbiased: float, variance: float, units: int, unseen: float) -> float:
    """The end of Student's t interval as if `unseen` units more had been seen, whose gaps are 1 (as `bounded_mean`)."""
    total = units + unseen
    moved = (units * unbiased + unseen) / total
    more = unseen * (1 - moved) ** 2 / (total * (total - 1))
    return moved + student_quantile(LEVEL, units - 1) * math.sqrt(variance + more)


def _bins(column: Floats, bins: int) -> Ints:
    """The bin of each value, numbered without gaps."""
    edges = np.unique(np.quantile(column, np.arange(1, bins) / bins))
    return codes(np.searchsorted(edges, column, side="right").astype(np.int64), len(column))
