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
    if thresholds.certified is None:
        return None
    destructive = subject.effects.operation_class == "destructive"

    def ends(valid: Sequence[Sample]) -> bool:
        if len(valid) < FIRST:
            return False
        sizes = [len(one.readers) for one in clusters(valid, subject.pending.project_dir, subject.exchange)]
        return settles(seen([score_of(sample) for sample in valid], sizes), thresholds, destructive)

    return ends


def seen(scores: Sequence[float], sizes: Sequence[int]) -> Convergence:
    """What a look sees: the scores of the readers so far, and how many of them share each reading."""
    mean, stddev = moments(scores)
    return Convergence(mean, stddev, len(scores), "none", "", agreement(sizes))


def settles(found: Convergence, thresholds: Thresholds, destructive: bool) -> bool:
    """Whether a check ends at that look, with the verdict on it; never without certified cuts."""
    certified = thresholds.certified
    if certified is None:
        return False
    where = side(total(found.mean, found.stddev, found.agreement, certified.score), certified.cuts)
    if where == "block":
        return True
    if where == "zone" or (destructive and found.sample_count < LEAST_TO_DESTROY):
        return False
    return judge(found, thresholds, destructive=destructive)[0] == "passed"


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
