"""One measured case as the result shows it, with the verdict of the gate by a given rule."""

from __future__ import annotations

from statistics import fmean
from typing import Literal

from calibration.cases.subjects import PROJECT_DIR
from calibration.measurement.judging import CaseOutcome
from calibration.measurement.result import CaseResult, CheckResult
from calibration.measurement.runner import Measurement
from evaluator.gate.run import Rule
from evaluator.model import Convergence, StakesClass
from evaluator.verdict.decision import judge

REQUEST_CHARS_MAX = 160


def verdict_of(outcome: CaseOutcome, rule: Rule, stakes: StakesClass) -> Literal["passed", "failed"]:
    """The gate's own, of all readers."""
    convergence = Convergence(
        outcome.mean,
        outcome.stddev,
        len(outcome.scores),
        "none",
        "",
        agreement=outcome.agreement,
        held=outcome.held,
    )
    thresholds = rule.irreversible if stakes == "irreversible" else rule.reversible
    return "failed" if judge(convergence, thresholds)[0] == "failed" else "passed"


def case_result(one: Measurement, rule: Rule) -> CaseResult:
    case, read = one.case, [outcome for outcome in one.outcomes if outcome.was_read]
    checks = tuple(
        CheckResult(
            outcome.mean,
            outcome.stddev,
            verdict_of(outcome, rule, case.effects.stakes_class),
            outcome.scores,
            outcome.agreement,
            outcome.readings,
            outcome.held,
        )
        for outcome in read
    )
    verdict: Literal["passed", "failed", "skipped", "error"] = "skipped" if not one.asked else "error"
    reason = (
        "not_write_class" if not one.asked else next((o.error for o in one.outcomes if o.error), "not judged")
    )
    lowest = min(read, key=lambda outcome: outcome.mean) if read else CaseOutcome()
    if checks:
        failed = sum(check.verdict == "failed" for check in checks)
        verdict, reason = ("failed" if 2 * failed >= len(checks) else "passed"), ""
    return CaseResult(
        id=case.id,
        label="ambiguous" if case.ambiguous else "clear",
        confidence=fmean(check.confidence for check in checks) if checks else None,
        stddev=fmean(check.stddev for check in checks) if checks else None,
        verdict=verdict,
        reason=reason,
        pair=case.unit,
        category=case.category,
        source=case.source,
        generated=case.generated,
        request=_short(case.exchange.request_text),
        target=_short(", ".join(map(_inside, case.effects.targets)) or case.effects.command),
        concern=lowest.concern,
        rationale=lowest.rationale,
        symbolic=one.symbolic.skipped,
        checks=checks,
        stakes=case.effects.stakes_class,
    )


def _inside(target: str) -> str:
    return target.removeprefix(PROJECT_DIR + "/")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= REQUEST_CHARS_MAX else line[: REQUEST_CHARS_MAX - 1] + "…"
