"""From convergence to a verdict, and from that to a decision. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.model import Convergence, Decision, Reason, Sample, Thresholds, VerdictName
from evaluator.verdict.convergence import TOLERANCE, passes, score_of

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
    """Whether a first look is worth its two readers: they are too few for a destructive call, and give no readings that
    could agree."""
    return thresholds is not None and thresholds.agreement is None and not destructive


def first_look_passes(samples: Sequence[Sample], thresholds: Thresholds, *, destructive: bool) -> bool:
    """Whether both readers of the first look are at or above the threshold; what is not is looked at again."""
    if len(samples) < FIRST_LOOK or not first_look_may_pass(thresholds, destructive=destructive):
        return False
    return all(
        one.look == "first" and one.valid and score_of(one) >= thresholds.confidence - TOLERANCE
        for one in samples
    )


def deciding(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Those of the second look, where it was asked; else all."""
    return tuple(one for one in samples if one.look == "second") or tuple(samples)


def decision_of(verdict: VerdictName, mode: str) -> Decision:
    return "deny" if verdict == "failed" and mode == "enforce" else "allow"
