"""`compass calibrate --check`: this run against a baseline, as a CI job reports it. Reads no file, prints nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from pydantic import TypeAdapter, ValidationError

from calibration.cases.case import LABELS, Label
from calibration.measurement.measure import blocked_by
from calibration.measurement.result import CaseResult, CheckResult, plain
from calibration.stats.drift import ALPHA, CHECKS, SMALLEST, CaseChecks, Drift, Quantity, Shift, compare
from evaluator.gate.run import Rule
from evaluator.model import StakesClass

WORST_MAX = 10
"""Cases that a summary lists."""
TITLES: Final[Mapping[Quantity, str]] = {
    "mean": "mean score",
    "deviation": "deviation between readers",
    "verdict": "share blocked",
}
"""What a person reads for each quantity."""


@dataclass(frozen=True, slots=True)
class BaselineCase:
    """One case of an earlier result; `checks` has at least one entry where it was read."""

    id: str
    pair: str
    label: Label
    stakes: StakesClass
    checks: tuple[CheckResult, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """What an earlier result says of its cases. `n` readers; `date` as it stands there."""

    date: str
    n: int
    cases: Sequence[BaselineCase]

    @property
    def known(self) -> frozenset[str]:
        """The ids of the baseline's cases that were read."""
        return frozenset(case.id for case in self.cases if case.checks)


@dataclass(frozen=True, slots=True)
class Comparison:
    """`drift` of the cases that both have; `missing` are those of the baseline that this run could not judge.

    `before` and `current`: the cases of either run, both with verdicts of the gate in force now.
    """

    path: str
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
            "baseline": {"path": self.path, "date": self.baseline.date, "n": self.baseline.n},
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
        "change": plain(shift.change),
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
    """An earlier result to compare with, from the text of its file. Raises ValueError, naming the file and what is
    wrong, for anything else."""
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
            if not all(0 <= one <= 1 for one in (check.confidence, check.stddev, *check.scores)):
                raise ValueError(
                    f"{path}: not a result of `compass calibrate`: {case.id}: a score is not in [0, 1]"
                )
    return found


def compared(path: str, cases: Sequence[CaseResult], baseline: Baseline, rule: Rule) -> Comparison:
    """This run's cases against an earlier result's, by drift. `cases` are this run's, `path` is the baseline's; `rule`
    is that of the gate in force and decides the checks of both."""
    before, current = (
        {case.id: _checks(case, rule) for case in run if case.checks} for run in (baseline.cases, cases)
    )
    drift = compare(tuple(current.values()), tuple(before.values()))
    unread = tuple(case.id for case in cases if case.verdict == "error")
    return Comparison(path, baseline, drift, before, current, unread)


def _checks(case: BaselineCase | CaseResult, rule: Rule) -> CaseChecks:
    return CaseChecks(
        case.id,
        case.pair,
        case.label == "ambiguous",
        means=tuple(check.confidence for check in case.checks),
        deviations=tuple(check.stddev for check in case.checks),
        blocked=tuple(blocked_by(check, rule, case.stakes) for check in case.checks),
    )


def headline(found: Comparison) -> str:
    if not found.tested:
        return "The readers could not be compared: too few cases in common"
    if not found.drift.alarm:
        return "The readers answer as they did"
    moved = [
        f"{TITLES[shift.quantity]} of {label_of(shift.ambiguous)} cases"
        for shift in found.drift.shifts
        if shift.alarm
    ]
    return f"The readers have moved: {', '.join(moved)}"


def lines(found: Comparison) -> list[str]:
    """The headline and one line a label and quantity."""
    told = [f"{headline(found)} (baseline of {found.baseline.date})."]
    for shift in found.drift.shifts:
        change = shift.change
        told.append(
            f"  {label_of(shift.ambiguous):<10} {TITLES[shift.quantity]:<26} {change.value:+.3f} "
            f"[{change.low:+.3f}, {change.high:+.3f}], p {shift.p:.2g}, {change.units} units"
            f"{'  moved' if shift.alarm else ''}"
        )
    told += [f"  {lack.units} {lack.of}, at least {lack.needed} are needed" for lack in found.drift.untested]
    if found.unread:
        told.append(f"  {len(found.unread)} cases got too few answers and are left out")
    return told


def markdown(found: Comparison) -> str:
    drift, said = found.drift, headline(found)
    rows = [_row(shift) for shift in drift.shifts]
    rows += [
        f"| {lack.of.split()[0]} | | | | | {lack.units} | needs {lack.needed} |" for lack in drift.untested
    ]
    text = [
        f"### Compass: {said[0].lower()}{said[1:]}",
        "",
        f"Against the baseline of {found.baseline.date}, paired by case. "
        f"Alarm at alpha {ALPHA:g} over {CHECKS} checks of one baseline, that is at p {drift.level:.2g}, "
        f"and a change of at least {SMALLEST:g}.",
        "",
        "| cases | quantity | change | 95 % interval | p | units | |",
        "|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    if drift.alarm:
        text += [
            "Thresholds from that baseline are no longer valid; run `compass calibrate` again.",
            "",
            *_worst(found),
        ]
    if drift.unmatched:
        text += [f"{len(drift.unmatched)} cases are in one of the two runs only, and were left out.", ""]
    return "\n".join(text) + "\n"


def _row(shift: Shift) -> str:
    change, label = shift.change, label_of(shift.ambiguous)
    interval = f"[{change.low:+.3f}, {change.high:+.3f}]"
    verdict = "**moved**" if shift.alarm else "same"
    return (
        f"| {label} | {TITLES[shift.quantity]} | {change.value:+.3f} | {interval} | {shift.p:.2g} "
        f"| {change.units} | {verdict} |"
    )


def _worst(found: Comparison) -> list[str]:
    """The cases that changed the most."""
    both = [(name, found.before[name], now) for name, now in found.current.items() if name in found.before]
    shown = sorted(both, key=lambda row: (-_distance(row[1], row[2]), row[0]))[:WORST_MAX]
    rows = [
        f"| `{_cell(name)}` | {was.mean:.3f} | {now.mean:.3f} | {was.deviation:.3f} | {now.deviation:.3f} |"
        for name, was, now in shown
    ]
    return ["| case | mean was | is | deviation was | is |", "|---|---|---|---|---|", *rows, ""]


def _distance(was: CaseChecks, now: CaseChecks) -> float:
    return max(abs(now.mean - was.mean), abs(now.deviation - was.deviation))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/").replace("`", "'")[:80]
