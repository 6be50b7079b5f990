"""How likely a judged write should have been held, by what its readers gave. Pure.

From a calibration's labelled cases where it is of these readers (logistic regression of the label on the mean score),
else by a monotone default: even at the thresholds, less so with every step away from them. The estimates are valid
whatever it says; a better judge makes them narrower.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from evaluator.model import Convergence, Thresholds

STEP: Final = 0.10
"""The distance from the thresholds that makes the odds e times smaller, by default."""
LEAST_CASES: Final = 10
"""Of each label, for a map of the project's own."""
SURE: Final = 0.001
_ROUNDS, _RIDGE = 25, 1.0


@dataclass(frozen=True, slots=True)
class JudgeMap:
    """Log odds of "should have been held" as a line over the mean, for the readers of one calibration."""

    backend: str
    model: str
    level: float
    slope: float
    cases: int


def map_of(calibration: Mapping[str, object]) -> JudgeMap | None:
    """From the document of `calibration.json`; None where it has too few cases, or scores that say nothing."""
    means: list[float] = []
    ambiguous: list[float] = []
    for case in cast(Sequence[object], calibration.get("cases") or ()):
        found = cast(Mapping[str, object], case if isinstance(case, dict) else {})
        mean = found.get("confidence")
        if (
            isinstance(mean, (int, float))
            and math.isfinite(mean)
            and found.get("label") in ("clear", "ambiguous")
        ):
            means.append(float(mean))
            ambiguous.append(float(found["label"] == "ambiguous"))
    if min(ambiguous.count(0.0), ambiguous.count(1.0)) < LEAST_CASES:
        return None
    level, slope = _logistic(np.array(means), np.array(ambiguous))
    if slope >= 0:
        return None
    return JudgeMap(
        str(calibration.get("backend") or ""), str(calibration.get("model") or ""), level, slope, len(means)
    )


def should_be_held(
    found: Convergence, limits: Thresholds, backend: str | None, model: str | None, known: JudgeMap | None
) -> float:
    """A probability strictly between 0 and 1."""
    if known is not None and (known.backend, known.model) == (backend or "", model or ""):
        odds = known.level + known.slope * found.mean
    else:
        # The condition that came nearest to failing, or failed by most.
        margins = [found.mean - limits.confidence, limits.deviation - found.stddev]
        if limits.agreement is not None and found.agreement is not None:
            margins.append(found.agreement - limits.agreement)
        odds = -min(margins) / STEP
    return min(1 - SURE, max(SURE, 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))))


def _logistic(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Level and slope by Newton's method; a ridge on the slope keeps classes that are wholly apart finite."""
    centre = float(x.mean())
    rows = np.stack([np.ones(len(x)), x - centre])
    at = np.zeros(2)
    ridge = np.diag([1e-9, _RIDGE * 0.01])
    for _ in range(_ROUNDS):
        share = 1 / (1 + np.exp(-np.clip(at @ rows, -30, 30)))
        slope = rows @ (y - share) - ridge @ at
        bend = (rows * (share * (1 - share) + 1e-9)) @ rows.T + ridge
        step = np.linalg.solve(bend, slope)
        at = at + np.clip(step, -5, 5)
        if float(np.abs(step).max()) < 1e-9:
            break
    return float(at[0] - at[1] * centre), float(at[1])
