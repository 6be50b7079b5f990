"""Two rates from the answers: prediction-powered, clustered by session (Angelopoulos et al. 2023).

The judge's probabilities, moved to where the answers lie, predict every write; the answers correct the prediction. A
judge that knows nothing has no weight in it. Rates are of all judged writes, those of each population besides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np

from calibration.stats.active.betting import betting_interval
from calibration.stats.active.draws import chance_of_each, chances, weights
from calibration.stats.estimate import LEVEL, Bools, Floats, Ints
from calibration.stats.intervals import clopper_pearson
from calibration.stats.special import beta_quantile, normal_quantile, student_quantile

FEW: Final = 3
"""Answers of the rarer kind under which the interval is a bet's."""
FEW_EVEN: Final = 4
"""Answers of the rarer kind of an even draw under which the interval is by their count alone."""
TRUST: Final = 2.0
"""Answers' worth of doubt in the judge before any was given."""
LEAST_DF: Final = 2
HALVED: Final = 0.5
MOST_TIMES: Final = 1000.0
SAME: Final = 1e-12
"""Variance of probabilities that are one."""

Method = Literal["beta", "betting", "count", "none"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A population of judged writes, and what was answered about some.

    `wrong`: the judge's probability of each write; `session`: the code of each; `mine`: whether the rate counts it at
    all (those that are `blocked`, or the passed ones, which are drawn evenly). `order` are places among those that
    count, first drawn first, all answered; `answers` 1.0 where the verdict was wrong, else 0.0.
    """

    wrong: Floats
    session: Ints
    mine: Bools
    order: Ints
    answers: Floats
    blocked: bool = True


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of writes with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RateFound:
    """`per_check` is of all judged writes, `within` of those of its kind; None where there are none, or no answers.

    `positives` of `answers` said that the verdict was wrong. `more`: answers of this kind that would halve the
    interval, None where answers alone cannot.
    """

    per_check: Rate | None
    within: Rate | None
    writes: int
    answers: int
    positives: int
    method: Method
    more: int | None


def rate_of(asked: Asked) -> RateFound:
    """Raises ValueError for answers that fit no order."""
    if len(asked.order) != len(asked.answers):
        raise ValueError(f"{len(asked.order)} draws, but {len(asked.answers)} answers")
    places = np.flatnonzero(asked.mine)
    total, count, positives = len(places), len(asked.order), round(float(asked.answers.sum()))
    if not total or not count:
        return RateFound(None, None, total, count, positives, "none", None)
    share = total / len(asked.mine)
    relative = chances(asked.wrong[places], asked.blocked)
    values = _predicted(asked.wrong[places], relative, asked.order, asked.answers)
    value = min(1.0, max(0.0, float(values.mean())))
    variance = _clustered(asked, places, values) / share**2
    between = _between(asked, places)
    if min(positives, count - positives) < (FEW if asked.blocked else FEW_EVEN):
        method: Method = "betting" if asked.blocked else "count"
        low, high = (
            _by_bets(relative, asked.order, asked.answers)
            if asked.blocked
            else _by_count(positives, count, total)
        )
        value = min(high, max(low, value))
        low, high = _widened(value, (low, high), between)
    else:
        sessions = len(np.unique(asked.session))
        df = max(LEAST_DF, min(count - 2, (sessions if sessions > 1 else count) - 1))
        low, high = _beta(value, variance, df)
        method = "beta"
    more = _more(value, (low, high), between, count, total)
    return RateFound(
        Rate(value * share, low * share, high * share), Rate(value, low, high), total, count, positives, method, more
    )  # fmt: skip


def _predicted(wrong: Floats, relative: Floats, order: Ints, answers: Floats) -> Floats:
    """A value for each write, of which the mean is the estimate and the spread that of the estimate."""
    total, count = len(wrong), len(order)
    if count == total:
        whole = np.zeros(total)
        whole[order] = answers
        return whole
    weight, seen = weights(relative, order), wrong[order]
    even = float(weight.sum())
    centre, mean = float((weight * seen).sum()) / even, float((weight * answers).sum()) / even
    spread = float((weight * (seen - centre) ** 2).sum())
    slope = 0.0
    if spread > SAME * count:
        slope = float((weight * (seen - centre) * (answers - mean)).sum()) / (spread * (1 + TRUST / count))
    found: Floats = mean + slope * (wrong - centre)
    # Two figures were fitted; the residuals' weighted sum is 0, so this moves the spread alone.
    wide = math.sqrt(count / max(1, count - 2))
    residual = answers - found[order]
    found[order] += total / count * wide * weight * residual
    return found


def _clustered(asked: Asked, places: Ints, values: Floats) -> float:
    """The variance of the rate per check, sessions being what was drawn independently; writes, where there is one."""
    full = np.zeros(len(asked.mine))
    full[places] = values
    sums = np.bincount(asked.session, weights=full - full.mean())
    units = len(np.unique(asked.session))
    if units < 2:
        sums, units = full - full.mean(), len(full)
    return units / max(1, units - 1) * float((sums**2).sum()) / len(full) ** 2


def _between(asked: Asked, places: Ints) -> float:
    """How many independent writes the population is worth: its sessions are a sample too.

    By how much the judge's probabilities vary among sessions beyond what they do among writes.
    """
    apart = asked.wrong[places] - asked.wrong[places].mean()
    alone = float((apart**2).sum())
    sums = np.bincount(asked.session[places], weights=apart)
    # Equal probabilities leave rounding alone.
    design = float((sums**2).sum()) / alone if alone > SAME * len(places) else 1.0
    return len(places) / max(1.0, design)


def _beta(value: float, variance: float, df: int) -> tuple[float, float]:
    """Clopper and Pearson's interval at the size that has this variance (Korn and Graubard 1998)."""
    if variance <= 0 or not 0 < value < 1:
        return value, value
    size = value * (1 - value) / variance * (-normal_quantile(LEVEL / 2) / _student(df)) ** 2
    return _ends(value, size)


def _ends(value: float, size: float) -> tuple[float, float]:
    hits = value * size
    low = beta_quantile(LEVEL / 2, hits, size - hits + 1) if hits > 0 else 0.0
    high = beta_quantile(1 - LEVEL / 2, hits + 1, size - hits) if hits < size else 1.0
    return low, high


@lru_cache(maxsize=1024)
def _student(df: int) -> float:
    return student_quantile(LEVEL, df)


def _by_count(positives: int, count: int, total: int) -> tuple[float, float]:
    """The rate of the population at hand from an even draw (Clopper and Pearson), within what is known of it."""
    low, high = clopper_pearson(positives, count)
    return max(low, positives / total), min(high, (positives + total - count) / total)


def _by_bets(relative: Floats, order: Ints, answers: Floats) -> tuple[float, float]:
    """The rate of the population at hand, every draw worth what was known before it and a weighted answer."""
    total, count = len(relative), len(order)
    chance = chance_of_each(relative, order)
    before = np.concatenate([[0.0], np.cumsum(answers)[:-1]])
    draws = (before + answers / chance) / total
    # The least likely write that is left bounds the next draw.
    left = relative.sum() - np.concatenate([[0.0], np.cumsum(relative[order])[:-1]])
    rarest = np.full(count, np.inf)
    standing = np.sort(relative)
    gone: dict[float, int] = {}
    at = 0
    for place, one in enumerate(order.tolist()):
        while at < total and gone.get(float(standing[at]), 0):
            gone[float(standing[at])] -= 1
            at += 1
        rarest[place] = standing[at]
        gone[float(relative[one])] = gone.get(float(relative[one]), 0) + 1
    most = (before + left / rarest) / total
    known = float(answers.sum())
    return betting_interval(draws, before / total, most, known / total, (known + total - count) / total)


def _widened(value: float, ends: tuple[float, float], size: float) -> tuple[float, float]:
    """The interval of the population at hand, widened by what other sessions would have shown."""
    low, high = _ends(value, max(size, value))
    return (
        max(0.0, value - math.hypot(value - ends[0], value - low)),
        min(1.0, value + math.hypot(ends[1] - value, high - value)),
    )


def _more(value: float, ends: tuple[float, float], between: float, count: int, total: int) -> int | None:
    """Answers besides `count` that halve the interval if all goes on as it did; None if all of `total` would not do.

    The interval's own size is found first: that of a plain sample whose interval (Wilson's) is as wide.
    """
    width = ends[1] - ends[0]
    if width <= 0:
        return None
    own, needed = _size_of(value, width), _size_of(value, width * HALVED)
    # 1 / size = 1 / between + c / answers: only the second part shrinks with answers.
    apart = 1 / own - 1 / between
    rest = 1 / needed - 1 / between
    if rest <= 0 or apart <= 0 or apart / rest > MOST_TIMES:
        return None
    more = math.ceil(count * (apart / rest - 1))
    return more if 0 < more <= total - count else None


def _size_of(value: float, width: float) -> float:
    """By bisection on the scale of logarithms."""
    square = normal_quantile(LEVEL / 2) ** 2
    low, high = 1e-3, 1e9
    for _ in range(80):
        size = math.sqrt(low * high)
        wide = (
            2
            * math.sqrt(square * (value * (1 - value) / size + square / (4 * size**2)))
            / (1 + square / size)
        )
        low, high = (size, high) if wide > width else (low, size)
    return low
