"""Have the readers moved since the baseline? The test behind `compass calibrate --check`.

Per class, three paired comparisons: of the cases' means, of the deviations between readers, and of the verdicts
at the thresholds in force. Each case is compared with itself and averaged within its pair or session. Two-sided,
because a floor that rose makes the thresholds as stale as one that fell; per class, because a floor that moves
alone would be halved in an average over both. A change under `SMALLEST` is no alarm, however certain.

Readers that did not move could have given either run's checks in either order, so that the differences of a unit are
as likely to stand the other way round. Every p-value is the share of all ways to turn units round that give at
least the change seen (Fisher 1935): exact for any distribution, where the tails of Student's t are not at levels
like these. Of a case that the runs judged a different number of times, only as many checks are compared.

All checks of a baseline share its noise, so nothing that treats them as independent holds. `ALPHA` is divided by
`CHECKS` and by the comparisons of a check (Bonferroni), which holds under any dependence and keeps no state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, Literal, get_args

import numpy as np

from calibration.stats import estimates

ALPHA: Final = 0.01
CHECKS: Final = 52
"""How many checks of one baseline share `ALPHA`: a year of weekly ones."""
SMALLEST: Final = 0.02
LEAST_UNITS: Final = 16
"""Fewer units cannot be turned round in enough ways for a p-value under `ALPHA` / `CHECKS` / 6."""
_STEPS: Final = 4096
_GROUPS: Final = 1000

Quantity = Literal["mean", "deviation", "verdict"]
QUANTITIES: Final[tuple[Quantity, ...]] = get_args(Quantity)


@dataclass(frozen=True, slots=True)
class CaseChecks:
    """One labelled case of a run. Its checks in the order they were made: mean and deviation of the readers of each,
    and 1.0 where the thresholds block it, else 0.0."""

    case: str
    unit: str
    ambiguous: bool
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    blocked: tuple[float, ...]

    def of(self, quantity: Quantity, checks: int) -> float:
        """The mean of a quantity over the first `checks` checks of a case."""
        columns = {"mean": self.means, "deviation": self.deviations, "verdict": self.blocked}
        return fmean(columns[quantity][:checks])


@dataclass(frozen=True, slots=True)
class Shift:
    """The paired change of one quantity in one class, current less baseline, and the p-value of none. For `verdict` it
    is the change of the share that is blocked."""

    ambiguous: bool
    quantity: Quantity
    change: estimates.Estimate
    p: float
    alarm: bool


@dataclass(frozen=True, slots=True)
class Drift:
    """`level` is what a p-value must not exceed; `unmatched` are cases that only one of the two runs has."""

    shifts: tuple[Shift, ...]
    untested: tuple[estimates.TooLittle, ...]
    unmatched: tuple[str, ...]
    level: float

    @property
    def alarm(self) -> bool:
        return any(shift.alarm for shift in self.shifts)


def compare(current: Sequence[CaseChecks], baseline: Sequence[CaseChecks]) -> Drift:
    """Both classes with at least 16 units in common; `ALPHA` is the chance of a false alarm in all of `CHECKS` such
    comparisons with one baseline. A case without a check is in neither run."""
    before = {case.case: case for case in baseline if case.means}
    now = [case for case in current if case.means]
    groups = [
        [case for case in now if case.ambiguous == ambiguous and case.case in before]
        for ambiguous in (False, True)
    ]
    tested = [group for group in groups if _count_drift_units(group) >= LEAST_UNITS]
    level = ALPHA / CHECKS / (len(QUANTITIES) * max(len(tested), 1))
    return Drift(
        shifts=tuple(
            _test_for_drift(group, before, quantity, level) for group in tested for quantity in QUANTITIES
        ),
        untested=tuple(
            estimates.TooLittle(f"{name} units in both runs", _count_drift_units(group), LEAST_UNITS)
            for name, group in zip(("clear", "ambiguous"), groups, strict=True)
            if _count_drift_units(group) < LEAST_UNITS
        ),
        unmatched=tuple(sorted(before.keys() ^ {case.case for case in now})),
        level=level,
    )


def _count_drift_units(group: Sequence[CaseChecks]) -> int:
    return len({case.unit for case in group})


def _test_for_drift(
    group: Sequence[CaseChecks], before: Mapping[str, CaseChecks], quantity: Quantity, level: float
) -> Shift:
    changes: list[float] = []
    for case in group:
        other = before[case.case]
        checks = min(len(case.means), len(other.means))
        changes.append(case.of(quantity, checks) - other.of(quantity, checks))
    differences, of = estimates.floats(changes), estimates.codes([case.unit for case in group], len(group))
    # Where no verdict changed, Student's t would be certain that none ever will.
    change = (
        estimates.bounded_mean(differences, of, least=-1.0)
        if quantity == "verdict"
        else estimates.mean_of_units(differences, of)
    )
    assert isinstance(change, estimates.Estimate)
    p = chance_of_turns(estimates.unit_means(differences, of))
    alarm = p <= level and abs(change.value) >= SMALLEST - 1e-9
    return Shift(group[0].ambiguous, quantity, change, p, alarm)


def chance_of_turns(differences: estimates.Floats) -> float:
    """The two-sided p-value of the sum of `differences` when each may as well have the other sign. The distribution of
    the sum is computed in full, over multiples of a 4096th of the sum of their sizes (finer for many units). Rounding
    sizes to them keeps it exact: a size is the same whichever way round. More than 1,000 units are first summed in
    1,000 groups, which are turned round as one."""
    if len(differences) > _GROUPS:
        grouped = np.zeros(_GROUPS)
        np.add.at(grouped, np.arange(len(differences)) % _GROUPS, differences)
        differences = grouped
    sizes = np.abs(differences)
    whole = float(sizes.sum())
    if whole < 1e-9 * max(len(sizes), 1):
        return 1.0
    steps = np.rint(sizes * (max(_STEPS, 32 * len(sizes)) / whole)).astype(np.int64)
    seen = abs(int((np.sign(differences).astype(np.int64) * steps).sum()))
    if not seen:
        return 1.0
    # chances[w]: that the differences which point upwards add up to w.
    total = int(steps.sum())
    chances, reach = np.zeros(total + 1), 0
    chances[0] = 1.0
    for step in np.sort(steps[steps > 0]).tolist():
        chances[: reach + 1] *= 0.5
        moved = chances[: reach + 1].copy()
        chances[step : reach + step + 1] += moved
        reach += step
    return min(2 * float(chances[(total + seen + 1) // 2 :].sum()), 1.0)
