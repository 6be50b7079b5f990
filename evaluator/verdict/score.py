"""The one score that certified cuts are set on, and where a score stands to them. Standard library only."""

from __future__ import annotations

from typing import Literal

from evaluator.model import Cuts, Score
from evaluator.verdict.convergence import TOLERANCE

__all__ = ["Cuts", "Score", "Side", "side", "total"]

Side = Literal["block", "zone", "pass"]


def total(mean: float, stddev: float, agreement: float | None, score: Score) -> float:
    """T = mean + w * agreement - v * max(0, stddev - s0).

    `agreement` None counts as 1: readers who give no readings do not disagree on them.
    """
    agreed = 1.0 if agreement is None else agreement
    return mean + score.agreement_weight * agreed - penalty(stddev, score)


def penalty(stddev: float, score: Score) -> float:
    """What the deviation takes off the score, at least 0."""
    return score.deviation_weight * max(0.0, stddev - score.deviation_free)


def side(at: float, cuts: Cuts) -> Side:
    """Where a score stands: from `passing` on it passes, under `block` it is blocked, between them is the zone."""
    if at >= cuts.passing - TOLERANCE:
        return "pass"
    return "block" if at < cuts.block - TOLERANCE else "zone"
