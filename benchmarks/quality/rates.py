"""Rates and intervals as the measuring programs tell them."""

from __future__ import annotations

from calibration.stats.estimates import clopper_pearson


def rate(count: int, n: int) -> dict[str, float]:
    """`k` of `n`, with its Clopper-Pearson interval, 95 %."""
    low, high = clopper_pearson(count, n)
    return {"k": count, "n": n, "low": low, "high": high}
