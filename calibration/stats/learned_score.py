"""The weights of the score T, fitted on units that certify nothing afterwards.

Any weights give valid certificates, as long as other units set the cuts. Of a small grid those are taken that best tell
ambiguous checks from the lowest clear ones, where a block cut lies; the shipped ones stay unless the gain is more than
its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.stats.checks import CheckColumns
from calibration.stats.estimate import Bools, Floats, Ints
from calibration.stats.looks import total_columns
from calibration.stats.thresholds import one_of_each
from evaluator.model import Score

SHIPPED: Final = Score()
AGREEMENT_WEIGHTS: Final = (0.25, 0.0, 0.1, 0.5, 0.75)
DEVIATION_WEIGHTS: Final = (0.0, 0.25, 0.5, 1.0, 2.0)
CANDIDATES: Final = tuple(Score(w, v) for w in AGREEMENT_WEIGHTS for v in DEVIATION_WEIGHTS)
"""The shipped weights first. No T of them reaches a cut that stands for none."""
LOWEST: Final = 0.2
"""The share of clear units that are the lowest: about twice what a usual aim lets a cut block."""
LEAST_UNITS: Final = 10
"""With fewer units of either class in the third, the shipped weights stay."""
SHARE: Final = 1 / 3


def fitting_units(units: Ints, generator: np.random.Generator) -> Bools:
    """Of observations with the codes `units`, those of a third of all units, drawn evenly."""
    names = np.unique(units)
    chosen = generator.permutation(names)[: round(len(names) * SHARE)]
    return np.isin(units, chosen)


def fitted(checks: CheckColumns, generator: np.random.Generator) -> Score:
    """The weights that suit `checks`, one drawn check a unit of either class."""
    parts = [checks.only(label) for label in (False, True)]
    if min(part.units for part in parts) < LEAST_UNITS:
        return SHIPPED
    drawn = [one_of_each(part.unit, generator) for part in parts]
    clear, ambiguous = (
        (part.mean[rows], part.stddev[rows], part.agreement[rows])
        for part, rows in zip(parts, drawn, strict=True)
    )
    return CANDIDATES[int(best(clear, ambiguous))]


def best(clear: Sequence[Floats], ambiguous: Sequence[Floats]) -> Ints:
    """The place among `CANDIDATES`, shape (...,), of (mean, deviation, agreement) columns of shape (..., units)."""
    shipped = _told(clear, ambiguous, SHIPPED)
    count = math.sqrt(shipped.shape[-1])
    gain = np.zeros((*shipped.shape[:-1], len(CANDIDATES)))
    for place, score in enumerate(CANDIDATES[1:], 1):
        each = _told(clear, ambiguous, score) - shipped
        sure = each.mean(axis=-1) - each.std(axis=-1, ddof=1) / count
        gain[..., place] = np.where(sure > 0, each.mean(axis=-1), 0.0)
    found: Ints = gain.argmax(axis=-1)
    return found


def _told(clear: Sequence[Floats], ambiguous: Sequence[Floats], score: Score) -> Floats:
    """Of each ambiguous unit, the share of the lowest clear ones that lie above it, ties half."""
    high = np.sort(total_columns(clear[0], clear[1], clear[2], score), axis=-1)
    high = high[..., : math.ceil(LOWEST * high.shape[-1])]
    low = total_columns(ambiguous[0], ambiguous[1], ambiguous[2], score)
    gaps = high[..., None, :] - low[..., None]
    found: Floats = ((gaps > 0) + 0.5 * (gaps == 0)).mean(axis=-1)
    return found
