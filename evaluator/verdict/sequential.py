"""When may a check end before all of its readers have answered? Pure, standard library only: the gate asks this.

What can only block ends by exact bounds. All else ends once the chance that the outstanding readers change the verdict,
by simulation from the scores that are in, is at most a stated risk.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Final

from evaluator.model import Thresholds
from evaluator.verdict.convergence import certain_block, moments, within

DRAWS: Final = 1_000
USUAL_NOISE: Final = 0.1
"""Standard deviation of one reader's score about what its like would say of the same check. Readers of one model differ
by less than half of that (two of a check correlate at 0.98 on 299 real writes): the simulation is wary."""
USUAL_WEIGHT: Final = 4
"""As many scores the usual noise counts for, beside those that are in."""


def may_stop(scores: Sequence[float], n: int, thresholds: Thresholds, risk: float = 0.0) -> bool:
    """Whether the verdict on `scores`, those of `n` readers that are in and valid, may stand.

    `risk` 0 leaves exact bounds alone; so does a threshold of agreement, of which scores say nothing. The caller sees
    to it that no fewer than the least valid samples are in.
    """
    outstanding = n - len(scores)
    if not scores or outstanding <= 0:
        return bool(scores)
    if certain_block(scores, outstanding, thresholds):
        return True
    if risk <= 0 or thresholds.agreement is not None:
        return False
    return chance_of_change(scores, outstanding, thresholds) <= risk


def chance_of_change(scores: Sequence[float], outstanding: int, thresholds: Thresholds) -> float:
    """How likely the `outstanding` readers turn the verdict on `scores`: in (0, 1], the same for the same scores.

    They are drawn from Student's distribution about the mean so far, whose own place is as uncertain as so few scores
    leave it, with the deviation so far and the usual noise pooled by their weights.
    """
    n = len(scores)
    mean, stddev = moments(scores)
    before = within(mean, stddev, thresholds)
    freedom = USUAL_WEIGHT + n - 1
    variance = (USUAL_WEIGHT * USUAL_NOISE**2 + n * stddev**2) / freedom
    dice = Random(f"{sorted(scores)} {outstanding}")  # noqa: S311 - a simulation, repeatable
    changed = 0
    for _ in range(DRAWS):
        width = math.sqrt(variance * freedom / dice.gammavariate(freedom / 2, 2))
        middle = dice.gauss(mean, width / math.sqrt(n))
        drawn = [min(1.0, max(0.0, dice.gauss(middle, width))) for _ in range(outstanding)]
        changed += within(*moments([*scores, *drawn]), thresholds) != before
    return (changed + 1) / (DRAWS + 1)
