"""From convergence to a verdict, and from that to a decision."""

from __future__ import annotations

from evaluator.model import (
    NO_BLOCK,
    NO_PASS,
    Certified,
    Convergence,
    Decision,
    Reason,
    Thresholds,
    VerdictName,
)
from evaluator.verdict.convergence import TOLERANCE, passes
from evaluator.verdict.score import penalty, side, total

PASSED: tuple[VerdictName, Reason] = ("passed", "confident")


def judge(
    convergence: Convergence, thresholds: Thresholds, *, destructive: bool = False
) -> tuple[VerdictName, Reason]:
    """Low confidence is named before disagreement, and that before low agreement, when several hold.

    What one reader holds is a disagreement, whatever the thresholds. `destructive` counts for certified cuts alone.
    """
    if thresholds.certified is not None:
        return _by_cuts(convergence, thresholds, thresholds.certified, destructive)
    if passes(convergence, thresholds):
        return PASSED
    if convergence.mean < thresholds.confidence - TOLERANCE:
        return "failed", "low_confidence"
    if convergence.held or convergence.stddev > thresholds.deviation + TOLERANCE:
        return "failed", "disagreement"
    return "failed", "low_agreement"


def _by_cuts(
    convergence: Convergence, thresholds: Thresholds, certified: Certified, destructive: bool
) -> tuple[VerdictName, Reason]:
    """Blocked under the one cut, passed from the other; in the zone between them blocked if destructive."""
    stated = Thresholds(certified.confidence, certified.deviation, thresholds.agreement)
    if not passes(convergence, stated):
        return judge(convergence, stated)
    cuts = certified.cuts
    at = total(convergence.mean, convergence.stddev, convergence.agreement, certified.score)
    where = side(at, cuts)
    if where == "zone":
        # Where the certificate that would decide is missing, the rule without certificates does.
        certain = cuts.passing < NO_PASS if destructive else cuts.block > NO_BLOCK
        if not certain:
            return judge(convergence, Thresholds(thresholds.confidence, thresholds.deviation))
        where = "block" if destructive else "pass"
        cut = cuts.passing
    else:
        cut = cuts.block
    return PASSED if where == "pass" else ("failed", _pulled_under(cut, convergence, certified))


def _pulled_under(cut: float, convergence: Convergence, certified: Certified) -> Reason:
    """Which term brought the score under the cut: the mean, though all else were perfect, then the deviation."""
    score = certified.score
    best = total(convergence.mean, 0.0, 1.0, score)
    if best < cut - TOLERANCE:
        return "low_confidence"
    return "disagreement" if best - penalty(convergence.stddev, score) < cut - TOLERANCE else "low_agreement"


def decision_of(verdict: VerdictName, mode: str) -> Decision:
    return "deny" if verdict == "failed" and mode == "enforce" else "allow"
