"""Rates and intervals as the measuring programs tell them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.stats.estimates import Floats, clopper_pearson

DRAWS = 2000


def rate(count: int, n: int) -> dict[str, float]:
    """`k` of `n`, with its Clopper-Pearson interval, 95 %."""
    low, high = clopper_pearson(count, n)
    return {"k": count, "n": n, "low": low, "high": high}


def resampled(
    statistic: Callable[[Floats], Floats], units: int, generator: np.random.Generator, draws: int = DRAWS
) -> tuple[float, float]:
    """The percentile interval, 95 %, of a statistic over units: (weights of shape (draws, units): how often each unit
    was drawn) -> the statistic of each draw, NaN if it has none."""
    found = statistic(generator.multinomial(units, np.full(units, 1 / units), size=draws).astype(np.float64))
    low, high = np.quantile(found[np.isfinite(found)], [0.025, 0.975])
    return float(low), float(high)
