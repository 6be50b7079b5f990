"""What 3, 5, 7 or 9 readers would give, from the scores that were measured.

Up to the readers that a check has, it is judged by some of them, drawn without replacement. Beyond, further
readers come from the noise model, and the result is marked as modelled: a forecast, not a measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.stats.checks import CheckColumns, Measured, blocked, columns, columns_of
from calibration.stats.estimate import Estimate, Floats, TooLittle
from calibration.stats.intervals import rate_of_units
from calibration.stats.noise_model import NoiseModel, fit
from calibration.stats.roc import auc_interval
from calibration.stats.thresholds import Recommendation, learn

COUNTS: Final = (3, 5, 7, 9)
DRAWS: Final = 25


@dataclass(frozen=True, slots=True)
class ReaderCount:
    """The gate with `n` readers a check. Rates are at the recommended thresholds, over all draws of readers."""

    n: int
    modelled: bool
    auc: Estimate | TooLittle
    clear_stddev: float | None
    recommendation: Recommendation | TooLittle
    false_blocks: Estimate | TooLittle
    detection: Estimate | TooLittle


def readers_needed(
    checks: Sequence[Measured],
    target: float,
    generator: np.random.Generator,
    *,
    counts: Sequence[int] = COUNTS,
    draws: int = DRAWS,
) -> tuple[ReaderCount | TooLittle, ...]:
    """One entry for each of `counts`: `TooLittle` where readers are missing and cannot be modelled."""
    models = {label: fit([check for check in checks if check.ambiguous == label]) for label in (False, True)}
    table = columns(checks)
    return tuple(_with(n, checks, table, models, target, generator, draws) for n in counts)


def _with(
    n: int,
    checks: Sequence[Measured],
    table: CheckColumns,
    models: dict[bool, NoiseModel | TooLittle],
    target: float,
    generator: np.random.Generator,
    draws: int,
) -> ReaderCount | TooLittle:
    missing = {check.ambiguous for check in checks if len(check.scores) < n}
    for label in missing:
        model = models[label]
        if isinstance(model, TooLittle):
            return model
    drawn = [
        columns_of(_scores(n, checks, table, models, generator), table.ambiguous, table.unit, table.case)
        for _ in range(draws)
    ]
    recommendation = learn(drawn[0], target, generator)
    false_blocks: Estimate | TooLittle
    detection: Estimate | TooLittle
    if isinstance(recommendation, TooLittle):
        false_blocks = detection = recommendation
    else:
        share = np.mean([blocked(one, recommendation.thresholds) for one in drawn], axis=0)
        false_blocks, detection = (
            rate_of_units(share[table.ambiguous == label], table.unit[table.ambiguous == label])
            for label in (False, True)
        )
    return ReaderCount(
        n=n,
        modelled=bool(missing),
        auc=_auc(drawn),
        clear_stddev=None
        if table.ambiguous.all()
        else float(np.mean([one.only(False).stddev for one in drawn])),
        recommendation=recommendation,
        false_blocks=false_blocks,
        detection=detection,
    )


def _scores(
    n: int,
    checks: Sequence[Measured],
    table: CheckColumns,
    models: dict[bool, NoiseModel | TooLittle],
    generator: np.random.Generator,
) -> Floats:
    """`n` readers of each check, shape (checks, n): its own first, in random order, then modelled ones."""
    found = np.full((len(checks), n), np.nan)
    for row, check in enumerate(checks):
        own = generator.permutation(np.array(check.scores, dtype=np.float64))[:n]
        found[row, : len(own)] = own
    for label, model in models.items():
        if isinstance(model, NoiseModel):
            rows = np.flatnonzero(table.ambiguous == label)
            further = model.more(np.arange(len(rows), dtype=np.int64), n, generator)
            found[rows] = np.where(np.isnan(found[rows]), further, found[rows])
    return found


def _auc(drawn: Sequence[CheckColumns]) -> Estimate | TooLittle:
    """The mean over the draws of the AUC and of the ends of its interval."""
    each: list[Estimate] = []
    for one in drawn:
        found = auc_interval(one.mean, one.ambiguous, one.unit)
        if isinstance(found, TooLittle):
            return found
        each.append(found)
    value, low, high = np.mean([(one.value, one.low, one.high) for one in each], axis=0).tolist()
    return Estimate(value, low, high, each[0].n, each[0].units)
