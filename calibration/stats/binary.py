"""The gate as a yes-or-no decision: rates at given thresholds and by pairs;
and the two errors of the symbolic skip layer, which decides without a reader."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.stats.checks import CheckColumns, blocked
from calibration.stats.estimate import Estimate, TooLittle
from calibration.stats.intervals import rate_of_units
from evaluator.model import Thresholds


@dataclass(frozen=True, slots=True)
class Rates:
    """What the gate does to each class at `thresholds`; every unit counts once."""

    thresholds: Thresholds
    false_blocks: Estimate | TooLittle
    detection: Estimate | TooLittle
    balanced_accuracy: Estimate | TooLittle


def rates_at(checks: CheckColumns, thresholds: Thresholds) -> Rates:
    clear, ambiguous = checks.only(False), checks.only(True)
    false_blocks = rate_of_units(blocked(clear, thresholds).astype(np.float64), clear.unit)
    detection = rate_of_units(blocked(ambiguous, thresholds).astype(np.float64), ambiguous.unit)
    return Rates(thresholds, false_blocks, detection, balanced(false_blocks, detection))


def balanced(false_blocks: Estimate | TooLittle, detection: Estimate | TooLittle) -> Estimate | TooLittle:
    """The mean of the share of clear let through and of ambiguous blocked.

    Interval: the two are joined by MOVER (Zou and Donner 2008), which stays open at 0 and 1.
    """
    if isinstance(false_blocks, TooLittle):
        return false_blocks
    if isinstance(detection, TooLittle):
        return detection
    value = (1 - false_blocks.value + detection.value) / 2
    down = math.hypot(false_blocks.high - false_blocks.value, detection.value - detection.low) / 2
    up = math.hypot(false_blocks.value - false_blocks.low, detection.high - detection.value) / 2
    units = false_blocks.units + detection.units
    return Estimate(value, max(value - down, 0.0), min(value + up, 1.0), false_blocks.n + detection.n, units)


def within_pairs(checks: CheckColumns) -> Estimate | TooLittle:
    """The chance that the ambiguous check of a pair has the lower mean, ties half; `n` counts comparisons.

    Within a pair all its checks are compared; over pairs each counts once.
    """
    wins: list[float] = []
    compared = 0
    for unit in np.unique(checks.unit).tolist():
        here = checks.unit == unit
        low, high = checks.mean[here & checks.ambiguous], checks.mean[here & ~checks.ambiguous]
        if len(low) and len(high):
            gaps = high[None, :] - low[:, None]
            wins.append(float((gaps > 0).mean() + 0.5 * (gaps == 0).mean()))
            compared += gaps.size
    found = rate_of_units(np.array(wins, dtype=np.float64), np.arange(len(wins), dtype=np.int64))
    if isinstance(found, TooLittle):
        return TooLittle("pairs with both classes", 0, 1)
    return Estimate(found.value, found.low, found.high, compared, found.units)


@dataclass(frozen=True, slots=True)
class SkipCase:
    """One labelled case. `eligible` says that the skip rules should let it through if it is clear."""

    unit: str | int
    ambiguous: bool
    eligible: bool
    skipped: bool


@dataclass(frozen=True, slots=True)
class SkipErrors:
    """`wrong`: ambiguous cases that were skipped. `missed`: eligible clear cases that were not."""

    wrong: Estimate | TooLittle
    missed: Estimate | TooLittle


def skip_errors(cases: Sequence[SkipCase]) -> SkipErrors:
    """Both rates over units, with Clopper-Pearson intervals."""
    ambiguous = [case for case in cases if case.ambiguous]
    clear = [case for case in cases if case.eligible and not case.ambiguous]
    return SkipErrors(
        wrong=rate_of_units([float(case.skipped) for case in ambiguous], [case.unit for case in ambiguous]),
        missed=rate_of_units([float(not case.skipped) for case in clear], [case.unit for case in clear]),
    )
