"""Estimates and their intervals over independent units, and the distribution functions that these need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Names = Sequence[str | int] | Ints
"""Of units or cases: all of them strings, or all numbers."""

LEVEL: Final = 0.05
"""One minus the confidence of every two-sided interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval; `n` observations that fall into `units` independent units."""

    value: float
    low: float
    high: float
    n: int
    units: int


@dataclass(frozen=True, slots=True)
class TooLittle:
    """No figure: `units` independent units of `of` are there, `needed` would be the least."""

    of: str
    units: int
    needed: int


def floats(values: ArrayLike) -> Floats:
    """One column of finite numbers. Raises ValueError for NaN, infinities and other shapes."""
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise ValueError(f"a column of numbers is needed, not an array of shape {column.shape}")
    if not np.isfinite(column).all():
        raise ValueError("a value is not a finite number")
    return column


def codes(units: Names, length: int) -> Ints:
    """Numbers from 0 for the names of units, by first appearance in sorted order. Raises ValueError unless there are
    `length` of them."""
    if len(units) != length:
        raise ValueError(f"{length} values, but {len(units)} units")
    if not length:
        return np.zeros(0, dtype=np.int64)
    if isinstance(units, np.ndarray):
        return cast(Ints, np.unique(units, return_inverse=True)[1].reshape(-1).astype(np.int64))
    # An array of names would take four bytes a character of the longest, for each.
    place = {name: number for number, name in enumerate(sorted(set(cast(Sequence[str], units))))}
    return np.fromiter((place[name] for name in cast(Sequence[str], units)), np.int64, length)


def unit_means(values: Floats, of: Ints) -> Floats:
    """The mean of each unit, in the order of the codes, which must leave none out."""
    return np.bincount(of, weights=values) / np.bincount(of)


_TINY: Final = 1e-300
_MOST_TERMS: Final = 10_000


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), a and b above 0. Continued fraction of DLMF 8.17.22,
    evaluated forward by Lentz's method (Thompson and Barnett 1986)."""
    if a <= 0 or b <= 0:
        raise ValueError("a and b must be positive")
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a + 1) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, _MOST_TERMS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / _nonzero_term(1 + term * lower)
        upper = _nonzero_term(1 + term / upper)
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            break
    return front / value


def _nonzero_term(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


@lru_cache(maxsize=4096)
def beta_quantile(p: float, a: float, b: float) -> float:
    """The x with I_x(a, b) = p, by bisection down to neighbouring floats."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if beta_cdf(middle, a, b) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def student_quantile(level: float, df: float) -> float:
    """The t that |T| exceeds with probability `level`: 2.776 for 0.05 and 4."""
    x = beta_quantile(level, df / 2, 0.5)
    return math.sqrt(df * (1 - x) / x)


def binomial_at_most(k: int, n: int, rate: float) -> float:
    """P(X <= k) for X binomial (n, rate)."""
    return 1.0 if k >= n else beta_cdf(1 - rate, n - k, k + 1)


def rate_of_checks(hits: ArrayLike, names: Names) -> Estimate | TooLittle:
    """The rate of hits, each observation counted once, clustered by unit. `hits`: 0 to 1; `names`: the unit of each."""
    column = floats(hits)
    of = codes(names, len(column))
    if not len(column):
        return TooLittle("units", 0, 1)
    total, units = len(column), int(of.max()) + 1
    value = float(column.mean())
    sizes = np.bincount(of).astype(np.float64)
    # As many units of one size as weigh the same; they stand for the checks too where all agree.
    effective = alike = total**2 / float((sizes**2).sum())
    apart = unit_means(column, of) * sizes - value * sizes
    variance = float((apart**2).sum()) * units / (max(units - 1, 1) * total**2)
    if variance > 0:
        wary = (student_quantile(LEVEL, max(total - 1, 1)) / student_quantile(LEVEL, max(alike - 1, 1))) ** 2
        effective = min(value * (1 - value) / variance * wary, float(total))
    low, high = clopper_pearson(value * effective, effective)
    return Estimate(value, min(low, value), max(high, value), total, units)


FAR_UNITS: Final = 0.5
"""How much of one more unit, at the far end of the scale, each end of a bounded mean's interval allows for.

Student's t knows no unit that it has not seen: where a few score far below the rest, as on a floor near the top
of the scale, it covers 67 to 90 % at ten units. With half a unit, 95 % and more in sixteen worlds at 10 to 50 units
(`benchmarks/quality/interval_simulation.py`), in nine tenths of the width of Gaffke's bound and three quarters of
that of a betting interval. The last holds for any distribution, Gaffke's by conjecture; this one is simulated alone.
"""


def clopper_pearson(successes: float, n: float) -> tuple[float, float]:
    """The exact two-sided interval of a rate (Clopper and Pearson 1934); (0, 1) without observations. A fractional
    `successes` is a sum of shares in [0, 1]. Their variance is at most that of a yes or no with the same mean, so the
    interval errs on the wide side. Raises ValueError outside of 0..n."""
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    if n == 0:
        return 0.0, 1.0
    low = beta_quantile(LEVEL / 2, successes, n - successes + 1) if successes > 0 else 0.0
    return low, (beta_quantile(1 - LEVEL / 2, successes + 1, n - successes) if successes < n else 1.0)


def rate_of_units(hits: ArrayLike, units: Names) -> Estimate | TooLittle:
    """The mean over units of the share of hits in each: every unit counts once, whatever its repeats. `hits` are 0, 1
    or shares between, one an observation; `units` names the unit of each."""
    column = floats(hits)
    of = codes(units, len(column))
    if not len(column):
        return TooLittle("units", 0, 1)
    if column.min() < 0 or column.max() > 1:
        raise ValueError("a share is outside 0..1")
    shares = unit_means(column, of)
    total = min(math.fsum(shares.tolist()), float(len(shares)))
    low, high = clopper_pearson(total, len(shares))
    return Estimate(total / len(shares), low, high, len(column), len(shares))


def bounded_mean(
    values: ArrayLike, units: Names, least: float = 0.0, most: float = 1.0
) -> Estimate | TooLittle:
    """The mean over units of their means, of values in [`least`, `most`]; two units are the least. Either end is that
    of Student's t interval as if `FAR_UNITS` of a unit had been seen at that end of the scale (pseudo-observations as
    in Agresti and Coull 1998). Raises ValueError for a value outside of the scale."""
    column = floats(values)
    of = codes(units, len(column))
    count = int(of.max()) + 1 if len(of) else 0
    if len(column) and not least - 1e-9 <= column.min() <= column.max() <= most + 1e-9:
        raise ValueError(f"a value is outside {least:g}..{most:g}")
    if count < 2:
        return TooLittle("units", count, 2)
    means = unit_means(column, of)
    centre = float(means.mean())
    quantile = student_quantile(LEVEL, count - 1)
    ends: list[float] = []
    for end, side in ((least, -1), (most, 1)):
        total = count + FAR_UNITS
        moved = (count * centre + FAR_UNITS * end) / total
        spread = (float(((means - moved) ** 2).sum()) + FAR_UNITS * (end - moved) ** 2) / total
        ends.append(moved + side * quantile * math.sqrt(spread / (total - 1)))
    low, high = max(min(ends[0], centre), least), min(max(ends[1], centre), most)
    return Estimate(centre, low, high, len(column), count)


def mean_of_units(values: ArrayLike, units: Names) -> Estimate | TooLittle:
    """The mean over units of their means, with Student's t interval over the unit means. Repeats of a case and cases of
    a pair depend on each other, units do not; two units are the least."""
    column = floats(values)
    of = codes(units, len(column))
    count = int(of.max()) + 1 if len(of) else 0
    if count < 2:
        return TooLittle("units", count, 2)
    means = unit_means(column, of)
    centre = float(means.mean())
    reach = student_quantile(LEVEL, count - 1) * float(means.std(ddof=1)) / math.sqrt(count)
    return Estimate(centre, centre - reach, centre + reach, len(column), count)


FAR_ANSWERS: Final = 1.0
"""How much of one more answer, at the far end of its scale, each end of the interval allows for: forty answers that all
agree do not show that no prediction is wrong. In 36 simulated worlds 93 to 100 % are covered (20 to 80 answers of 360
turns in 60 sessions, `tests/unit/stats/test_prediction_powered.py`), without it 90 to 100 %."""


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """With its 95 % interval, from `answers` in `units` that have any; `trust` in the predictions, 0 to 1, is the
    lambda of PPI++."""

    value: float
    low: float
    high: float
    answers: int
    units: int
    trust: float


def corrected_rate(predicted: ArrayLike, truth: ArrayLike, units: Names) -> CorrectedRate | TooLittle:
    """The mean of what is true, in [0, 1], of N observations that all have a prediction f in [0, 1], n of them drawn by
    lot a `truth` y, which is NaN for the others. At least two units need one. With means over all and over the n,

        theta = lambda mean_N(f) + mean_n(y - lambda f)

    whatever the predictions are worth: for any lambda its expectation is that of y. With
    a_u = sum over the n in unit u of (y - mean_n(y)) / n, and
    b_u = sum over the n in u of (f - mean_n(f)) / n, less the sum over all in u of (f - mean_N(f)) / N,

        Var(theta) = U / (U - 1) sum_u (a_u - lambda b_u)^2,    lambda = sum_u a_u b_u / sum_u b_u^2 within [0, 1],

    which is least at that lambda (0 leaves the plain mean of the answers). The quantile is Student's, of as many units
    with answers as weigh the same. Each end allows for `FAR_ANSWERS` more at that end of y - lambda f, which lies in
    [-lambda, 1].
    """
    said, true = floats(predicted), np.asarray(truth, dtype=np.float64)
    of = codes(units, len(said))
    seen = ~np.isnan(true)
    answers, answered = int(seen.sum()), len(np.unique(of[seen]))
    if answered < 2:
        return TooLittle("units with an answer", answered, 2)
    a = _sum_values_by_unit((true[seen] - true[seen].mean()) / answers, of[seen], of)
    b = _sum_values_by_unit((said[seen] - said[seen].mean()) / answers, of[seen], of)
    b -= _sum_values_by_unit((said - said.mean()) / len(said), of, of)
    trust = float(np.clip(a @ b / (b @ b), 0.0, 1.0)) if b.any() else 0.0
    total = len(a)
    variance = float(((a - trust * b) ** 2).sum()) * total / (total - 1)
    residual = float((true[seen] - trust * said[seen]).mean())
    alike = answers**2 / float((np.bincount(of[seen]) ** 2.0).sum())
    quantile = student_quantile(LEVEL, max(alike - 1, 1.0))
    value = trust * float(said.mean()) + residual
    ends: list[float] = []
    for end, side in ((-trust, -1), (1.0, 1)):
        weight = FAR_ANSWERS / (answers + FAR_ANSWERS)
        moved = weight * (end - residual)
        spread = (1 - weight) ** 2 * variance + weight * (end - residual - moved) ** 2 / answers
        ends.append(value + moved + side * quantile * math.sqrt(spread))
    value, low, high = np.clip((value, min(ends[0], value), max(ends[1], value)), 0.0, 1.0).tolist()
    return CorrectedRate(value, low, high, answers, answered, trust)


def _sum_values_by_unit(values: Floats, of: Ints, every: Ints) -> Floats:
    """Sums of values by their unit, of all units there are in `every`."""
    found: Floats = np.bincount(of, weights=values, minlength=int(every.max()) + 1).astype(np.float64)
    return found
