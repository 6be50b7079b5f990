"""The noise floor: what scores a class of cases gets, and how much of their spread is the readers' own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.stats.checks import CheckColumns, Measured, columns
from calibration.stats.estimate import Estimate, Floats, Ints, TooLittle, codes
from calibration.stats.intervals import bounded_mean

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
FLOOR_CLEAR_UNITS: Final = 10
FLOOR_AMBIGUOUS_UNITS: Final = 5
STDDEV_MOST: Final = 0.5
"""Of scores in [0, 1]: half of them at either end."""


@dataclass(frozen=True, slots=True)
class Components:
    """Variances of one class, each at least 0: readers of a check, checks of a case, cases.

    None where the design cannot tell: `checks` without a repeated case (it is then inside of `cases`),
    `readers` with one reader a check (then inside of the next), `cases` with one case.
    """

    readers: float | None
    checks: float | None
    cases: float | None


@dataclass(frozen=True, slots=True)
class Floor:
    """One class: `mean` and `stddev` of its checks with intervals over units, quantiles at `QUANTILES`.

    The mean over the clear class is the noise floor. `checks` is how many were measured.
    """

    checks: int
    mean: Estimate
    stddev: Estimate
    mean_quantiles: tuple[float, ...]
    stddev_quantiles: tuple[float, ...]
    components: Components


def floor(checks: Sequence[Measured], ambiguous: bool) -> Floor | TooLittle:
    """The noise floor of one class; at least 10 clear or 5 ambiguous units."""
    chosen = [check for check in checks if check.ambiguous == ambiguous]
    table = columns(chosen)
    needed = FLOOR_AMBIGUOUS_UNITS if ambiguous else FLOOR_CLEAR_UNITS
    if table.units < needed:
        return TooLittle("ambiguous units" if ambiguous else "clear units", table.units, needed)
    mean, stddev = (
        bounded_mean(table.mean, table.unit),
        bounded_mean(table.stddev, table.unit, most=STDDEV_MOST),
    )
    assert isinstance(mean, Estimate) and isinstance(stddev, Estimate)
    return Floor(
        checks=len(table),
        mean=mean,
        stddev=stddev,
        mean_quantiles=_quantiles(table.mean),
        stddev_quantiles=_quantiles(table.stddev),
        components=components_of(chosen, table),
    )


def components_of(chosen: Sequence[Measured], table: CheckColumns) -> Components:
    """The variance components of checks of one class."""
    scores = np.array([score for check in chosen for score in check.scores], dtype=np.float64)
    check = np.repeat(np.arange(len(chosen)), [len(one.scores) for one in chosen]).astype(np.int64)
    return components(scores, check, table.case[check])


def components(scores: Floats, check: Ints, case: Ints) -> Components:
    """Nested random effects by the method of moments: readers in checks in cases, any sizes.

    Mean squares of the unbalanced nested analysis of variance are set equal to their expectations
    (Searle, Casella and McCulloch, Variance Components, 1992); what comes out below 0 is 0. One score an entry,
    with the codes of its check and its case.
    """
    check, case = codes(check, len(scores)), codes(case, len(scores))
    if not len(scores):
        return Components(None, None, None)
    total, checks, cases = len(scores), int(check.max()) + 1, int(case.max()) + 1
    readers_of, scores_of = np.bincount(check), np.bincount(case)
    case_of = np.zeros(checks, dtype=np.int64)
    case_of[check] = case
    check_mean = np.bincount(check, weights=scores) / readers_of
    case_mean = np.bincount(case, weights=scores) / scores_of

    squares = np.bincount(case_of, weights=readers_of**2.0) / scores_of
    in_checks = float(((scores - check_mean[check]) ** 2).sum())
    in_cases = float((readers_of * (check_mean - case_mean[case_of]) ** 2).sum())
    among = float((scores_of * (case_mean - scores.mean()) ** 2).sum())

    reader_part = max(in_checks / (total - checks), 0.0) if total > checks else None
    known = reader_part or 0.0
    check_part: float | None = None
    if checks > cases:
        size = (total - float(squares.sum())) / (checks - cases)
        check_part = max((in_cases / (checks - cases) - known) / size, 0.0)
    case_part: float | None = None
    if cases > 1:
        inner = (float(squares.sum()) - float((readers_of**2.0).sum()) / total) / (cases - 1)
        outer = (total - float((scores_of**2.0).sum()) / total) / (cases - 1)
        case_part = max((among / (cases - 1) - known - inner * (check_part or 0.0)) / outer, 0.0)
    return Components(reader_part, check_part, case_part)


def _quantiles(values: Floats) -> tuple[float, ...]:
    return tuple(float(q) for q in np.quantile(values, QUANTILES))
