"""Checks as they might have come out: a model of readers' noise, fitted to measured checks of one class.

A check has a centre, each reader a deviation from it. Centres are the measured means, shrunk towards the
class by its variance components and spread by what is left (the usual best linear prediction, Searle, Casella
and McCulloch 1992); deviations are drawn from those measured, so their shape is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.stats.checks import Measured, columns
from calibration.stats.estimate import Floats, Ints, TooLittle
from calibration.stats.noise import components_of

LEAST_DEVIATIONS: Final = 30


@dataclass(frozen=True, slots=True)
class NoiseModel:
    """Centre and remaining uncertainty of each measured check, and the deviations of all readers."""

    centres: Floats
    spreads: Floats
    deviations: Floats

    def draw(self, count: int, n: int, generator: np.random.Generator, *, wary: bool = False) -> Floats:
        """Scores of `n` readers of `count` checks, shape (count, n).

        `wary` gives each reader the chance of one in (deviations + 1) to score 0: that much can be hidden
        by not having been seen yet, so a small calibration promises little.
        """
        places = generator.integers(0, len(self.centres), count)
        drawn = self.more(places, n, generator)
        if wary:
            drawn[generator.random(drawn.shape) < 1 / (len(self.deviations) + 1)] = 0.0
        return drawn

    def more(self, places: Ints, n: int, generator: np.random.Generator) -> Floats:
        """Scores of `n` further readers of the measured checks at `places`, shape (places, n)."""
        count = len(places)
        centres = self.centres[places] + self.spreads[places] * generator.standard_normal(count)
        noise = generator.choice(self.deviations, size=(count, n))
        scores: Floats = np.clip(centres[:, None] + noise, 0.0, 1.0)
        return scores


def fit(checks: Sequence[Measured]) -> NoiseModel | TooLittle:
    """The model of checks of one class. Needs 30 readers' deviations in checks of two readers or more."""
    sizes = np.array([len(check.scores) for check in checks], dtype=np.int64)
    check = np.repeat(np.arange(len(checks)), sizes)
    scores = np.fromiter((score for one in checks for score in one.scores), np.float64, int(sizes.sum()))
    means = np.bincount(check, weights=scores, minlength=len(checks)) / np.maximum(sizes, 1)
    several = sizes[check] > 1
    of = sizes[check][several]
    deviations = (scores - means[check])[several] * np.sqrt(of / (of - 1))
    if len(deviations) < LEAST_DEVIATIONS:
        return TooLittle("readers' deviations", len(deviations), LEAST_DEVIATIONS)
    table = columns(checks)
    found = components_of(checks, table)
    between = (found.checks or 0.0) + (found.cases or 0.0)
    within = (found.readers or 0.0) / sizes
    total = np.maximum(between + within, 1e-12)
    kept = between / total
    centre = float(table.mean.mean())
    return NoiseModel(
        centres=centre + kept * (table.mean - centre),
        spreads=np.sqrt(between * (1 - kept)),
        deviations=deviations,
    )
