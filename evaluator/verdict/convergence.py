"""Do the readers converge, may a check end before all have answered, and the verdict and the decision that follow.

Pure. What can only block ends by exact bounds. All else ends once the chance that the outstanding readers change the
verdict, by simulation from the scores that are in, is at most a stated risk.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from evaluator.model import CONCERNS, Concern, Convergence, Decision, Reason, Sample, Thresholds, VerdictName

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
    return Convergence(mean, stddev, len(valid), concern, lowest.rationale)


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
    """Whether agreement passes: one not defined, for want of two readings, neither passes nor blocks."""
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


PASSED: tuple[VerdictName, Reason] = ("passed", "confident")
FIRST_LOOK = 2
"""Readers of the first look."""


def judge(convergence: Convergence, thresholds: Thresholds) -> tuple[VerdictName, Reason]:
    """Low confidence is named before disagreement, and that before low agreement, when several hold."""
    if passes(convergence, thresholds):
        return PASSED
    if convergence.mean < thresholds.confidence - TOLERANCE:
        return "failed", "low_confidence"
    if convergence.stddev > thresholds.deviation + TOLERANCE:
        return "failed", "disagreement"
    return "failed", "low_agreement"


def first_look_may_pass(thresholds: Thresholds | None, *, destructive: bool) -> bool:
    """Whether a first look is worth its two readers: too few for a destructive call, and without readings to agree."""
    return thresholds is not None and thresholds.agreement is None and not destructive


def first_look_passes(samples: Sequence[Sample], thresholds: Thresholds, *, destructive: bool) -> bool:
    """Whether both readers of the first look are at or above the threshold; what is not is looked at again."""
    if len(samples) < FIRST_LOOK or not first_look_may_pass(thresholds, destructive=destructive):
        return False
    least = thresholds.confidence - TOLERANCE
    return all(one.look == "first" and one.valid and score_of(one) >= least for one in samples)


def deciding(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """The samples that decide: those of the second look, where it was asked; else all."""
    return tuple(one for one in samples if one.look == "second") or tuple(samples)


def decision_of(verdict: VerdictName, mode: str) -> Decision:
    return "deny" if verdict == "failed" and mode == "enforce" else "allow"


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
