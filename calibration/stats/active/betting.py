"""Betting intervals of a mean from draws that are bounded (Waudby-Smith and Ramdas 2024).

Who bets against a candidate mean cannot grow rich while it is true; candidates that make one rich are refuted. Bets are
mixed over a few stakes, so nothing is tuned. Valid for draws whose mean, given those before, is the candidate: also for
weighted draws without replacement (Shekhar, Xu, Lipton, Liang and Ramdas 2023). Knows no audit.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from calibration.stats.estimate import LEVEL, Bools, Floats

STAKES: Final = ((0.4, 1 / 3), (0.97, 2 / 3))
"""(share of the largest stake that cannot ruin, part of the purse): the high one is for draws without a find."""
CANDIDATES: Final = 201
FINER: Final = 21
"""Candidates between the two that hold an end, so that it is exact to 1/4,000 of the range."""


def betting_interval(
    draws: Floats, least: Floats, most: Floats, low: float, high: float, level: float = LEVEL
) -> tuple[float, float]:
    """The candidates between `low` and `high` that the draws do not refute; (low, high) without draws.

    `least` and `most` bound each draw, and may use what the draws before it showed. Raises ValueError for a draw
    outside of its bounds.
    """
    if ((draws < least - 1e-9) | (draws > most + 1e-9)).any():
        raise ValueError("a draw lies outside of its bounds")
    if not len(draws) or high <= low:
        return low, max(low, high)
    grid = np.linspace(low, high, CANDIDATES)
    stands = _stands(draws, least, most, grid, level)
    if not stands.any():
        # The interval is narrower than the grid: it lies about the mean.
        near = int(np.abs(grid - draws.mean()).argmin())
        return float(grid[max(0, near - 1)]), float(grid[min(len(grid) - 1, near + 1)])
    first, last = int(stands.argmax()), len(grid) - 1 - int(stands[::-1].argmax())
    if first:
        finer: Floats = np.linspace(float(grid[first - 1]), float(grid[first]), FINER)
        first_finer = int(_stands(draws, least, most, finer, level).argmax())
        low = float(finer[max(0, first_finer - 1)])
    if last < len(grid) - 1:
        finer = np.linspace(float(grid[last]), float(grid[last + 1]), FINER)
        last_finer = FINER - 1 - int(_stands(draws, least, most, finer, level)[::-1].argmax())
        high = float(finer[min(FINER - 1, last_finer + 1)])
    return low, high


def _stands(draws: Floats, least: Floats, most: Floats, grid: Floats, level: float) -> Bools:
    """Whether neither the bets on more nor those on less than a candidate ever hold 2 / level."""
    bound = np.log(2 / level)
    found: Bools = (_wealth(draws, least, grid) < bound) & (_wealth(-draws, -most, -grid) < bound)
    return found


def _wealth(draws: Floats, least: Floats, grid: Floats) -> Floats:
    """The logarithm of the most that bets on "more than the candidate" come to hold, for each candidate."""
    # A candidate under the least possible draw is ruined at once, and one at it cannot be bet against.
    room = np.maximum(grid[None, :] - least[:, None], 1e-12)
    gain = (draws[:, None] - grid[None, :]) / room
    purses = [
        np.cumsum(np.log1p(np.maximum(stake * gain, -1 + 1e-12)), axis=0) + np.log(part)
        for stake, part in STAKES
    ]
    found: Floats = np.logaddexp.reduce(np.array(purses), axis=0).max(axis=0)
    return found
