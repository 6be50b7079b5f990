"""Prediction-powered inference: a rate from many labels of a model, corrected by a few that people gave.

Pure. Angelopoulos, Duchi and Zrnic 2023, PPI++ (arXiv 2311.01453), for a mean, with its variance clustered by unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from calibration.stats.estimates import LEVEL, Floats, Ints, Names, TooLittle, codes, floats, student_quantile

FAR_ANSWERS: Final = 1.0
"""How much of one more answer, at the far end of its scale, each end of the interval allows for: forty answers that all
agree do not show that no prediction is wrong. In 36 simulated worlds 93 to 100 % are covered (20 to 80 answers of 360
turns in 60 sessions, `tests/unit/stats/test_prediction_powered.py`), without it 90 to 100 %."""


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """With its 95 % interval, from `answers` in `units` that have any; `trust` in the predictions, 0 to 1, is the
    lambda of PPI++."""

    value: float
    low: float
    high: float
    answers: int
    units: int
    trust: float


def corrected_rate(predicted: ArrayLike, truth: ArrayLike, units: Names) -> CorrectedRate | TooLittle:
    """The mean of what is true, in [0, 1], of N observations that all have a prediction f in [0, 1], n of them drawn by
    lot a `truth` y, which is NaN for the others. At least two units need one. With means over all and over the n,

        theta = lambda mean_N(f) + mean_n(y - lambda f)

    whatever the predictions are worth: for any lambda its expectation is that of y. With
    a_u = sum over the n in unit u of (y - mean_n(y)) / n, and
    b_u = sum over the n in u of (f - mean_n(f)) / n, less the sum over all in u of (f - mean_N(f)) / N,

        Var(theta) = U / (U - 1) sum_u (a_u - lambda b_u)^2,    lambda = sum_u a_u b_u / sum_u b_u^2 within [0, 1],

    which is least at that lambda (0 leaves the plain mean of the answers). The quantile is Student's, of as many units
    with answers as weigh the same. Each end allows for `FAR_ANSWERS` more at that end of y - lambda f, which lies in
    [-lambda, 1].
    """
    said, true = floats(predicted), np.asarray(truth, dtype=np.float64)
    of = codes(units, len(said))
    seen = ~np.isnan(true)
    answers, answered = int(seen.sum()), len(np.unique(of[seen]))
    if answered < 2:
        return TooLittle("units with an answer", answered, 2)
    a = _summed((true[seen] - true[seen].mean()) / answers, of[seen], of)
    b = _summed((said[seen] - said[seen].mean()) / answers, of[seen], of)
    b -= _summed((said - said.mean()) / len(said), of, of)
    trust = float(np.clip(a @ b / (b @ b), 0.0, 1.0)) if b.any() else 0.0
    total = len(a)
    variance = float(((a - trust * b) ** 2).sum()) * total / (total - 1)
    residual = float((true[seen] - trust * said[seen]).mean())
    alike = answers**2 / float((np.bincount(of[seen]) ** 2.0).sum())
    quantile = student_quantile(LEVEL, max(alike - 1, 1.0))
    value = trust * float(said.mean()) + residual
    ends: list[float] = []
    for end, side in ((-trust, -1), (1.0, 1)):
        weight = FAR_ANSWERS / (answers + FAR_ANSWERS)
        moved = weight * (end - residual)
        spread = (1 - weight) ** 2 * variance + weight * (end - residual - moved) ** 2 / answers
        ends.append(value + moved + side * quantile * math.sqrt(spread))
    value, low, high = np.clip((value, min(ends[0], value), max(ends[1], value)), 0.0, 1.0).tolist()
    return CorrectedRate(value, low, high, answers, answered, trust)


def _summed(values: Floats, of: Ints, every: Ints) -> Floats:
    """By unit, of all units there are in `every`."""
    found: Floats = np.bincount(of, weights=values, minlength=int(every.max()) + 1).astype(np.float64)
    return found
