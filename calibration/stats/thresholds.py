"""Cuts on the mean that keep false blocks under a target with a guarantee: learn, then test.

Angelopoulos, Bates, Candes, Jordan and Lei 2021, by fixed-sequence testing. Along a sequence of cuts that is fixed
beforehand, from blocking nothing to ever stricter, each "the false-block rate is above the target" is tested by an
exact binomial p-value at delta; the last cut rejected before the first that is not is recommended. With probability
1 - delta over the calibration set its true rate is at or under the target, for the population that the units were drawn
from, and for nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.stats.checks import CheckColumns, blocked
from calibration.stats.estimates import Ints, TooLittle, binomial_at_most
from evaluator.model import Thresholds

DELTA: Final = 0.05
"""The chance at which the true rate may lie over the target."""
SEQUENCE: Final = tuple(Thresholds(step / 100, 1.0) for step in range(101))
"""The cuts in testing order, fixed before any data; each blocks all that the one before it blocks."""
NOTHING: Final = SEQUENCE[0]
"""What blocks nothing."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Thresholds for one target. `false_blocks` of `units` drawn verdicts were blocked at them.

    `blocks_nothing` says that nothing stricter than letting everything through could be certified.
    """

    target: float
    thresholds: Thresholds
    units: int
    false_blocks: int
    blocks_nothing: bool


def minimum_units(target: float) -> int:
    """The fewest clear units with which no false block at all certifies anything: 29, 59, 149."""
    return math.ceil(math.log(DELTA) / math.log1p(-target))


def one_of_each(units: Ints, generator: np.random.Generator) -> Ints:
    """The place of one observation of each unit, drawn evenly, so that what is tested is independent."""
    order = np.lexsort((generator.random(len(units)), units))
    first = np.unique(units[order], return_index=True)[1]
    return order[first].astype(np.int64)


def learn(
    checks: CheckColumns, target: float, generator: np.random.Generator, *, agreement: float | None = None
) -> Recommendation | TooLittle:
    """The strictest certified cut, from one drawn verdict a clear unit; ambiguous checks play no part.

    Where several clear cases or repeats share a unit, one check is drawn, the same for all cuts. `agreement` is the
    threshold that the gate holds readings to beside any cut: its blocks are tested with each.
    """
    clear = checks.only(False)
    needed = minimum_units(target)
    if clear.units < needed:
        return TooLittle("clear units", clear.units, needed)
    drawn = one_of_each(clear.unit, generator)
    best, hits = NOTHING, 0
    for cut in (Thresholds(one.confidence, one.deviation, agreement) for one in SEQUENCE):
        found = int(blocked(clear, cut)[drawn].sum())
        if binomial_at_most(found, len(drawn), target) > DELTA:
            break
        best, hits = cut, found
    return Recommendation(
        target=target,
        thresholds=best,
        units=len(drawn),
        false_blocks=hits,
        blocks_nothing=best.agreement is None and best.confidence <= 0,
    )
