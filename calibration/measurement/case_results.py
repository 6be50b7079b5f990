"""One measured case as the result shows it, with the verdict of the gate by a given rule."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import Literal

from calibration.cases.subjects import PROJECT_DIR
from calibration.measurement.judging import CaseOutcome
from calibration.measurement.result import CaseResult, CheckResult
from calibration.measurement.runner import Measurement
from calibration.stats.checks import NO_READING
from evaluator.gate.run import Rule
from evaluator.model import Convergence, Thresholds
from evaluator.verdict.decision import judge
from evaluator.verdict.escalation import FIRST, seen, settles

REQUEST_CHARS_MAX = 160


def verdict_of(outcome: CaseOutcome, rule: Rule, operation_class: str) -> Literal["passed", "failed"]:
    """The gate's own: by the cuts of that class where any are certified, after as many readers as it would ask. A class
    that is not known goes by the thresholds alone."""
    thresholds, destructive = rule.of_class(operation_class), operation_class == "destructive"
    if operation_class in rule.escalates:
        for look in range(FIRST, len(outcome.scores)):
            sizes = Counter(code for code in outcome.readings[:look] if code != NO_READING)
            found = seen(outcome.scores[:look], list(sizes.values()))
            if settles(found, thresholds, destructive):
                return _end(found, thresholds, destructive)
    convergence = Convergence(
        outcome.mean,
        outcome.stddev,
        len(outcome.scores),
        "none",
        "",
        agreement=outcome.agreement,
        held=outcome.held,
    )
    return _end(convergence, thresholds, destructive)


def _end(found: Convergence, thresholds: Thresholds, destructive: bool) -> Literal["passed", "failed"]:
    return "failed" if judge(found, thresholds, destructive=destructive)[0] == "failed" else "passed"


def case_result(one: Measurement, rule: Rule) -> CaseResult:
    case, read = one.case, [outcome for outcome in one.outcomes if outcome.was_read]
    checks = tuple(
        CheckResult(
            outcome.mean,
            outcome.stddev,
            verdict_of(outcome, rule, case.effects.operation_class),
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
        operation_class=case.effects.operation_class,
    )


def _inside(target: str) -> str:
    return target.removeprefix(PROJECT_DIR + "/")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= REQUEST_CHARS_MAX else line[: REQUEST_CHARS_MAX - 1] + "…"
