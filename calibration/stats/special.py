"""The distribution functions that exact intervals and t tests need. Standard library only."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Final

_TINY: Final = 1e-300
_MOST_TERMS: Final = 10_000
_NORMAL: Final = NormalDist()


def normal_cdf(x: float) -> float:
    return _NORMAL.cdf(x)


def normal_quantile(p: float) -> float:
    return _NORMAL.inv_cdf(p)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), a and b above 0.

    Continued fraction of DLMF 8.17.22, evaluated forward by Lentz's method (Thompson and Barnett 1986).
    """
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
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, _MOST_TERMS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / _nonzero(1 + term * lower)
        upper = _nonzero(1 + term / upper)
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            break
    return value


def _nonzero(value: float) -> float:
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


def student_two_sided(t: float, df: float) -> float:
    """P(|T| >= |t|) for Student's t with `df` degrees of freedom."""
    return beta_cdf(df / (df + t * t), df / 2, 0.5)


def student_quantile(level: float, df: float) -> float:
    """The t that |T| exceeds with probability `level`: 2.776 for 0.05 and 4."""
    x = beta_quantile(level, df / 2, 0.5)
    return math.sqrt(df * (1 - x) / x)


def binomial_at_most(k: int, n: int, rate: float) -> float:
    """P(X <= k) for X binomial (n, rate)."""
    return 1.0 if k >= n else beta_cdf(1 - rate, n - k, k + 1)
