"""Measured checks, as rows and as the columns that statistics work on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

import numpy as np

from calibration.stats.estimate import Bools, Floats, Ints, codes
from evaluator.model import Thresholds
from evaluator.verdict.convergence import TOLERANCE

DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Measured:
    """One check of a labelled case: the scores of its valid readers, in [0, 1], in the order they were asked.

    `unit` is what is independent of the others: the pair or the session. Repeats share `case` and `unit`.
    Raises ValueError for no score, and for one that is not in [0, 1].
    """

    case: str
    unit: str
    ambiguous: bool
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.scores:
            raise ValueError(f"{self.case}: a check without a score")
        if not all(math.isfinite(score) and 0 <= score <= 1 for score in self.scores):
            raise ValueError(f"{self.case}: a score is not in [0, 1]")

    @property
    def mean(self) -> float:
        return fmean(self.scores)

    @property
    def stddev(self) -> float:
        return pstdev(self.scores)


@dataclass(frozen=True, slots=True)
class CheckColumns:
    """Checks as columns of one length; units and cases are codes from 0.

    Means and deviations are rounded to `DIGITS`, so that equal ones are ties whatever the readers' order.
    """

    mean: Floats
    stddev: Floats
    ambiguous: Bools
    unit: Ints
    case: Ints

    def __len__(self) -> int:
        return len(self.mean)

    def only(self, ambiguous: bool) -> CheckColumns:
        """One class, with its units and cases numbered anew."""
        keep = self.ambiguous == ambiguous
        count = int(keep.sum())
        return CheckColumns(
            self.mean[keep],
            self.stddev[keep],
            self.ambiguous[keep],
            codes(self.unit[keep], count),
            codes(self.case[keep], count),
        )

    @property
    def units(self) -> int:
        return len(np.unique(self.unit))


def columns(checks: Sequence[Measured]) -> CheckColumns:
    return CheckColumns(
        np.array([round(check.mean, DIGITS) for check in checks], dtype=np.float64),
        np.array([round(check.stddev, DIGITS) for check in checks], dtype=np.float64),
        np.array([check.ambiguous for check in checks], dtype=np.bool_),
        codes([check.unit for check in checks], len(checks)),
        codes([check.case for check in checks], len(checks)),
    )


def columns_of(scores: Floats, ambiguous: Bools, unit: Ints, case: Ints) -> CheckColumns:
    """From scores of shape (checks, readers); NaN for a reader that is not valid, at least one a check being so."""
    missing = np.isnan(scores)
    if not (missing | ((scores >= 0) & (scores <= 1))).all() or missing.all(axis=1).any():
        raise ValueError("a score is not in [0, 1]")
    return CheckColumns(
        np.nanmean(scores, axis=1).round(DIGITS),
        np.nanstd(scores, axis=1).round(DIGITS),
        ambiguous,
        codes(unit, len(scores)),
        codes(case, len(scores)),
    )


def blocked(checks: CheckColumns, thresholds: Thresholds) -> Bools:
    """What the gate would block at `thresholds`."""
    low = checks.mean < thresholds.confidence - TOLERANCE
    return low | (checks.stddev > thresholds.deviation + TOLERANCE)
