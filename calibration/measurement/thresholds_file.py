"""thresholds.json of a result: the little of it that the gate reads. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.measurement.result import Result
from evaluator.configuration.calibrated import Calibrated, as_dict
from evaluator.model import StakesClass, Thresholds


def document(result: Result) -> dict[str, object]:
    """JSON values only; the certified cuts, for the number of readers that was measured."""
    cuts: dict[StakesClass, Thresholds] = {
        stakes: Thresholds(found.cut, 1.0, alpha=found.target)
        for stakes, found in result.recommended.items()
        if found.cut is not None
    }
    return as_dict(
        Calibrated(result.backend, result.model, result.prompt, result.date, {result.n: cuts} if cuts else {})
    )


def sets_any(document: Mapping[str, object]) -> bool:
    """Whether there is something in it that the gate could use."""
    return bool(document["per_n"])
