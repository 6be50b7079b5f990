"""What 3, 5, 7 or 9 readers would give, from the scores that were measured.

Up to the readers that were asked, a check is judged by some of its valid ones, drawn without replacement; by all of
them where fewer answered, as the gate does. Beyond, further readers come from the noise model, and the result is
marked as modelled: a forecast, not a measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.stats.checks import CheckColumns, Measured, blocked, columns, columns_of
from calibration.stats.estimate import Estimate, Floats, Ints, TooLittle
from calibration.stats.intervals import rate_of_units
from calibration.stats.noise_model import NoiseModel, fit
from calibration.stats.roc import auc_interval
from calibration.stats.thresholds import Recommendation, learn

COUNTS: Final = (3, 5, 7, 9)
DRAWS: Final = 25
LEAST_WHOLE: Final = 0.5
"""Of a class's checks, to have all `n` readers: one invalid answer makes no forecast of a measurement."""


@dataclass(frozen=True, slots=True)
class ReaderCount:
    """The gate with `n` readers a check. Rates are at the recommended thresholds, over all draws of readers.

    `short` of the measured checks had fewer valid readers than that and were judged by those.
    """

    n: int
    modelled: bool
    short: int
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
    valid = np.array([len(check.scores) for check in checks], dtype=np.int64)
    missing = {label for label in (False, True) if _asked_fewer(valid[table.ambiguous == label], n)}
    used: dict[bool, NoiseModel] = {}
    for label in missing:
        model = models[label]
        if isinstance(model, TooLittle):
            return model
        used[label] = model

    def draw() -> CheckColumns:
        scores = _scores(n, checks, table, used, generator)
        return columns_of(scores, table.ambiguous, table.unit, table.case)

    # One draw at a time: all at once would need their number times the memory.
    first = draw()
    recommendation = learn(first, target, generator)
    thresholds = None if isinstance(recommendation, TooLittle) else recommendation.thresholds
    share, spread = np.zeros(len(checks)), 0.0
    areas: list[Estimate | TooLittle] = []
    for turn in range(draws):
        one = draw() if turn else first
        areas.append(auc_interval(one.mean, one.ambiguous, one.unit))
        spread += 0.0 if one.ambiguous.all() else float(one.stddev[~one.ambiguous].mean())
        if thresholds is not None:
            share += blocked(one, thresholds)
    false_blocks: Estimate | TooLittle
    detection: Estimate | TooLittle
    if isinstance(recommendation, TooLittle):
        false_blocks = detection = recommendation
    else:
        false_blocks, detection = (
            rate_of_units((share / draws)[table.ambiguous == label], table.unit[table.ambiguous == label])
            for label in (False, True)
        )
    return ReaderCount(
        n=n,
        modelled=bool(missing),
        short=0 if missing else int((valid < n).sum()),
        auc=_auc(areas),
        clear_stddev=None if table.ambiguous.all() else spread / draws,
        recommendation=recommendation,
        false_blocks=false_blocks,
        detection=detection,
    )


def _asked_fewer(valid: Ints, n: int) -> bool:
    """Whether a class was asked of fewer than `n` readers: then most of its checks lack some."""
    return len(valid) > 0 and float((valid >= n).mean()) < LEAST_WHOLE


def _scores(
    n: int,
    checks: Sequence[Measured],
    table: CheckColumns,
    models: dict[bool, NoiseModel],
    generator: np.random.Generator,
) -> Floats:
    """`n` readers of each check, shape (checks, n): its own first, in random order, then those of the class's model;
    NaN for what a class without one lacks."""
    found = np.full((len(checks), n), np.nan)
    for row, check in enumerate(checks):
        own = generator.permutation(np.array(check.scores, dtype=np.float64))[:n]
        found[row, : len(own)] = own
    for label, model in models.items():
        rows = np.flatnonzero(table.ambiguous == label)
        further = model.more(np.arange(len(rows), dtype=np.int64), n, generator)
        found[rows] = np.where(np.isnan(found[rows]), further, found[rows])
    return found


def _auc(drawn: Sequence[Estimate | TooLittle]) -> Estimate | TooLittle:
    """The mean over the draws of the AUC and of the ends of its interval."""
    each: list[Estimate] = []
    for found in drawn:
        if isinstance(found, TooLittle):
            return found
        each.append(found)
    value, low, high = np.mean([(one.value, one.low, one.high) for one in each], axis=0).tolist()
    return Estimate(value, low, high, each[0].n, each[0].units)
