"""Have the readers moved since the baseline? The test behind `compass calibrate --check`.

Per class, a two-sided paired t test over units: each case against itself, averaged within its pair or
session. Two-sided, because a floor that rose makes the thresholds as stale as one that fell; per class,
because a floor that moves alone would be halved in an average over both. The alarm level is shared
between the classes that are tested (Bonferroni). A shift under `SMALLEST` is no alarm, however certain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from calibration.stats.checks import Measured
from calibration.stats.estimate import Estimate, TooLittle, codes, floats, unit_means
from calibration.stats.intervals import mean_of_units
from calibration.stats.special import student_two_sided

ALPHA: Final = 0.01
SMALLEST: Final = 0.02
LEAST_UNITS: Final = 10


@dataclass(frozen=True, slots=True)
class CaseMean:
    """One labelled case of a run: the mean confidence over its checks."""

    case: str
    unit: str
    ambiguous: bool
    mean: float


@dataclass(frozen=True, slots=True)
class Shift:
    """The paired difference of one class, current less baseline, and the p-value of none."""

    ambiguous: bool
    change: Estimate
    p: float
    alarm: bool


@dataclass(frozen=True, slots=True)
class Drift:
    """`unmatched` are cases that only one of the two runs has."""

    shifts: tuple[Shift, ...]
    untested: tuple[TooLittle, ...]
    unmatched: tuple[str, ...]

    @property
    def alarm(self) -> bool:
        return any(shift.alarm for shift in self.shifts)


def case_means(checks: Sequence[Measured]) -> tuple[CaseMean, ...]:
    """Repeats of a case averaged, in order of first appearance."""
    found: dict[str, list[Measured]] = {}
    for check in checks:
        found.setdefault(check.case, []).append(check)
    return tuple(
        CaseMean(case, group[0].unit, group[0].ambiguous, fmean(check.mean for check in group))
        for case, group in found.items()
    )


def compare(
    current: Sequence[CaseMean],
    baseline: Sequence[CaseMean],
    *,
    alpha: float = ALPHA,
    smallest: float = SMALLEST,
) -> Drift:
    """Both classes with at least 10 units in common; `alpha` is the chance of a false alarm in all."""
    before = {case.case: case for case in baseline}
    now = {case.case: case for case in current}
    groups = [
        [case for case in current if case.ambiguous == ambiguous and case.case in before]
        for ambiguous in (False, True)
    ]
    tested = [group for group in groups if _units(group) >= LEAST_UNITS]
    return Drift(
        shifts=tuple(_shift(group, before, alpha / len(tested), smallest) for group in tested),
        untested=tuple(
            TooLittle(f"{name} units in both runs", _units(group), LEAST_UNITS)
            for name, group in zip(("clear", "ambiguous"), groups, strict=True)
            if _units(group) < LEAST_UNITS
        ),
        unmatched=tuple(sorted(before.keys() ^ now.keys())),
    )


def _units(group: Sequence[CaseMean]) -> int:
    return len({case.unit for case in group})


def _shift(group: Sequence[CaseMean], before: dict[str, CaseMean], alpha: float, smallest: float) -> Shift:
    differences = floats([case.mean - before[case.case].mean for case in group])
    of = codes([case.unit for case in group], len(group))
    change = mean_of_units(differences, of)
    assert isinstance(change, Estimate)
    means = unit_means(differences, of)
    error = float(means.std(ddof=1)) / math.sqrt(change.units)
    if error > 1e-12:
        p = student_two_sided(change.value / error, change.units - 1)
    else:
        p = 1.0 if abs(change.value) < 1e-12 else 0.0
    alarm = p <= alpha and abs(change.value) >= smallest - 1e-9
    return Shift(group[0].ambiguous, change, p, alarm)
