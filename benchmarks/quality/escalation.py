"""Readers asked two at first against five at once, on shipped cases that language-model readers have answered to.

`python benchmarks/quality/escalation.py [--json] [--orders N]` joins `fixtures/readers/variants.jsonl` (150 cases of
test-2, in 75 pairs) and `fixtures/demo/readers.jsonl` (18 exchanges, five readers of the shipped prompt each) with
their labels.

Of each of the 150 cases six answers are recorded, two to each of three texts of the prompt. They stand for readers of
one text here, and differ more than such readers would. Cuts (10 % false blocks, 10 % misses, delta 5 %, shipped score)
come from four fifths of the pairs, one drawn order of readers a case, and are played on the fifth that is left, in all
720 orders of five of the six readers. `default` is the rule without calibration, five at once. Rates are over pairs,
with Clopper-Pearson intervals, calls with Student's; *other verdict* compares `escalate` with `fixed`, each at its own
cuts. The demo is played at cuts from all 75 pairs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from calibration.cases.corpus import corpus_dir, rows
from calibration.cases.labelled import LabelledCase, labelled
from calibration.stats.certificates import Aims, certify
from calibration.stats.checks import NO_READING, Measured, blocked, columns
from calibration.stats.estimate import Bools, Estimate, Floats
from calibration.stats.intervals import mean_of_units, rate_of_units
from calibration.stats.looks import LookColumns, Played, look_columns, play
from compass.joining.shell import classify
from evaluator.configuration.settings import Settings
from evaluator.egress import answer, prompt
from evaluator.model import Cuts, Sample, Score, Thresholds
from evaluator.verdict.convergence import score_of
from evaluator.verdict.readings import named_paths, slots

READERS = 5
FOLDS = 5
AIMS = Aims(0.10, 0.10)
SCORE = Score()
DEFAULT = Thresholds(Settings().confidence_threshold, Settings().stddev_threshold)
SEED = 20_261_123

Row = Mapping[str, Any]
Recorded = dict[str, list[Sample]]


def recorded(path: Path) -> Recorded:
    """Valid samples by case, of the prompt as it stands."""
    current = {prompt.fingerprint(short=short) for short in (False, True)}
    found: Recorded = defaultdict(list)
    for row in rows(path):
        case = str(row.get("case") or row.get("id"))
        if row["prompt"] in current:
            given = [answer.parse(json.dumps(one), "reader") for one in _answers(row)]
            found[case] += [sample for sample in given if sample.valid]
    return found


def _answers(row: Row) -> Sequence[object]:
    found: Sequence[object] = row["answers"]
    return found


def cases_of(path: Path) -> dict[str, LabelledCase]:
    found = (labelled(row, classify, source="shipped", name="") for row in rows(path))
    return {case.id: case for case in found if case.label != "disputed"}


def measured(case: LabelledCase, samples: Sequence[Sample]) -> Measured:
    paths, seen = named_paths(case.exchange), {}  # type: ignore[var-annotated]
    readings = tuple(
        NO_READING
        if one.reading is None
        else seen.setdefault(slots(one.reading, case.pending.project_dir, paths), len(seen))
        for one in samples
    )
    return Measured(
        case.id,
        case.pair or case.id,
        case.ambiguous,
        tuple(map(score_of, samples)),
        readings,
        case.effects.operation_class == "destructive",
    )


def in_order(check: Measured, order: Sequence[int]) -> Measured:
    return Measured(
        check.case,
        check.unit,
        check.ambiguous,
        tuple(check.scores[place] for place in order),
        tuple(check.readings[place] for place in order),
        check.destructive,
    )


def cuts_of(checks: Sequence[Measured], rng: np.random.Generator) -> tuple[Cuts, Cuts]:
    """(of five at once, of escalate), from one drawn order of readers a check."""
    drawn = [in_order(one, rng.permutation(len(one.scores))[:READERS].tolist()) for one in checks]
    table = look_columns(drawn, SCORE, READERS, DEFAULT)
    fixed, escalate = (
        certify(table, SCORE, AIMS, procedure, rng).cuts for procedure in ("fixed", "escalate")
    )
    return fixed, escalate


class Figures:
    """What is added up over folds: one row a check and order."""

    def __init__(self) -> None:
        self._parts: list[tuple[LookColumns, list[str], Played, Played, Bools]] = []

    def add(self, checks: Sequence[Measured], fixed: Cuts, escalate: Cuts) -> None:
        table = look_columns(checks, SCORE, READERS, DEFAULT)
        self._parts.append((
            table,
            [check.unit for check in checks],
            play(table, fixed.block, fixed.passing, "fixed"),
            play(table, escalate.block, escalate.passing, "escalate"),
            blocked(columns([*checks]), DEFAULT),
        ))  # fmt: skip

    def told(self) -> dict[str, object]:
        units = np.array([unit for part in self._parts for unit in part[1]])
        ambiguous = self._joined(lambda part: part[0].ambiguous)
        ends = {
            "fixed": self._joined(lambda part: part[2].blocked),
            "escalate": self._joined(lambda part: part[3].blocked),
            "default": self._joined(lambda part: part[4]),
        }
        calls = self._joined(lambda part: part[3].calls) / READERS
        found: dict[str, object] = {
            "pairs": len({*units.tolist()}),
            "calls": _figure(mean_of_units(calls, units)),
            "calls, clear": _figure(mean_of_units(calls[~ambiguous], units[~ambiguous])),
            "calls, ambiguous": _figure(mean_of_units(calls[ambiguous], units[ambiguous])),
            "other verdict": _figure(rate_of_units(_floats(ends["fixed"] != ends["escalate"]), units)),
            "zone of fixed": _figure(
                rate_of_units(_floats(self._joined(lambda part: part[2].between)), units)
            ),
        }
        for name, end in ends.items():
            for label, of in (("false blocks", ~ambiguous), ("detection", ambiguous)):
                found[f"{name}: {label}"] = _figure(rate_of_units(_floats(end[of]), units[of]))
        return found

    def _joined(self, of: Callable[[Any], Any]) -> Any:
        return np.concatenate([of(part) for part in self._parts])


def _floats(hits: Bools) -> Floats:
    return hits.astype(np.float64)


def _figure(found: object) -> list[float] | None:
    return [found.value, found.low, found.high] if isinstance(found, Estimate) else None


def orders_of(readers: int, count: int | None, rng: np.random.Generator) -> list[tuple[int, ...]]:
    each = list(permutations(range(readers), READERS))
    return each if count is None else [each[place] for place in rng.integers(0, len(each), count).tolist()]


def held_out(checks: Sequence[Measured], count: int | None, rng: np.random.Generator) -> Figures:
    """Each fold's cases at cuts of the other folds' pairs, in `count` drawn orders of readers, or in all."""
    pairs = sorted({check.unit for check in checks})
    fold_of = dict(zip(rng.permutation(pairs).tolist(), np.arange(len(pairs)) % FOLDS, strict=True))
    found = Figures()
    for fold in range(FOLDS):
        fixed, escalate = cuts_of([one for one in checks if fold_of[one.unit] != fold], rng)
        orders = [
            in_order(one, order)
            for one in checks
            if fold_of[one.unit] == fold
            for order in orders_of(len(one.scores), count, rng)
        ]
        found.add(orders, fixed, escalate)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--orders", type=int, help="orders of readers that are drawn for a case (default: all)"
    )
    args = parser.parse_args()
    rng = np.random.default_rng(SEED)
    cases = cases_of(corpus_dir() / "cases" / "test-2.jsonl")
    answers = recorded(corpus_dir() / "readers" / "variants.jsonl")
    checks = [measured(cases[name], given) for name, given in sorted(answers.items()) if len(given) > READERS]
    told: dict[str, object] = {"test-2, held out": held_out(checks, args.orders, rng).told()}
    fixed, escalate = cuts_of(checks, rng)
    demo = cases_of(corpus_dir() / "demo" / "rows.jsonl")
    five = recorded(corpus_dir() / "demo" / "readers.jsonl")
    shown = Figures()
    shown.add(
        [measured(demo[name], given) for name, given in sorted(five.items()) if name in demo], fixed, escalate
    )
    told["demo"] = shown.told()
    told["cuts of all pairs"] = {
        name: [cuts.block, cuts.passing] for name, cuts in (("fixed", fixed), ("escalate", escalate))
    }
    if args.json:
        print(json.dumps(told, indent=1))
        return 0
    for name, figures in told.items():
        print(name)
        assert isinstance(figures, dict)
        for figure, value in figures.items():
            shown_as = value if not isinstance(value, list) else "  ".join(f"{one:.3f}" for one in value)
            print(f"  {figure:<26} {shown_as}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
