"""thresholds.json of a result: the little of it that the gate reads. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.measurement.result import Result
from evaluator.configuration.calibrated import Calibrated, Certificate, as_dict


def document(result: Result) -> dict[str, object]:
    """JSON values only; of numbers of readers for which something is certified."""
    rule = result.certified
    per_n = {
        n: Certificate(rule.score, cuts, rule.of(n, "escalate") or None)
        for n in (rule.per_n if rule is not None else ())
        if rule is not None and (cuts := rule.of(n, "fixed"))
    }
    return as_dict(
        Calibrated(
            backend=result.backend,
            model=result.model,
            prompt=result.prompt,
            date=result.date,
            per_n=per_n,
            sequential=result.sequential,
            thresholds=result.thresholds,
        )
    )


def sets_any(document: Mapping[str, object]) -> bool:
    """Whether there is something in it that the gate could use."""
    return bool(document["per_n"] or document["thresholds"])
