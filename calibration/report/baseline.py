"""`compass calibrate --check`: this run against a baseline, as a CI job reports it. Reads no file, prints nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal

from pydantic import TypeAdapter, ValidationError

from calibration.cases.case import LABELS, Label
from calibration.measurement.measure import blocked_by
from calibration.measurement.result import CaseResult
from calibration.stats.drift import ALPHA, CHECKS, SMALLEST, CaseChecks, Drift, Quantity, compare
from evaluator.gate.run import Rule

TITLES: Final[Mapping[Quantity, str]] = {
    "mean": "mean score",
    "deviation": "deviation between readers",
    "verdict": "share blocked",
}
"""What a person reads for each quantity."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What an earlier result says of its cases. `n` readers; `date` as it stands there. `prompt` is the fingerprint of
    what the readers are told besides the evidence."""

    version: Literal[1]
    backend: str
    model: str
    prompt: str
    date: str
    n: int
    cases: Sequence[CaseResult]

    @property
    def known(self) -> frozenset[str]:
        """The ids of the baseline's cases that were read."""
        return frozenset(case.id for case in self.cases if case.checks)


@dataclass(frozen=True, slots=True)
class Comparison:
    """`drift` of the cases that both have; `unread` are those that this run could not judge."""

    path: str
    baseline: Baseline
    drift: Drift
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
            "baseline": {"path": self.path, "date": self.baseline.date, "n": self.baseline.n},
            "shifts": [asdict(shift) | {"label": label_of(shift.ambiguous)} for shift in self.drift.shifts],
            "untested": [asdict(found) for found in self.drift.untested],
            "unmatched": list(self.drift.unmatched),
            "unread": list(self.unread),
        }


def label_of(ambiguous: bool) -> Label:
    return LABELS[int(ambiguous)]


def baseline_of(path: str, text: str) -> Baseline:
    """An earlier result to compare with, from its file's text. Raises ValueError, naming the file and what is wrong."""
    try:
        found = TypeAdapter(Baseline).validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(
            f"{path}: not a result of `compass calibrate`: {where}: {first['msg']}"[:200]
        ) from None
    for case in found.cases:
        for check in case.checks:
            if not (0 <= check.confidence <= 1 and 0 <= check.stddev <= 1):
                raise ValueError(
                    f"{path}: not a result of `compass calibrate`: {case.id}: a score is not in [0, 1]"
                )
    return found


def compared(path: str, cases: Sequence[CaseResult], baseline: Baseline, rule: Rule) -> Comparison:
    """This run's cases against an earlier result's, by drift. `cases` are this run's, `path` is the baseline's; `rule`
    is that of the gate in force and decides the checks of both."""
    drift = compare(checks_of(cases, rule), checks_of(baseline.cases, rule))
    return Comparison(path, baseline, drift, tuple(case.id for case in cases if not case.checks))


def checks_of(cases: Sequence[CaseResult], rule: Rule) -> list[CaseChecks]:
    """The checks of the cases that were read, with the rule's verdicts."""
    return [
        CaseChecks(
            case.id,
            case.pair,
            case.label == "ambiguous",
            means=tuple(check.confidence for check in case.checks),
            deviations=tuple(check.stddev for check in case.checks),
            blocked=tuple(float(blocked_by(check, rule, case.stakes)) for check in case.checks),
        )
        for case in cases
        if case.checks
    ]


def drift_headline(found: Comparison) -> str:
    if not found.tested:
        return "The readers could not be compared: too few cases in common"
    if not found.drift.alarm:
        return "The readers answer as before"
    moved = [
        f"{TITLES[shift.quantity]} of {label_of(shift.ambiguous)} cases"
        for shift in found.drift.shifts
        if shift.alarm
    ]
    return f"The readers have drifted: {', '.join(moved)}"


def drift_lines(found: Comparison) -> list[str]:
    """The headline and one line a label and quantity."""
    told = [f"{drift_headline(found)} (baseline from {found.baseline.date})."]
    for shift in found.drift.shifts:
        change = shift.change
        told.append(
            f"  {label_of(shift.ambiguous):<10} {TITLES[shift.quantity]:<26} {change.value:+.3f} "
            f"[{change.low:+.3f}, {change.high:+.3f}], p {shift.p:.2g}, {change.units} units"
            f"{'  drifted' if shift.alarm else ''}"
        )
    told += [f"  {lack.units} {lack.of}; at least {lack.needed} are needed" for lack in found.drift.untested]
    if found.unread:
        told.append(f"  {len(found.unread)} cases got too few answers and are left out")
    return told
