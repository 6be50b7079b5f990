"""Intervals of rates and means over independent units."""

from __future__ import annotations

import math
from typing import Final

from numpy.typing import ArrayLike

from calibration.stats.estimate import LEVEL, Estimate, Names, TooLittle, codes, floats, unit_means
from calibration.stats.per_check import per_check
from calibration.stats.special import beta_quantile, student_quantile

FAR_UNITS: Final = 0.5
"""How much of one more unit, at the far end of the scale, each end of a bounded mean's interval allows for.

Student's t knows no unit that it has not seen: where a few score far below the rest, as on a floor near the top
of the scale, it covers 67 to 90 % at ten units. With half a unit, 95 % and more in sixteen worlds at 10 to 50 units
(`benchmarks/quality/interval_simulation.py`), in nine tenths of the width of Gaffke's bound and three quarters of
that of a betting interval. The last holds for any distribution, Gaffke's by conjecture; this one is simulated alone.
"""


def clopper_pearson(successes: float, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The exact two-sided interval of a rate (Clopper and Pearson 1934); (0, 1) without observations.

    A fractional `successes` is a sum of shares in [0, 1]. Their variance is at most that of a yes or no
    with the same mean, so the interval errs on the wide side. Raises ValueError outside of 0..n.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n}")
    if n == 0:
        return 0.0, 1.0
    low = beta_quantile(level / 2, successes, n - successes + 1) if successes > 0 else 0.0
    high = beta_quantile(1 - level / 2, successes + 1, n - successes) if successes < n else 1.0
    return low, high


def upper_bound(successes: float, n: int, level: float = LEVEL) -> float:
    """The one-sided bound that a rate stays under with confidence 1 - level: 0.0953 for 0 of 30."""
    return clopper_pearson(successes, n, 2 * level)[1]


def rate(successes: int, n: int) -> Estimate | TooLittle:
    """The rate of independent yes-or-no observations."""
    if not n:
        return TooLittle("observations", 0, 1)
    low, high = clopper_pearson(successes, n)
    return Estimate(successes / n, low, high, n, n)


def rate_of_units(hits: ArrayLike, units: Names) -> Estimate | TooLittle:
    """The mean over units of the share of hits in each: every unit counts once, whatever its repeats.

    `hits` are 0, 1 or shares between, one an observation; `units` names the unit of each.
    """
    column = floats(hits)
    of = codes(units, len(column))
    if not len(column):
        return TooLittle("units", 0, 1)
    if column.min() < 0 or column.max() > 1:
        raise ValueError("a share lies outside of 0..1")
    shares = unit_means(column, of)
    total = min(math.fsum(shares.tolist()), float(len(shares)))
    low, high = clopper_pearson(total, len(shares))
    return Estimate(total / len(shares), low, high, len(column), len(shares), per_check(column, of))


def bounded_mean(
    values: ArrayLike, units: Names, least: float = 0.0, most: float = 1.0
) -> Estimate | TooLittle:
    """The mean over units of their means, of values in [`least`, `most`]; two units are the least.

    Either end is that of Student's t interval as if `FAR_UNITS` of a unit had been seen at that end of the scale
    (pseudo-observations as in Agresti and Coull 1998). Raises ValueError for a value outside of the scale.
    """
    column = floats(values)
    of = codes(units, len(column))
    count = int(of.max()) + 1 if len(of) else 0
    if len(column) and not least - 1e-9 <= column.min() <= column.max() <= most + 1e-9:
        raise ValueError(f"a value lies outside of {least:g}..{most:g}")
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
    """The mean over units of their means, with Student's t interval over the unit means.

    Repeats of a case and cases of a pair depend on each other, units do not; two units are the least.
    """
    column = floats(values)
    of = codes(units, len(column))
    count = int(of.max()) + 1 if len(of) else 0
    if count < 2:
        return TooLittle("units", count, 2)
    means = unit_means(column, of)
    centre = float(means.mean())
    reach = student_quantile(LEVEL, count - 1) * float(means.std(ddof=1)) / math.sqrt(count)
    return Estimate(centre, centre - reach, centre + reach, len(column), count)
