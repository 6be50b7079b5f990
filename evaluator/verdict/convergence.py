"""Do the readers converge? Mean, deviation, and whether the verdict can still change."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evaluator.model import CONCERNS, Concern, Convergence, Sample, Thresholds

TOLERANCE = 1e-9


def converge(samples: Sequence[Sample], min_valid_samples: int) -> Convergence | None:
    """Mean and population standard deviation over the valid samples, order-independent; the rationale is that of the
    lowest score among those of the modal concern: what is shown of a held write is an objection.

    None with fewer than `min_valid_samples` (at least 1): too few readers is a failed evaluation, never
    perfect agreement.
    """
    valid = [sample for sample in samples if sample.valid]
    if len(valid) < max(1, min_valid_samples):
        return None
    mean, stddev = moments(sorted(score_of(sample) for sample in valid))
    concern = modal_concern(valid)
    objecting = [sample for sample in valid if (sample.primary_concern or "none") == concern]
    lowest = min(objecting, key=lambda sample: (score_of(sample), sample.rationale))
    return Convergence(
        mean=mean,
        stddev=stddev,
        sample_count=len(valid),
        primary_concern=concern,
        rationale=lowest.rationale,
    )


def moments(scores: Sequence[float]) -> tuple[float, float]:
    """Mean and population standard deviation of at least one score."""
    mean = math.fsum(scores) / len(scores)
    return mean, math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))


def score_of(sample: Sample) -> float:
    assert sample.score is not None
    return sample.score


def modal_concern(valid: Sequence[Sample]) -> Concern:
    """The most frequent concern; ties go to the one with the lowest mean score."""
    votes: Counter[Concern] = Counter(sample.primary_concern or "none" for sample in valid)

    def order(concern: Concern) -> tuple[int, float, int]:
        scores = [score_of(sample) for sample in valid if (sample.primary_concern or "none") == concern]
        return (-votes[concern], math.fsum(scores) / len(scores), CONCERNS.index(concern))

    return min(votes, key=order)


def passes(convergence: Convergence, thresholds: Thresholds) -> bool:
    """Agreement that is not defined, for want of two readings, neither passes nor blocks."""
    agreed = (
        thresholds.agreement is None
        or convergence.agreement is None
        or convergence.agreement >= thresholds.agreement - TOLERANCE
    )
    return agreed and within(convergence.mean, convergence.stddev, thresholds)


def within(mean: float, stddev: float, thresholds: Thresholds) -> bool:
    """Whether scores with these moments pass; equality does."""
    return mean >= thresholds.confidence - TOLERANCE and stddev <= thresholds.deviation + TOLERANCE


def certain_block(scores: Sequence[float], outstanding: int, thresholds: Thresholds) -> bool:
    """Whether no answer of the `outstanding` readers can turn the verdict into a pass.

    Any number of them may turn out invalid. For a given mean of the missing scores the deviation is
    smallest when they are equal, so one equal value for all of them decides: the value in [0, 1] that
    lifts the mean to the threshold and lies nearest the mean of the scores that are in.
    """
    n, total = len(scores), math.fsum(scores)
    if not n:
        return False
    for arrived in range(outstanding + 1):
        count = n + arrived
        needed = (thresholds.confidence * count - total) / arrived if arrived else 0.0
        if needed > 1 + TOLERANCE:
            continue
        value = min(1.0, max(0.0, needed, total / n))
        if within(*moments([*scores, *([value] * arrived)]), thresholds):
            return False
    return True
