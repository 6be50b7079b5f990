"""Measured checks, as rows and as the columns that statistics work on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, pstdev
from typing import Final

import numpy as np

from calibration.stats.estimate import Bools, Floats, Ints, codes
from evaluator.model import StakesClass, Thresholds
from evaluator.verdict.convergence import TOLERANCE
from evaluator.verdict.readings import agreement

DIGITS: Final = 12
BLOCK_ROWS: Final = 1024
NO_READING: Final = -1
"""The code of a valid reader who stated no reading."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One check of a labelled case: the scores of its valid readers, in [0, 1], in the order they were asked.

    `unit` is what is independent of the others: the pair or the session. Repeats share `case` and `unit`,
    which are names, or all of them numbers in the order of the names.
    `readings` are cluster codes beside the scores: readers of one code share a reading, `NO_READING` gave none;
    empty where none did. Raises ValueError for no score, for one that is not in [0, 1], and for readings that are not
    as many.
    """

    case: str | int
    unit: str | int
    ambiguous: bool
    scores: tuple[float, ...]
    readings: tuple[int, ...] = ()
    irreversible: bool = False

    def __post_init__(self) -> None:
        if self.readings and len(self.readings) != len(self.scores):
            raise ValueError(f"{self.case}: {len(self.readings)} readings of {len(self.scores)} scores")
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

    @property
    def agreement(self) -> float:
        """1 where fewer than two readers gave a reading: they do not disagree on any."""
        return _agreement(self.readings)


@lru_cache(maxsize=4096)
def _agreement(readings: tuple[int, ...]) -> float:
    sizes = Counter(code for code in readings if code != NO_READING)
    found = agreement(list(sizes.values()))
    return 1.0 if found is None else found


@dataclass(frozen=True, slots=True)
class CheckColumns:
    """Checks as columns of one length; units and cases are codes from 0.

    Means, deviations and agreements are rounded to `DIGITS`, so that equal ones are ties whatever the readers' order.
    """

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
        """One label, with its units and cases numbered anew."""
        return self._of(self.ambiguous == ambiguous)

    def at_stake(self, stakes: StakesClass) -> CheckColumns:
        """The checks of calls of those stakes, likewise."""
        return self._of(self.irreversible == (stakes == "irreversible"))

    def _of(self, keep: Bools) -> CheckColumns:
        count = int(keep.sum())
        return CheckColumns(
            self.mean[keep],
            self.stddev[keep],
            self.ambiguous[keep],
            codes(self.unit[keep], count),
            codes(self.case[keep], count),
            self.agreement[keep],
            self.irreversible[keep],
        )

    @property
    def units(self) -> int:
        return len(np.unique(self.unit))


def blocks(rows: Ints) -> Iterator[list[int]]:
    """The same in order, few at a time: what is worked out of many scores at once takes a multiple of these."""
    for begin in range(0, len(rows), BLOCK_ROWS):
        found: list[int] = rows[begin : begin + BLOCK_ROWS].tolist()
        yield found


def columns(checks: Sequence[Measured], readers: int | None = None) -> CheckColumns:
    """Of the first `readers` of each check, or of all."""
    sizes = np.array([len(check.scores[:readers]) for check in checks], dtype=np.int64)
    mean, stddev = np.zeros(len(checks)), np.zeros(len(checks))
    for size in np.unique(sizes).tolist():
        for rows in blocks(np.flatnonzero(sizes == size)):
            scores = np.array([checks[row].scores[:size] for row in rows], dtype=np.float64)
            mean[rows], stddev[rows] = scores.mean(axis=1), scores.std(axis=1)
    return CheckColumns(
        _rounded(mean),
        _rounded(stddev),
        np.array([check.ambiguous for check in checks], dtype=np.bool_),
        codes([check.unit for check in checks], len(checks)),
        codes([check.case for check in checks], len(checks)),
        _rounded(np.array([_agreement(check.readings[:readers]) for check in checks], dtype=np.float64)),
        np.array([check.irreversible for check in checks], dtype=np.bool_),
    )


def _rounded(column: Floats) -> Floats:
    """To the nearest number of `DIGITS`; numpy may come out beside it."""
    return np.array([round(value, DIGITS) for value in column.tolist()], dtype=np.float64)


def columns_of(
    scores: Floats, ambiguous: Bools, unit: Ints, case: Ints, agreement: Floats | None = None
) -> CheckColumns:
    """From scores of shape (checks, readers); NaN for a reader that is not valid, at least one a check being so.

    Without `agreement` it is 1.
    """
    missing = np.isnan(scores)
    if not (missing | ((scores >= 0) & (scores <= 1))).all() or missing.all(axis=1).any():
        raise ValueError("a score is not in [0, 1]")
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
