"""When certified cuts end a check before all of its readers have answered. Pure: sampling asks this.

Escalating, a look is taken at two readers and after each further one; the cuts were certified for all of these looks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from evaluator.model import LEAST_TO_DESTROY, Certified, Convergence, Sample, Subject, Thresholds
from evaluator.verdict.convergence import TOLERANCE, certain_block, moments, score_of
from evaluator.verdict.decision import judge
from evaluator.verdict.readings import agreement, clusters
from evaluator.verdict.score import side, total

FIRST = 2
"""Readers that are asked at once."""

Look = Callable[[Sequence[Sample]], bool]
"""Valid samples so far -> whether their verdict stands."""


def look_of(subject: Subject, thresholds: Thresholds) -> Look | None:
    """How the check of that subject ends; None where no cuts are certified for it."""
    certified = thresholds.certified
    if certified is None:
        return None
    destructive = subject.effects.operation_class == "destructive"

    def ends(valid: Sequence[Sample]) -> bool:
        if len(valid) < FIRST:
            return False
        mean, stddev = moments([score_of(sample) for sample in valid])
        sizes = [len(one.readers) for one in clusters(valid, subject.pending.project_dir, subject.exchange)]
        found = Convergence(mean, stddev, len(valid), "none", "", agreement(sizes))
        where = side(total(mean, stddev, found.agreement, certified.score), certified.cuts)
        if where == "block":
            return True
        if where == "zone" or (destructive and len(valid) < LEAST_TO_DESTROY):
            return False
        return judge(found, thresholds, destructive=destructive)[0] == "passed"

    return ends


def is_certain(scores: Sequence[float], outstanding: int, thresholds: Thresholds) -> bool:
    """Whether no answer of the `outstanding` readers can turn the verdict into a pass.

    By cuts: readers who all score 1 and share one reading do not bring the score to the lower one.
    """
    certified = thresholds.certified
    if certified is None:
        return certain_block(scores, outstanding, thresholds)
    return bool(scores) and _best(scores, outstanding, certified) < certified.cuts.block - TOLERANCE


def _best(scores: Sequence[float], outstanding: int, certified: Certified) -> float:
    mean = (math.fsum(scores) + outstanding) / (len(scores) + outstanding)
    return total(mean, 0.0, 1.0, certified.score)
