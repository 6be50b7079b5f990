"""Bootstrap over independent units: all observations of a unit are drawn together (Davison and Hinkley 1997, 3.8).

BCa (Efron 1987) for statistics whose distribution is skewed, as Krippendorff's alpha. Where simulation shows that
resampling covers too little, the statistic has an interval of its own: `roc`, `calibration_error`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from calibration.stats.estimate import LEVEL, Floats
from calibration.stats.special import normal_cdf, normal_quantile

DRAWS: Final = 2000
_BLOCK_WEIGHTS: Final = 250_000
"""How many weights are held at once, two megabytes of them, whatever the number of units."""

Statistic = Callable[[Floats], Floats]
"""(weights of shape (draws, units): how often each unit was drawn) -> the statistic of each draw, NaN if none."""


def drawn(units: int, generator: np.random.Generator, draws: int) -> Iterator[Floats]:
    """The weights of `draws` resamples, in blocks of shape (some draws, units)."""
    even = np.full(units, 1 / units)
    block = max(_BLOCK_WEIGHTS // units, 1)
    for begin in range(0, draws, block):
        yield generator.multinomial(units, even, size=min(block, draws - begin)).astype(np.float64)


def resampled(statistic: Statistic, units: int, generator: np.random.Generator, draws: int) -> Floats:
    """The statistic on `draws` resamples of the units, without those on which it is not defined."""
    found: Floats = np.concatenate([statistic(weights) for weights in drawn(units, generator, draws)])
    return found[np.isfinite(found)]


def percentile(
    statistic: Statistic, units: int, generator: np.random.Generator, draws: int = DRAWS
) -> tuple[float, float] | None:
    """The plain percentile interval; None if the statistic is defined on fewer than half of the draws."""
    found = resampled(statistic, units, generator, draws)
    if 2 * len(found) < draws:
        return None
    return _between(found, LEVEL / 2, 1 - LEVEL / 2)


def bca(
    statistic: Statistic, units: int, generator: np.random.Generator, draws: int = DRAWS
) -> tuple[float, float] | None:
    """The bias-corrected and accelerated interval; None as for `percentile`, or under two units."""
    if units < 2:
        return None
    found = resampled(statistic, units, generator, draws)
    if 2 * len(found) < draws:
        return None
    value = float(statistic(np.ones((1, units)))[0])
    below = float((found < value).mean() + 0.5 * (found == value).mean())
    bias = normal_quantile(min(max(below, 1 / (len(found) + 1)), len(found) / (len(found) + 1)))
    pull = _acceleration(statistic(np.ones((units, units)) - np.eye(units)))
    ends: list[float] = []
    for p in (LEVEL / 2, 1 - LEVEL / 2):
        z = bias + normal_quantile(p)
        ends.append(normal_cdf(bias + z / (1 - pull * z)) if pull * z < 1 else float(z > 0))
    return _between(found, ends[0], ends[1])


def _acceleration(jackknifed: Floats) -> float:
    """A sixth of the skewness of the leave-one-unit-out values."""
    kept = jackknifed[np.isfinite(jackknifed)]
    if not len(kept):
        return 0.0
    apart = kept.mean() - kept
    spread = float((apart**2).sum())
    return float((apart**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def _between(found: Floats, lower: float, upper: float) -> tuple[float, float]:
    low, high = np.quantile(found, [lower, upper])
    return float(low), float(high)
