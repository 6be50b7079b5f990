"""What would have turned a verdict: the smallest change of a single reader's score. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluator.model import Thresholds
from evaluator.record import Record
from evaluator.verdict.convergence import moments, within

STEPS = 100


class Flip(Record):
    """The reader at that place, its score, and the nearest score, in steps of 0.01, that turns the verdict."""

    place: int
    was: float
    needed: float


def smallest_flip(
    scores: Sequence[float], thresholds: Thresholds, passes: Callable[[float, float], bool] | None = None
) -> Flip | None:
    """None where no single score, whatever it were, would turn the verdict. There is one score at least.

    `passes` says whether a mean and a deviation do, where the thresholds alone do not decide.
    """

    def ends(given: Sequence[float]) -> bool:
        mean, stddev = moments(given)
        return within(mean, stddev, thresholds) if passes is None else passes(mean, stddev)

    before = ends(scores)
    found = [
        Flip(place, score, step / STEPS)
        for place, score in enumerate(scores)
        for step in range(STEPS + 1)
        if ends([*scores[:place], step / STEPS, *scores[place + 1 :]]) != before
    ]
    return min(found, key=lambda flip: (abs(flip.needed - flip.was), flip.place), default=None)
