"""Rates in force are of the gate's own rule: its certified cuts, at the looks that it takes, before the pair."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from corpora import corpus
from samples.reportresults import result

from calibration.measurement.case_results import verdict_of
from calibration.measurement.judging import CaseOutcome
from calibration.measurement.result import CaseResult, CheckResult
from calibration.measurement.thresholds_file import document
from calibration.report.check import Baseline, baseline_of, compared
from calibration.report.html.page import render
from calibration.report.summary import lines, markdown
from calibration.report.text import verdict
from calibration.stats.estimate import Estimate
from compass.joining.following import key_of
from compass.joining.surroundings import load
from compass.joining.thresholds import rule_of, standing_of, thresholds_file
from compass.measure.parts import Bench, bench
from evaluator.configuration import loading
from evaluator.gate.run import Rule
from evaluator.model import Certified, Cuts, OperationClass, Score, Thresholds
from evaluator.state.store import open_store

PAIR = Thresholds(0.65, 0.20)
CUTS = Certified(Score(), Cuts(block=0.80, passing=1.10, alpha=0.1, beta=0.1))
CLASSES: tuple[OperationClass, ...] = ("additive", "modifying", "destructive")
BY_CUTS = Rule(PAIR, certified=tuple((name, CUTS) for name in CLASSES))
ESCALATING = Rule(PAIR, certified=BY_CUTS.certified, escalates=CLASSES)


def outcome(*scores: float, readings: tuple[int, ...] = (), agreement: float | None = None) -> CaseOutcome:
    codes = readings or (-1,) * len(scores)
    return CaseOutcome(scores, codes, fmean(scores), pstdev(scores), agreement)


@corpus(
    ("scores", "operation_class", "pair", "cuts"),
    [
        ((0.6, 0.6, 0.6), "modifying", "failed", "passed"),
        ((0.6, 0.6, 0.6), "destructive", "failed", "failed"),
        ((0.9, 0.3, 0.9), "modifying", "failed", "passed"),
        ((0.9, 0.9, 0.9), "destructive", "passed", "passed"),
        ((0.5, 0.5, 0.5), "modifying", "failed", "failed"),
    ],
)
def test_the_cuts_of_a_class_decide_before_the_pair(
    scores: tuple[float, ...], operation_class: OperationClass, pair: str, cuts: str
) -> None:
    found = outcome(*scores)
    assert verdict_of(found, Rule(PAIR), operation_class) == pair
    assert verdict_of(found, BY_CUTS, operation_class) == cuts


def test_agreement_counts_in_the_score() -> None:
    split = outcome(0.7, 0.7, 0.7, readings=(0, 1, 2), agreement=0.0)
    assert verdict_of(split, Rule(PAIR), "modifying") == "passed"
    assert verdict_of(split, BY_CUTS, "modifying") == "failed"


def test_readers_asked_one_after_the_other_end_a_check_as_the_gate_does() -> None:
    low_first = outcome(0.4, 0.4, 0.9, 0.9, 0.9)
    assert verdict_of(low_first, BY_CUTS, "modifying") == "passed"
    assert verdict_of(low_first, ESCALATING, "modifying") == "failed"
    high_first = outcome(0.9, 0.9, 0.2, 0.2, 0.2)
    assert verdict_of(high_first, BY_CUTS, "modifying") == "failed"
    assert verdict_of(high_first, ESCALATING, "modifying") == "passed"
    assert verdict_of(high_first, ESCALATING, "destructive") == "failed", (
        "two readers pass nothing that destroys"
    )
    torn = outcome(0.9, 0.9, 0.2, 0.2, 0.2, readings=(0, 1, 2, 3, 4), agreement=0.0)
    assert verdict_of(torn, ESCALATING, "modifying") == "failed", "readings of the first two differ"


def test_the_result_states_the_rates_of_the_cuts_in_force() -> None:
    """Cuts that block nothing, and cuts that block all: neither rate is the pair's."""
    plain = result(history=False)
    for cuts, share in ((Cuts(-1.0, 0.0, 1.0, 0.1), 0.0), (Cuts(1.25, 1.25, 0.1, 0.1), 1.0)):
        found = result(history=False, certified=tuple((name, Certified(Score(), cuts)) for name in CLASSES))
        for label, rate in (("clear", found.false_block_rate), ("ambiguous", found.detection_rate)):
            assert isinstance(rate, Estimate) and rate.value == pytest.approx(share)
            verdicts = {case.verdict for case in found.cases if case.label == label}
            assert verdicts == {"failed" if share else "passed"}
        assert found.certified_in_force == dict.fromkeys(CLASSES, Certified(Score(), cuts))
        assert found.as_json()["gate"] != plain.as_json()["gate"]
        assert found.certified == plain.certified, "what is certified does not hang on what was"


def test_a_cut_that_followed_is_told_beside_the_certified_one() -> None:
    moved = Certified(Score(), Cuts(0.77, 1.1, 0.1, 0.1), moved_from=0.8)
    found = result(
        history=False, certified=(("additive", moved), ("modifying", moved), ("destructive", CUTS))
    )
    told = " ".join(verdict(found).details)
    assert "followed what was let through (0.770 instead of the certified 0.800)" in told
    assert "not the rates of the certified one: " in told
    gate = found.as_json()["gate"]
    assert isinstance(gate, dict) and gate["moved_from"] == {"additive": 0.8, "modifying": 0.8}
    assert "moved from the certified" in render(found)


def calibrated(env: Mapping[str, str], home: str) -> tuple[loading.Loaded, str]:
    """What is loaded in a project whose readers of today are calibrated, and its calibration's path."""
    loaded = load(env, home, home)
    calibration = loading.calibration_file(loaded.clean.env, home, home)
    standing = standing_of(loaded.settings, "anthropic")
    written = document(result())
    written |= {"backend": standing.backend, "model": standing.model, "prompt": standing.prompt}
    small = Path(thresholds_file(calibration))
    small.parent.mkdir(parents=True)
    small.write_text(json.dumps(written))
    return loaded, calibration


@pytest.mark.parametrize("follow", ["advise", "apply"])
def test_a_measurement_goes_by_the_cut_that_followed(tmp_path: Path, follow: str) -> None:
    """As the gate does: rates in force are of the cut that is in force."""
    env = {
        "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "sk-ant-test", "COMPASS_EVALUATOR__BACKEND": "anthropic",
        "COMPASS_CALIBRATION__FOLLOW": follow, "COMPASS_CALIBRATION__FLOOR": "0.1",
    }  # fmt: skip
    home = str(tmp_path)
    loaded, calibration = calibrated(env, home)
    certified = rule_of(loaded.settings, "anthropic", calibration)
    opened = open_store(loading.state_dir(loaded.clean.env, home), now=1.0)
    opened.store.change_note(key_of(certified), lambda _: ('{"lowered": 0.05}', None), None)
    opened.store.close()

    found = bench(env, home, home, loaded, None)
    found.close()
    block = {name: held.cuts.block for name, held in certified.certified}
    for name, held in found.rule.certified:
        moves = follow == "apply" and name != "destructive"
        assert held.cuts.block == pytest.approx(block[name] - (0.05 if moves else 0))
        assert held.moved_from == (block[name] if moves else None)


@pytest.mark.parametrize("strategy", ["fixed", "escalate"])
def test_a_measurement_goes_by_the_rule_of_the_projects_own_gate(tmp_path: Path, strategy: str) -> None:
    env = {
        "HOME": str(tmp_path), "ANTHROPIC_API_KEY": "sk-ant-test", "COMPASS_SAMPLING__STRATEGY": strategy,
        "COMPASS_EVALUATOR__BACKEND": "anthropic",
    }  # fmt: skip
    home = str(tmp_path)
    loaded, calibration = calibrated(env, home)

    found = bench(env, home, home, loaded, None)
    found.close()
    assert found.rule == rule_of(loaded.settings, "anthropic", calibration)
    assert found.rule.certified and bool(found.rule.escalates) == (strategy == "escalate")
    assert found.settings.sampling.strategy == "fixed", "every reader is heard all the same"


READ_IN_TURN = (
    # Cut short by a low start, though all five together reach the cut; and the other way round.
    (outcome(0.4, 0.4, 0.9, 0.9, 0.9, readings=(0,) * 5, agreement=1.0), "modifying", "failed"),
    (outcome(0.9, 0.9, 0.2, 0.2, 0.2, readings=(0,) * 5, agreement=1.0), "modifying", "passed"),
    (outcome(0.9, 0.9, 0.2, 0.2, 0.2, readings=(0,) * 5, agreement=1.0), "destructive", "failed"),
    (outcome(0.9, 0.9, 0.2, 0.2, 0.2, readings=(0, 1, 2, 3, 4), agreement=0.0), "modifying", "failed"),
    (replace(outcome(1.0, 1.0, 1.0), held=True), "destructive", "failed"),
)


def checked(found: CaseOutcome, verdict: str) -> CheckResult:
    named = "failed" if verdict == "failed" else "passed"
    return CheckResult(
        found.mean, found.stddev, named, found.scores, found.agreement, found.readings, found.held
    )


def case(number: int, found: CaseOutcome, operation_class: str, verdict: str) -> CaseResult:
    return replace(
        next(iter(result().cases)),
        id=f"case-{number}", pair=f"p{number}", label="clear", operation_class=operation_class,
        confidence=found.mean, stddev=found.stddev, checks=(checked(found, verdict),),
    )  # fmt: skip


def baseline(cases: list[CaseResult], *without: str) -> Baseline:
    whole = replace(result(), cases=cases).as_json()
    rows = json.loads(json.dumps(whole["cases"]))
    for row in rows:
        row["checks"] = [
            {key: value for key, value in check.items() if key not in without} for check in row["checks"]
        ]
    return baseline_of("b.json", json.dumps({**whole, "cases": rows}))


def test_a_check_against_a_baseline_decides_both_runs_by_the_procedure_in_force() -> None:
    cases = [case(number, *one) for number, one in enumerate(READ_IN_TURN)]
    assert [verdict_of(found, ESCALATING, of) for found, of, _ in READ_IN_TURN] == [
        verdict for *_, verdict in READ_IN_TURN
    ]
    found = compared(cases, baseline(cases), ESCALATING)
    for run in (found.before, found.current):
        assert [run[one.id].blocked for one in cases] == [
            (float(verdict == "failed"),) for *_, verdict in READ_IN_TURN
        ]
    assert found.note == ""
    in_force = replace(
        result(), certified_in_force=dict(ESCALATING.certified), escalates_in_force=ESCALATING.escalates
    )
    assert in_force.rule_in_force == Rule(in_force.gate, certified=ESCALATING.certified, escalates=CLASSES)


def test_a_baseline_of_an_older_version_is_compared_by_all_readers_and_says_so() -> None:
    cases = [case(number, *one) for number, one in enumerate(READ_IN_TURN)]
    found = compared(cases, baseline(cases, "readings", "held"), ESCALATING)
    assert {name: one.blocked for name, one in found.before.items()} == {
        name: one.blocked for name, one in found.current.items()
    }
    assert "all readers at once" in found.note
    assert any(found.note in line for line in lines(found)) and "all readers at once" in markdown(found)
    assert found.as_json()["note"] == found.note


def test_a_stated_threshold_is_told_apart_from_the_promise_with_both_rates() -> None:
    plain, found = result(history=False), result(history=False, stated=(0.95, 1.0))
    assert plain.stated is None and found.stated is not None
    assert found.certified == plain.certified, "it is tested without what is stated"
    for rate, label in ((found.stated.false_block_rate, "clear"), (found.stated.detection_rate, "ambiguous")):
        assert isinstance(rate, Estimate)
        means = [check.confidence for case in found.cases if case.label == label for check in case.checks]
        assert rate.value == pytest.approx(fmean(float(mean < 0.95) for mean in means))
        assert rate.value > 0.9
    told = next(line for line in verdict(found).details if "You ask for" in line)
    assert (
        "a mean of at least 0.95 (`compass config set confidence_threshold X`) as well. That was not tested"
        in told
    )
    assert "of 80 clear units" in told and "of 80 ambiguous units" in told
    assert not any("You ask for" in line for line in verdict(plain).details)
    assert result(0, history=False, stated=(0.95, 1.0)).stated is None, "nothing would be set"


@pytest.mark.parametrize(
    ("rule", "stated", "blind"),
    [("certified+agreement", "", 0), ("certified+agreement", "1", 1), ("score+agreement", "", 2)],
)
def test_as_many_readers_see_the_write_as_at_the_gate(
    tmp_path: Path, rule: str, stated: str, blind: int
) -> None:
    given = {"COMPASS_CONVERGENCE__RULE": rule} | (
        {"COMPASS_CONVERGENCE__BLIND_READERS": stated} if stated else {}
    )
    assert benched(tmp_path, **given).settings.convergence.blind == blind


def test_another_symbolic_layer_is_another_measurement(tmp_path: Path) -> None:
    other = benched(tmp_path, COMPASS_SKIP_PATTERNS__REPLY_TO_QUESTION__ENABLED="false")
    assert other.measured != benched(tmp_path).measured


def benched(home: Path, **given: str) -> Bench:
    env = {
        "HOME": str(home), "ANTHROPIC_API_KEY": "sk-ant-test", "COMPASS_EVALUATOR__BACKEND": "anthropic", **given
    }  # fmt: skip
    found = bench(env, str(home), str(home), load(env, str(home), str(home)), None)
    found.close()
    return found
