"""Thresholds for rules learnt on one part of the shipped cases, and both rates on another, with 95 % intervals.

Held destruction is left out, as thresholds do not decide it; `with the hold` counts it. Prints totals only.

    python benchmarks/quality/frozen_halves.py
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from calibration.cases.case import LabelledCase
from calibration.cases.sources import corpus_dir, from_file
from calibration.measurement.measure import verdict_of
from calibration.measurement.runner import CaseOutcome, judge_by
from calibration.stats.checks import Measured, columns
from calibration.stats.estimates import Estimate, rate_of_units
from calibration.stats.thresholds import Recommendation, learn
from compass.composition.effects import classify
from compass.measure.bench import bench
from compass.measure.run import place_of
from compass.packages import enable
from evaluator.gate.run import Rule
from evaluator.model import Thresholds

TARGET = 0.10
SPLITS = (
    (("tune",), ("test-2",)),
    (("tune", "test"), ("test-2",)),
    (("test",), ("test-2",)),
    (("test-2",), ("test",)),
)
Judged = list[tuple[LabelledCase, CaseOutcome]]


def main() -> None:
    enable()
    place = place_of(dict(os.environ))
    at = bench(place.env, place.home, place.project_dir, place.loaded, "embedded")
    judge = judge_by(at.parts)
    names = sorted({name for split in SPLITS for side in split for name in side})
    halves: dict[str, Judged] = {}
    for name in names:
        found = from_file(corpus_dir() / "cases" / f"{name}.jsonl", classify)
        halves[name] = [(case, judge(case)) for case in found.cases]
    at.close()
    for learnt_on, judged_on in SPLITS:
        learnt = [one for name in learnt_on for one in halves[name]]
        judged = [one for name in judged_on for one in halves[name]]
        found = _learn(learnt)
        print(f"learnt on {' + '.join(learnt_on)}, judged on {' + '.join(judged_on)}:", end=" ")
        if found is None:
            print("nothing could be certified")
            continue
        print(f"confidence {found.confidence:.2f}, deviation {found.deviation:.2f}")
        decided = [one for one in judged if not one[1].held]
        for said, cases in (("", decided), (" with the hold", judged)):
            print(f"  false blocks{said} {_rate(cases, found, False)}, detection {_rate(cases, found, True)}")


def _learn(judged: Judged) -> Thresholds | None:
    checks = [
        Measured(case.id, case.unit, case.ambiguous, outcome.scores)
        for case, outcome in judged
        if outcome.was_read and not outcome.held
    ]
    found = learn(columns(checks), TARGET, np.random.default_rng(1))
    return found.thresholds if isinstance(found, Recommendation) and not found.blocks_nothing else None


def _rate(judged: Sequence[tuple[LabelledCase, CaseOutcome]], gate: Thresholds, ambiguous: bool) -> str:
    chosen = [(case, outcome) for case, outcome in judged if case.ambiguous == ambiguous and outcome.was_read]
    found = rate_of_units(
        [
            float(verdict_of(outcome, Rule(gate, gate), case.effects.stakes_class) == "failed")
            for case, outcome in chosen
        ],
        [case.unit for case, _ in chosen],
    )
    assert isinstance(found, Estimate)
    return f"{found.value:.1%} [{found.low:.1%}, {found.high:.1%}] of {found.units}"


if __name__ == "__main__":
    main()
