"""`compass calibrate --check`: this run against a baseline, as a CI job reports it. Reads no file, prints nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, cast

from calibration.cases.labelled import LABELS, Label
from calibration.measurement.result import CaseResult, figure_json
from calibration.stats.drift import ALPHA, CHECKS, SMALLEST, CaseChecks, Drift, Quantity, Shift, compare
from evaluator.gate.run import Rule
from evaluator.model import Convergence, Thresholds
from evaluator.verdict.decision import judge

CASES_MAX = 1_000_000
Moments = tuple[float, float, float | None]
"""Mean, deviation and agreement of one check; None for an agreement that is not defined."""
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
    checks: tuple[Moments, ...]
    operation_class: str = ""
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
    whole = _moments(row, f"case {name}")
    if label not in LABELS:
        raise ValueError(f"case {name}: its label is none of {', '.join(LABELS)}")
    checks = row.get("checks")
    rows = [_object(check, f"a check of case {name}") for check in _list(checks)] if checks else []
    return BaselineCase(
        name,
        _text(row, "pair", f"case {name}"),
        label == "ambiguous",
        # A row that tells no checks apart counts as one.
        tuple(_moments(check, f"case {name}") for check in rows) or (whole,),
        str(row.get("operation_class") or ""),
        bool(rows) and all("agreement" in check for check in rows),
    )


def _moments(row: Mapping[str, object], where: str) -> Moments:
    agreement = row.get("agreement")
    return (
        _share(row, "confidence", where),
        _share(row, "stddev", where),
        None if agreement is None else _share(row, "agreement", where),
    )


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
    """`cases` are this run's; `rule` is that of the gate in force, by which the checks of both runs are decided, on all
    of their readers. Scores alone decide where the baseline does not tell how far readings agreed.
    """
    if not all(case.tells_agreement for case in baseline.cases.values()):
        rule = Rule(Thresholds(rule.thresholds.confidence, rule.thresholds.deviation))
    before = {
        case.id: _checks(
            case.id,
            case.unit,
            case.ambiguous,
            case.checks,
            rule.of_class(case.operation_class),
            case.operation_class == "destructive",
        )
        for case in baseline.cases.values()
    }
    current = {
        case.id: _checks(
            case.id,
            case.pair,
            case.label == "ambiguous",
            [(check.confidence, check.stddev, check.agreement) for check in case.checks],
            rule.of_class(case.operation_class),
            case.operation_class == "destructive",
        )
        for case in cases
        if case.checks
    }
    drift = compare(tuple(current.values()), tuple(before.values()))
    unread = tuple(case.id for case in cases if case.verdict == "error")
    return Comparison(baseline, drift, before, current, unread)


def _checks(
    case: str, unit: str, ambiguous: bool, checks: Sequence[Moments], gate: Thresholds, destructive: bool
) -> CaseChecks:
    return CaseChecks(
        case,
        unit,
        ambiguous,
        means=tuple(mean for mean, _, _ in checks),
        deviations=tuple(deviation for _, deviation, _ in checks),
        blocked=tuple(float(_blocks(check, gate, destructive)) for check in checks),
    )


def _blocks(check: Moments, gate: Thresholds, destructive: bool) -> bool:
    mean, deviation, agreement = check
    found = Convergence(mean, deviation, 0, "none", "", agreement)
    return judge(found, gate, destructive=destructive)[0] == "failed"
