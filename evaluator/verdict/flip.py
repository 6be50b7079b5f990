"""What would have turned a verdict: the smallest change of a single reader's score. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.model import Thresholds
from evaluator.record import Record
from evaluator.verdict.convergence import moments, within

STEPS = 100


class Flip(Record):
    """The reader at that place, its score, and the nearest score, in steps of 0.01, that turns the verdict."""

    place: int
    was: float
    needed: float


def smallest_flip(scores: Sequence[float], thresholds: Thresholds) -> Flip | None:
    """None where no single score, whatever it were, would turn the verdict. There is one score at least."""
    before = within(*moments(scores), thresholds)
    found = [
        Flip(place, score, step / STEPS)
        for place, score in enumerate(scores)
        for step in range(STEPS + 1)
        if within(*moments([*scores[:place], step / STEPS, *scores[place + 1 :]]), thresholds) != before
    ]
    return min(found, key=lambda flip: (abs(flip.needed - flip.was), flip.place), default=None)
