"""How well one score tells ambiguous from clear: ROC, AUC, and an interval that respects pairs and repeats.

An ambiguous case is the positive one and should score low: AUC is the chance that an ambiguous check scores
below a clear one, ties half (Mann and Whitney 1947).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from calibration.stats.estimate import LEVEL, Bools, Estimate, Floats, Names, TooLittle, codes, floats
from calibration.stats.special import student_quantile

CHANCE_UNITS: Final = 0.5
"""Keeps the interval open at perfect separation, and its end towards chance far enough where few units err."""


@dataclass(frozen=True, slots=True)
class RocPoint:
    """What blocking every score below `threshold` does to clear and to ambiguous checks."""

    threshold: float
    false_block_rate: float
    detection_rate: float


def auc(ambiguous: ArrayLike, clear: ArrayLike) -> float | None:
    """The area under the ROC curve; None without both classes."""
    low, high = floats(ambiguous), floats(clear)
    if not len(low) or not len(high):
        return None
    return float(_share_above(low, high).mean())


def roc(ambiguous: ArrayLike, clear: ArrayLike) -> tuple[RocPoint, ...]:
    """From (0, 0) to (1, 1), a point for each distinct score; empty without both classes."""
    low, high = np.sort(floats(ambiguous)), np.sort(floats(clear))
    if not len(low) or not len(high):
        return ()
    thresholds = np.append(np.unique(np.concatenate((low, high))), np.inf)
    false = np.searchsorted(high, thresholds) / len(high)
    found = np.searchsorted(low, thresholds) / len(low)
    return tuple(map(RocPoint, thresholds.tolist(), false.tolist(), found.tolist()))


def auc_interval(scores: ArrayLike, ambiguous: Bools, units: Names) -> Estimate | TooLittle:
    """AUC with a 95 % interval, one score a check, `units` naming the pair or session of each.

    Variance: DeLong, DeLong and Clarke-Pearson 1988, summed over clusters as in Obuchowski 1997, so that
    a unit may hold both classes and repeats. The interval is Student's t on the logit scale, from the lowest to
    the highest end of two: one as it is, one as if half a unit more had been seen that ranks at chance
    (`CHANCE_UNITS`). The second alone ends short of the truth near 1, where what it adds pulls the centre
    down: 81 to 94 % at a true 0.99 to 0.999, and 97 % with both. Needs two units of each class.
    """
    column = floats(scores)
    of = codes(units, len(column))
    if len(ambiguous) != len(column):
        raise ValueError(f"{len(column)} scores, but {len(ambiguous)} labels")
    ones, others = len(np.unique(of[ambiguous])), len(np.unique(of[~ambiguous]))
    if min(ones, others) < 2:
        return TooLittle("ambiguous units" if ones < others else "clear units", min(ones, others), 2)
    low, high = column[ambiguous], column[~ambiguous]
    below, above = _share_above(low, high), 1 - _share_above(high, low)
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


def _share_above(ones: Floats, others: Floats) -> Floats:
    """For each of `ones` the share of `others` above it, ties half."""
    ordered = np.sort(others)
    left, right = np.searchsorted(ordered, ones), np.searchsorted(ordered, ones, side="right")
    return 1 - (left + right) / (2 * len(others))
