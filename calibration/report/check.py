"""`compass calibrate --check`: this run against a baseline, as a CI job reports it. Reads no file, prints nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from calibration.cases.labelled import LABELS, Label
from calibration.measurement.result import CaseResult, figure_json
from calibration.stats.drift import ALPHA, SMALLEST, CaseMean, Drift, Shift, compare

CASES_MAX = 1_000_000


@dataclass(frozen=True, slots=True)
class Baseline:
    """What an earlier result says of its cases. `n` readers; `date` as it stands there."""

    path: str
    date: str
    n: int
    cases: Mapping[str, CaseMean]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`drift` of the cases that both have; `missing` are those of the baseline that this run could not judge."""

    baseline: Baseline
    drift: Drift
    current: Mapping[str, CaseMean]
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
            "smallest": SMALLEST,
            "baseline": {"path": self.baseline.path, "date": self.baseline.date, "n": self.baseline.n},
            "shifts": [_shift(shift) for shift in self.drift.shifts],
            "untested": [asdict(found) for found in self.drift.untested],
            "unmatched": list(self.drift.unmatched),
            "unread": list(self.unread),
            "cases": [
                _moved(case, self.baseline.cases[name])
                for name, case in self.current.items()
                if name in self.baseline.cases
            ],
        }


def _shift(shift: Shift) -> dict[str, object]:
    label = label_of(shift.ambiguous)
    return {"label": label, "change": figure_json(shift.change), "p": shift.p, "alarm": shift.alarm}


def _moved(case: CaseMean, before: CaseMean) -> dict[str, object]:
    return {"id": case.case, "label": label_of(case.ambiguous), "was": before.mean, "is": case.mean}


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
    return Baseline(path, _text(whole, "date", "the whole"), n, {case.case: case for case in cases})


def _case(row: Mapping[str, object]) -> CaseMean | None:
    """None for a case that was not read."""
    name, label, mean = _text(row, "id", "a case"), row.get("label"), row.get("confidence")
    if mean is None:
        return None
    if not isinstance(mean, (int, float)) or isinstance(mean, bool) or not 0 <= mean <= 1:
        raise ValueError(f"case {name}: confidence is no number from 0 to 1")
    if label not in LABELS:
        raise ValueError(f"case {name}: its label is none of {', '.join(LABELS)}")
    return CaseMean(name, _text(row, "pair", f"case {name}"), label == "ambiguous", float(mean))


def _object(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} is no JSON object")  # noqa: TRY004 - a value of the file
    return cast(Mapping[str, object], value)


def _text(row: Mapping[str, object], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{where} has no {name}")  # noqa: TRY004 - a value of the file
    return value


def compared(cases: Sequence[CaseResult], baseline: Baseline) -> Comparison:
    """`cases` are this run's."""
    current = {
        case.id: CaseMean(case.id, case.pair, case.label == "ambiguous", case.confidence)
        for case in cases
        if case.confidence is not None
    }
    drift = compare(tuple(current.values()), tuple(baseline.cases.values()))
    return Comparison(baseline, drift, current, tuple(case.id for case in cases if case.verdict == "error"))
