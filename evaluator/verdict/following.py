"""How a certified cut follows what the user lets through, and whether its promise still holds. Pure.

Adaptive conformal inference (Gibbs and Candes 2021): c moves by gamma * (alpha - err) with each check that was judged,
err being 1 where it was blocked and the user's own prompt let it through, else 0. A check counts as 0 when it is judged
and as 1 once it is let through, and one prompt counts once, however many calls it lets through: an agent that tries
again and again moves nothing by that.
"""

from __future__ import annotations

import math

from evaluator.model import NO_BLOCK, Cuts
from evaluator.record import Record, replace

GAMMA = 0.02
"""In units of the score: a cut of 10 % goes down by 0.018 with what is let through, and up by 0.002 with any other."""
ANSWERS_MAX = 50
EVIDENCE = 20.0
"""A false alarm in at most one of twenty calibrations, however often one looks (Ville's inequality)."""
BETS = (0.1, 0.2, 0.4, 0.6)
"""Shares of the most that can be staked on more being let through than was promised; the evidence is their mean."""


class Followed(Record):
    """Since the calibration: how far the cut went down, how many checks were judged, in how many answers the user let
    through what was blocked, and the newest of these answers, by digest."""

    lowered: float = 0.0
    judged: int = 0
    released: int = 0
    answers: tuple[str, ...] = ()


def judged(found: Followed, alpha: float) -> Followed:
    """One more check was judged, and is not let through against that."""
    return replace(found, judged=found.judged + 1, lowered=max(0.0, found.lowered - GAMMA * alpha))


def released(found: Followed, answer: str, most: float) -> Followed:
    """What was judged before was let through by that answer; `most` is how far the cut may go down."""
    if answer in found.answers:
        return found
    return Followed(
        max(0.0, min(most, found.lowered + GAMMA)),
        found.judged,
        found.released + 1,
        (*found.answers, answer)[-ANSWERS_MAX:],
    )


def moved(cuts: Cuts, lowered: float, floor: float) -> Cuts:
    """The cuts with the lower one as far down as it may be; never up."""
    if cuts.block == NO_BLOCK or floor >= cuts.block:
        return cuts
    return replace(cuts, block=max(floor, cuts.block - lowered))


def is_broken(found: Followed, alpha: float) -> bool:
    """Whether more is let through than the promised share of false blocks can explain.

    A bet on each check, at fair odds if the share is `alpha`; what is let through is no more than was blocked wrongly.
    """
    if not 0 < alpha < 1:
        return False
    hits, misses = min(found.released, found.judged), max(0, found.judged - found.released)
    wealth = [hits * math.log1p(bet / alpha * (1 - alpha)) + misses * math.log1p(-bet) for bet in BETS]
    # Their own greatest is taken out: after some thousand checks every one of them underflows.
    most = max(wealth)
    evidence = most + math.log(math.fsum(math.exp(one - most) for one in wealth) / len(BETS))
    return evidence >= math.log(EVIDENCE)
