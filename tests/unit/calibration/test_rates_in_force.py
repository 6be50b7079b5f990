"""Rates in force are of the gate's own rule: the thresholds of a call's stakes, certified cuts before the settings'."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from samples.reportresults import result

from calibration.measurement.journal import CaseOutcome
from calibration.measurement.measure import blocked_by, blocked_share
from calibration.measurement.result import CheckResult, thresholds_document
from calibration.report.baseline import baseline_of, checks_of
from calibration.stats.estimates import Estimate
from compass.composition.settings import load
from compass.composition.thresholds import readers_now, rule_of, thresholds_file
from compass.measure.measured_gate import Bench, bench
from evaluator.gate.run import Rule
from evaluator.model import StakesClass, Thresholds
from evaluator.settings import layers

BY_STAKES = Rule(Thresholds(0.5, 1.0, alpha=0.1), Thresholds(0.8, 1.0, alpha=0.1))


def outcome(*scores: float, agreement: float | None = None) -> CaseOutcome:
    return CaseOutcome(scores, fmean(scores), pstdev(scores), agreement)


@pytest.mark.parametrize(
    ("found", "stakes", "blocks"),
    [
        (outcome(0.6, 0.6, 0.6), "reversible", False),
        (outcome(0.6, 0.6, 0.6), "irreversible", True),
        (outcome(1.0, 0.1, 1.0), "reversible", False),
        (outcome(0.9, 0.9, 0.9), "irreversible", False),
        (outcome(0.4, 0.4, 0.4), "reversible", True),
    ],
)
def test_the_cut_of_a_calls_stakes_decides_by_the_mean_alone(
    found: CaseOutcome, stakes: StakesClass, blocks: bool
) -> None:
    assert blocked_by(found, BY_STAKES, stakes) is blocks


def test_the_result_states_the_rates_of_the_rule_in_force() -> None:
    for cut, share in ((0.0, 0.0), (1.0, 1.0)):
        found = result(history=False, gate=Rule(Thresholds(cut, 1.0), Thresholds(cut, 1.0)))
        for label, rate in (("clear", found.false_block_rate), ("ambiguous", found.detection_rate)):
            assert isinstance(rate, Estimate) and rate.value == pytest.approx(share)
            shares = {blocked_share(case, found.gate) for case in found.cases if case.label == label}
            assert shares == {share}
        assert found.recommended == result(history=False).recommended, "what is certified does not hang on it"


def calibrated(env: Mapping[str, str], home: str) -> tuple[layers.Loaded, str]:
    """What is loaded in a project whose readers of today are calibrated, and its calibration's path."""
    loaded = load(env, home, home)
    calibration = layers.calibration_file(loaded.clean.env, home, home)
    standing = readers_now(loaded.settings, "anthropic")
    written = thresholds_document(result())
    written |= {"backend": standing.backend, "model": standing.model, "prompt": standing.prompt}
    small = Path(thresholds_file(calibration))
    small.parent.mkdir(parents=True)
    small.write_text(json.dumps(written))
    return loaded, calibration


def test_a_measurement_goes_by_the_rule_of_the_projects_own_gate(tmp_path: Path) -> None:
    env = {
        "HOME": str(tmp_path),
        "ANTHROPIC_API_KEY": "sk-ant-test",
        "COMPASS_EVALUATOR__BACKEND": "anthropic",
    }
    home = str(tmp_path)
    loaded, calibration = calibrated(env, home)
    found = bench(env, home, home, loaded, None)
    found.close()
    assert found.rule == rule_of(loaded.settings, "anthropic", calibration)
    certified = result().recommended["reversible"].cut
    assert found.rule.reversible == Thresholds(certified, 1.0, alpha=0.1)
    assert found.rule.irreversible.alpha is None, "no call of those was among the cases"
    assert found.settings.sampling.strategy == "fixed", "every reader is heard"


def test_a_check_against_a_baseline_decides_both_runs_by_the_rule_in_force() -> None:
    stakes: tuple[StakesClass, ...] = ("reversible", "irreversible")
    found = outcome(0.6, 0.6, 0.6, agreement=1.0)
    check = CheckResult(found.mean, found.stddev, found.agreement)
    cases = [
        replace(next(iter(result().cases)), id=name, pair=name, label="clear", stakes=name, checks=(check,))
        for name in stakes
    ]
    whole = json.dumps(replace(result(), cases=cases).as_json())
    for run in (cases, baseline_of("b.json", whole).cases):
        assert [one.blocked for one in checks_of(run, BY_STAKES)] == [(0.0,), (1.0,)]


@pytest.mark.parametrize(("rule", "blind"), [("certified", 0), ("score+agreement", 2)])
def test_as_many_readers_see_the_write_as_at_the_gate(tmp_path: Path, rule: str, blind: int) -> None:
    assert benched(tmp_path, COMPASS_CONVERGENCE__RULE=rule).settings.convergence.blind == blind


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SKIP_PATTERNS__REPLY_TO_QUESTION__ENABLED", "false"),
        ("EVIDENCE__SYMBOLS", "false"),
        ("CONTEXT_CHARS_MAX", "100"),
        ("EVALUATOR__N", "7"),
    ],
)
def test_what_would_change_an_answer_tells_measurements_apart(
    tmp_path: Path, variable: str, value: str
) -> None:
    same = benched(tmp_path).measured
    assert same == benched(tmp_path).measured != benched(tmp_path, **{f"COMPASS_{variable}": value}).measured


def benched(home: Path, **given: str) -> Bench:
    env = {
        "HOME": str(home), "ANTHROPIC_API_KEY": "sk-ant-test", "COMPASS_EVALUATOR__BACKEND": "anthropic", **given
    }  # fmt: skip
    found = bench(env, str(home), str(home), load(env, str(home), str(home)), None)
    found.close()
    return found
