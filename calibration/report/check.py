"""`compass calibrate --check`: this run against a baseline, as a CI job reports it. Reads no file, prints nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, cast

from calibration.cases.labelled import LABELS, Label
from calibration.measurement.case_results import verdict_of
from calibration.measurement.judging import CaseOutcome
from calibration.measurement.result import CaseResult, CheckResult, figure_json
from calibration.stats.drift import ALPHA, CHECKS, SMALLEST, CaseChecks, Drift, Quantity, Shift, compare
from evaluator.gate.run import Rule
from evaluator.model import StakesClass
from evaluator.record import replace

CASES_MAX = 1_000_000
TITLES: Final[Mapping[Quantity, str]] = {
    "mean": "mean score",
    "deviation": "deviation between readers",
    "verdict": "share blocked",
}
"""What a person reads for each quantity."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What an earlier result says of its cases: the pairs of the checks of each. `n` readers; `date` as it stands
    there."""

    path: str
    date: str
    n: int
    cases: Mapping[str, BaselineCase]


@dataclass(frozen=True, slots=True)
class BaselineCase:
    """One case that was read; `checks` has at least one entry. `tells_agreement`: whether they state it at all."""

    id: str
    unit: str
    ambiguous: bool
    checks: tuple[CheckResult, ...]
    stakes: StakesClass = "reversible"
    tells_agreement: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """`drift` of the cases that both have; `missing` are those of the baseline that this run could not judge.

    `before` and `current`: the cases of either run, both with verdicts of the gate in force now.
    """

    baseline: Baseline
    drift: Drift
    before: Mapping[str, CaseChecks]
    current: Mapping[str, CaseChecks]
    unread: tuple[str, ...]

    @property
    def tested(self) -> bool:
        """Whether there was enough in common to tell anything."""
        return bool(self.drift.shifts)

    def as_json(self) -> dict[str, object]:
        return {
            "drift": self.drift.alarm,
            "tested": self.tested,
            "alpha": ALPHA,
            "checks": CHECKS,
            "level": self.drift.level,
            "smallest": SMALLEST,
            "baseline": {"path": self.baseline.path, "date": self.baseline.date, "n": self.baseline.n},
            "shifts": [_shift(shift) for shift in self.drift.shifts],
            "untested": [asdict(found) for found in self.drift.untested],
            "unmatched": list(self.drift.unmatched),
            "unread": list(self.unread),
            "cases": [
                _moved(case, self.before[name]) for name, case in self.current.items() if name in self.before
            ],
        }


def _shift(shift: Shift) -> dict[str, object]:
    label = label_of(shift.ambiguous)
    return {
        "label": label,
        "quantity": shift.quantity,
        "change": figure_json(shift.change),
        "p": shift.p,
        "alarm": shift.alarm,
    }


def _moved(case: CaseChecks, before: CaseChecks) -> dict[str, object]:
    return {
        "id": case.case,
        "label": label_of(case.ambiguous),
        "was": before.mean,
        "is": case.mean,
        "deviation": {"was": before.deviation, "is": case.deviation},
        "blocked": {"was": before.blocked_share, "is": case.blocked_share},
    }


def label_of(ambiguous: bool) -> Label:
    return LABELS[int(ambiguous)]


def baseline_of(path: str, text: str) -> Baseline:
    """From the text of a result file. Raises ValueError, naming the file and what is wrong, for anything else."""
    try:
        return _baseline(path, _object(json.loads(text), "the whole"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not a result of `compass calibrate`: {error}"[:200]) from None


def _baseline(path: str, whole: Mapping[str, object]) -> Baseline:
    rows, n = whole.get("cases"), whole.get("n")
    if not isinstance(rows, list):
        raise ValueError("it holds no list of cases")  # noqa: TRY004 - a value of the file
    if not isinstance(n, int) or isinstance(n, bool):
        raise ValueError("n, the number of readers, is no whole number")  # noqa: TRY004 - a value of the file
    listed = enumerate(cast(Sequence[object], rows)[:CASES_MAX], 1)
    cases = [found for at, row in listed if (found := _case(_object(row, f"case {at}"))) is not None]
    return Baseline(path, _text(whole, "date", "the whole"), n, {case.id: case for case in cases})


def _case(row: Mapping[str, object]) -> BaselineCase | None:
    """None for a case that was not read."""
    name, label = _text(row, "id", "a case"), row.get("label")
    if row.get("confidence") is None:
        return None
    whole = _checked(row, f"case {name}")
    if label not in LABELS:
        raise ValueError(f"case {name}: its label is none of {', '.join(LABELS)}")
    checks = row.get("checks")
    rows = [_object(check, f"a check of case {name}") for check in _list(checks)] if checks else []
    return BaselineCase(
        name,
        _text(row, "pair", f"case {name}"),
        label == "ambiguous",
        # A row that tells no checks apart counts as one.
        tuple(_checked(check, f"case {name}") for check in rows) or (whole,),
        "irreversible" if row.get("stakes") == "irreversible" else "reversible",
        bool(rows) and all("agreement" in check for check in rows),
    )


def _checked(row: Mapping[str, object], where: str) -> CheckResult:
    agreement = row.get("agreement")
    scores, readings = (_numbers(row.get(name), f"{where}: {name}") for name in ("scores", "readings"))
    if readings and len(readings) != len(scores):
        raise ValueError(f"{where}: {len(readings)} readings of {len(scores)} scores")
    return CheckResult(
        _share(row, "confidence", where),
        _share(row, "stddev", where),
        "failed" if row.get("verdict") == "failed" else "passed",
        tuple(scores),
        None if agreement is None else _share(row, "agreement", where),
        tuple(map(int, readings)),
        row.get("held") is True,
    )


def _numbers(value: object, where: str) -> list[float]:
    found = _list([] if value is None else value)
    numbers = [float(one) for one in found if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if len(numbers) != len(found) or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{where} are no numbers")
    return numbers


def _share(row: Mapping[str, object], name: str, where: str) -> float:
    value = row.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(f"{where}: {name} is no number from 0 to 1")
    return float(value)


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise ValueError("checks of a case are no list")  # noqa: TRY004 - a value of the file
    return cast(Sequence[object], value)


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} is no JSON object")  # noqa: TRY004 - a value of the file
    return cast(Mapping[str, object], value)


def _text(row: Mapping[str, object], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{where} has no {name}")  # noqa: TRY004 - a value of the file
    return value


def compared(cases: Sequence[CaseResult], baseline: Baseline, rule: Rule) -> Comparison:
    """`cases` are this run's; `rule` is that of the gate in force, by which the checks of both runs are decided.
    Scores alone decide where the baseline does not tell how far readings agreed.
    """
    rule = _told_by(baseline, rule)
    before = {
        case.id: _checks(case.id, case.unit, case.ambiguous, case.checks, rule, case.stakes)
        for case in baseline.cases.values()
    }
    current = {
        case.id: _checks(case.id, case.pair, case.label == "ambiguous", case.checks, rule, case.stakes)
        for case in cases
        if case.checks
    }
    drift = compare(tuple(current.values()), tuple(before.values()))
    unread = tuple(case.id for case in cases if case.verdict == "error")
    return Comparison(baseline, drift, before, current, unread)


def _told_by(baseline: Baseline, rule: Rule) -> Rule:
    """As much of the rule as the baseline can be held against."""
    if all(case.tells_agreement for case in baseline.cases.values()):
        return rule
    return Rule(replace(rule.reversible, agreement=None), replace(rule.irreversible, agreement=None))


def _checks(
    case: str,
    unit: str,
    ambiguous: bool,
    checks: Sequence[CheckResult],
    rule: Rule,
    stakes: StakesClass,
) -> CaseChecks:
    return CaseChecks(
        case,
        unit,
        ambiguous,
        means=tuple(check.confidence for check in checks),
        deviations=tuple(check.stddev for check in checks),
        blocked=tuple(float(verdict_of(_outcome(check), rule, stakes) == "failed") for check in checks),
    )


def _outcome(check: CheckResult) -> CaseOutcome:
    return CaseOutcome(
        check.scores, check.readings, check.confidence, check.stddev, check.agreement, check.held
    )
