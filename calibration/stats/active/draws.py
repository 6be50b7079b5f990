"""Which writes to ask about: drawn with a known chance that rises with the judge's uncertainty (Zrnic and Candes 2024).

Draws go without replacement, one after another, so that those of any prefix are a sample of their own. Knows no audit.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from calibration.stats.estimate import Floats, Ints

EVEN: Final = 0.7
"""Of blocked writes, the share of a chance that looks at no probability. No answer weighs more than 1 / EVEN of what it
would by plain sampling, so a judge that is sure and wrong costs little. Passed ones are drawn evenly: misses are so
rare that hardly any is among the answers, and then an interval is as wide as the least likely miss demands."""
CONCEDED: Final = 1.1
"""What passed writes give up of their plain share: a tenth of the interval's width where no answer is a miss."""


def chances(wrong: Floats, blocked: bool = True) -> Floats:
    """Relative chances of mean 1: part even, part by the deviation of an answer, sqrt(p (1 - p)); of passed writes all
    even.

    `wrong` are probabilities, one a write.
    """
    if not blocked:
        return np.ones(len(wrong))
    held = np.clip(wrong, 0.0, 1.0)
    spread = np.sqrt(held * (1 - held))
    mean = float(spread.mean()) if len(spread) else 0.0
    found: Floats = EVEN + (1 - EVEN) * (spread / mean if mean > 0 else np.ones(len(spread)))
    return found


def order_of(relative: Floats, generator: np.random.Generator) -> Ints:
    """All places, each drawn with its chance among those that were left (Efraimidis and Spirakis 2006)."""
    return np.argsort(generator.exponential(size=len(relative)) / relative, kind="stable").astype(np.int64)


def shares(blocked: int, passed: int, answers: int) -> tuple[int, int]:
    """How many blocked and how many passed writes `answers` answers are asked of.

    Passed ones are given 10/11 of what plain sampling would, and blocked ones, of which there are few, the rest.
    """
    total = blocked + passed
    if total <= answers:
        return blocked, passed
    of_passed = min(passed, math.ceil(answers * passed / total / CONCEDED))
    of_blocked = min(blocked, answers - of_passed)
    return of_blocked, min(passed, answers - of_blocked)


def chance_of_each(relative: Floats, order: Ints) -> Floats:
    """The chance that each draw had among what was left at its time."""
    own = relative[order]
    taken = np.concatenate([[0.0], np.cumsum(own)[:-1]])
    found: Floats = own / np.maximum(relative.sum() - taken, own)
    return found


def weights(relative: Floats, order: Ints) -> Floats:
    """What each drawn write stands for, 1 where all chances are equal or all are drawn.

    The weighted mean over the draws is unbiased for the mean over all (Farquhar, Gal and Rainforth 2021).
    """
    total, count = len(relative), len(order)
    if count >= total:
        return np.ones(count)
    left = total - np.arange(count)
    found: Floats = 1 + (total - count) / (left - 1) * (1 / (left * chance_of_each(relative, order)) - 1)
    return found
