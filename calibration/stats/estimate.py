"""The types that every statistic shares: array aliases, an estimate with its interval, and too little data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
class PerCheck:
    """A rate in which every check counts once, with its 95 % interval, clustered by unit."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval; `n` observations that fall into `units` independent units.

    A rate counts every unit once, and has the same `per_check` beside it.
    """

    value: float
    low: float
    high: float
    n: int
    units: int
    per_check: PerCheck | None = None


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
    """Numbers from 0 for the names of units, by first appearance in sorted order.

    Raises ValueError unless there are `length` of them.
    """
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
