"""The noise floor, how much of it is the readers' own, and by that what other numbers of readers would give.

A check has a centre, each reader a deviation from it. Centres are the measured means, shrunk towards the class by how
much of their variance is between checks, and spread by what is left (the usual best linear prediction, Searle, Casella
and McCulloch 1992); deviations are drawn from those measured, so their shape is kept.

Up to the readers that were asked, a check is judged by some of its valid ones, drawn without replacement; by all of
them where fewer answered, as the gate does. Beyond, further readers come from this model, and the result is marked as
modelled: a forecast, not a measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.stats.checks import CheckColumns, Measured, auc_interval, blocked, columns, columns_of, learn
from calibration.stats.estimates import Estimate, Floats, Ints, TooLittle, bounded_mean, rate_of_units
from evaluator.model import Thresholds

FLOOR_CLEAR_UNITS: Final = 10
FLOOR_AMBIGUOUS_UNITS: Final = 5
STDDEV_MOST: Final = 0.5
"""Of scores in [0, 1]: half of them at either end."""


@dataclass(frozen=True, slots=True)
class Floor:
    """One class: `mean` and `stddev` of its checks with intervals over units. The mean over the clear class is the
    noise floor. `checks` is how many were measured."""

    checks: int
    mean: Estimate
    stddev: Estimate


def floor(checks: Sequence[Measured], ambiguous: bool) -> Floor | TooLittle:
    """The noise floor of one class; at least 10 clear or 5 ambiguous units."""
    table = columns([check for check in checks if check.ambiguous == ambiguous])
    needed = FLOOR_AMBIGUOUS_UNITS if ambiguous else FLOOR_CLEAR_UNITS
    if table.units < needed:
        return TooLittle("ambiguous units" if ambiguous else "clear units", table.units, needed)
    mean = bounded_mean(table.mean, table.unit)
    stddev = bounded_mean(table.stddev, table.unit, most=STDDEV_MOST)
    assert isinstance(mean, Estimate) and isinstance(stddev, Estimate)
    return Floor(len(table), mean, stddev)


LEAST_DEVIATIONS: Final = 30


@dataclass(frozen=True, slots=True)
class NoiseModel:
    """Centre and remaining uncertainty of each measured check, and the deviations of all readers."""

    centres: Floats
    spreads: Floats
    deviations: Floats

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
    # Readers of a check as against checks, by the method of moments (one-way analysis of variance).
    within = float((deviations**2).mean()) / sizes
    between = max(float(means.var(ddof=1)) - float(within.mean()), 0.0)
    kept = between / np.maximum(between + within, 1e-12)
    centre = float(means.mean())
    return NoiseModel(
        centres=centre + kept * (means - centre), spreads=np.sqrt(between * (1 - kept)), deviations=deviations
    )


COUNTS: Final = (3, 5, 7, 9)
DRAWS: Final = 25
LEAST_WHOLE: Final = 0.5
"""Of a class's checks, to have all `n` readers: one invalid answer makes no forecast of a measurement."""


@dataclass(frozen=True, slots=True)
class ReadersRow:
    """The gate with `n` readers; `modelled` rows are forecasts, not measurements. `why` tells what is missing."""

    n: int
    modelled: bool = False
    auc: Estimate | TooLittle | None = None
    thresholds: Thresholds | None = None
    false_block_rate: Estimate | TooLittle | None = None
    detection_rate: Estimate | TooLittle | None = None
    why: str = ""


def readers_needed(
    checks: Sequence[Measured],
    target: float,
    generator: np.random.Generator,
    *,
    counts: Sequence[int] = COUNTS,
) -> tuple[ReadersRow, ...]:
    """One for each of `counts`. Rates are at the certified cut of each, over all draws of readers."""
    models = {label: fit([check for check in checks if check.ambiguous == label]) for label in (False, True)}
    table = columns(checks)
    return tuple(_noise_readers_row(n, checks, table, models, target, generator) for n in counts)


def _noise_readers_row(
    n: int,
    checks: Sequence[Measured],
    table: CheckColumns,
    models: dict[bool, NoiseModel | TooLittle],
    target: float,
    generator: np.random.Generator,
) -> ReadersRow:
    valid = np.array([len(check.scores) for check in checks], dtype=np.int64)
    enough = {label: valid[table.ambiguous == label] >= n for label in (False, True)}
    # A class that was asked of fewer readers: most of its checks lack some.
    missing = {label for label, held in enough.items() if len(held) and float(held.mean()) < LEAST_WHOLE}
    used: dict[bool, NoiseModel] = {}
    for label in missing:
        model = models[label]
        if isinstance(model, TooLittle):
            return ReadersRow(n, why=_noise_missing_units(model))
        used[label] = model

    def draw() -> CheckColumns:
        """`n` readers of each check: its own first, in random order, then those of the class's model."""
        scores = np.full((len(checks), n), np.nan)
        for place, check in enumerate(checks):
            own = generator.permutation(np.array(check.scores, dtype=np.float64))[:n]
            scores[place, : len(own)] = own
        for label, model in used.items():
            rows = np.flatnonzero(table.ambiguous == label)
            further = model.more(np.arange(len(rows), dtype=np.int64), n, generator)
            scores[rows] = np.where(np.isnan(scores[rows]), further, scores[rows])
        return columns_of(scores, table.ambiguous, table.unit, table.case)

    # One draw at a time: all at once would need their number times the memory.
    first = draw()
    found = learn(first, target, generator)
    share = np.zeros(len(checks))
    areas: list[Estimate | TooLittle] = []
    for turn in range(DRAWS):
        one = draw() if turn else first
        areas.append(auc_interval(one.mean, one.ambiguous, one.unit))
        if not isinstance(found, TooLittle):
            share += blocked(one, found.thresholds)
    row = ReadersRow(n, modelled=bool(missing), auc=_mean_noise_auc(areas))
    if isinstance(found, TooLittle):
        return replace(row, false_block_rate=found, detection_rate=found, why=_noise_missing_units(found))
    false_blocks, detection = (
        rate_of_units((share / DRAWS)[table.ambiguous == label], table.unit[table.ambiguous == label])
        for label in (False, True)
    )
    return replace(
        row,
        # A forecast is nothing that a gate may stand on.
        thresholds=None if found.blocks_nothing or missing else found.thresholds,
        false_block_rate=false_blocks,
        detection_rate=detection,
        why="no threshold that blocks anything could be certified" if found.blocks_nothing else "",
    )


def _noise_missing_units(found: TooLittle) -> str:
    return f"{found.units} {found.of}; at least {found.needed} are needed"


def _mean_noise_auc(drawn: Sequence[Estimate | TooLittle]) -> Estimate | TooLittle:
    """The mean over the draws of the AUC and of the ends of its interval."""
    each: list[Estimate] = []
    for found in drawn:
        if isinstance(found, TooLittle):
            return found
        each.append(found)
    value, low, high = np.mean([(one.value, one.low, one.high) for one in each], axis=0).tolist()
    return Estimate(value, low, high, each[0].n, each[0].units)
