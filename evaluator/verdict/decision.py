"""From convergence to a verdict, and from that to a decision."""

from __future__ import annotations

from evaluator.model import Convergence, Decision, Reason, Thresholds, VerdictName
from evaluator.verdict.convergence import TOLERANCE, passes


def judge(convergence: Convergence, thresholds: Thresholds) -> tuple[VerdictName, Reason]:
    """Low confidence is named before disagreement, and that before low agreement, when several hold.

    What one reader holds is a disagreement, whatever the thresholds.
    """
    if passes(convergence, thresholds):
        return "passed", "confident"
    if convergence.mean < thresholds.confidence - TOLERANCE:
        return "failed", "low_confidence"
    if convergence.held or convergence.stddev > thresholds.deviation + TOLERANCE:
        return "failed", "disagreement"
    return "failed", "low_agreement"


def decision_of(verdict: VerdictName, mode: str) -> Decision:
    return "deny" if verdict == "failed" and mode == "enforce" else "allow"
