"""The certified rule in the result document, in thresholds.json, and in what is said before anything is spent."""

import json
from dataclasses import replace

import pytest
from corpora import corpus
from samples.reportresults import GATE, result

from calibration.measurement.reach import least_aim, reach_lines
from calibration.measurement.thresholds_file import document, sets_any
from calibration.report.text import verdict
from calibration.stats.certificates import Aims, reach
from calibration.stats.estimate import Estimate, TooLittle
from compass.measure.screen import ask_to_set
from evaluator.configuration.calibrated import THRESHOLDS_BYTES_MAX, of
from evaluator.model import NO_BLOCK, NO_PASS, Certified, Convergence, Cuts, Thresholds
from evaluator.record import replace as replace_fields
from evaluator.verdict.decision import judge


@pytest.mark.full
def test_the_row_of_the_readers_that_were_measured_shows_the_rates_of_its_own_pair():
    for seed in range(4):
        found = result(60, seed=seed, history=False)
        row = found.readers[found.n]
        assert row.thresholds == found.recommended.thresholds
        assert row.false_block_rate == found.recommended.false_block_rate
        assert row.detection_rate == found.recommended.detection_rate


def test_the_gate_reads_back_what_the_result_certifies():
    found = result()
    written = document(found)
    assert sets_any(written)
    text = json.dumps(written, indent=1)
    assert len(text) < THRESHOLDS_BYTES_MAX
    back = of(json.loads(text))
    rule = found.certified
    assert rule is not None
    assert (back.backend, back.model, back.prompt, back.date) == (
        found.backend, found.model, found.prompt, found.date,
    )  # fmt: skip
    assert back.per_n[5].score == rule.score
    assert back.per_n[5].cuts == rule.of(5, "fixed")
    assert back.per_n[5].escalate == rule.of(5, "escalate")
    assert back.per_n[5].of_class("destructive") == rule.of(5, "fixed")[""]
    assert back.per_n[5].of_class("destructive", escalate=True) == rule.of(5, "escalate")[""]
    assert back.thresholds == found.thresholds
    assert not sets_any(document(replace(found, certified=None, thresholds={})))


def test_a_class_in_which_nothing_is_certified_is_not_held_to_cuts_of_the_others():
    rule = result().certified
    assert rule is not None
    others, *looks = rule.per_n[5]
    bare = replace(
        others,
        operation_class="destructive",
        population="destructive",
        sides=replace(others.sides, block=TooLittle("clear units", 0, 36)),
    )
    rows = (others, *looks, bare, replace(bare, procedure="escalate"))
    written = document(replace(result(), certified=replace(rule, per_n={5: rows})))
    read = of(json.loads(json.dumps(written))).per_n[5]
    for escalate in (False, True):
        assert read.of_class("modifying", escalate=escalate).block > 0
        held = read.of_class("destructive", escalate=escalate)
        assert held == Cuts(NO_BLOCK, NO_PASS, 1.0, 1.0)
        limits = Thresholds(0.65, 0.2, certified=Certified(read.score, held))
        for mean in (0.1, 0.6, 0.65, 1.0):
            seen = Convergence(mean, 0.1, 5, "none", "", 1.0)
            plain = replace_fields(limits, certified=None)
            assert judge(seen, limits, destructive=True) == judge(seen, plain, destructive=True)
    nothing = replace(rule, per_n={5: (bare, replace(bare, operation_class=""))})
    assert nothing.of(5, "fixed") == {}


def test_who_is_asked_to_set_cuts_is_told_both_rates_of_these_cuts(capsys):
    found = result()
    assert not ask_to_set(found), "nobody can be asked"
    said = capsys.readouterr().err
    for figure in verdict(found).rates:
        assert str(figure) in said
    assert "Under a score of" in said and "mean ≥" not in said


def test_looks_cost_certainty_so_the_cuts_of_escalate_are_never_the_stricter():
    rule = result().certified
    assert rule is not None
    fixed, escalate = rule.of(5, "fixed")[""], rule.of(5, "escalate")[""]
    assert escalate.block <= fixed.block
    assert escalate.passing >= fixed.passing


def test_the_document_states_the_zone_and_both_rates_of_the_whole_procedure():
    found = result().as_json()["certified"]
    assert isinstance(found, dict)
    for procedure in ("fixed", "escalate"):
        row = found["per_n"]["5"][procedure][""]
        assert row["block"]["upper"] <= 0.10 and row["passing"]["upper"] <= 0.10
        assert row["zone"]["clear"]["value"] >= 0 and row["zone"]["ambiguous"]["value"] >= 0
        assert {"value", "low", "high", "units"} <= row["false_block_rate"].keys() & row[
            "detection_rate"
        ].keys()
    assert found["per_n"]["5"]["escalate"][""]["calls"] < found["per_n"]["5"]["fixed"][""]["calls"] == 5


def test_too_few_units_certify_nothing_and_the_result_says_so():
    rule = result(20, history=False).certified
    assert rule is not None
    assert not rule.per_n and rule.why == "20 clear units, at least 29 are needed"
    assert rule.reach.needed_clear == 36


@pytest.mark.parametrize(
    ("clear", "ambiguous", "said"),
    [
        (100, 100, ("100 clear and 100 ambiguous units can certify", "4 clear ones")),
        (40, 20, ("cannot both be certified", "36 and 36", "Only the certificate of false blocks", "--misses 0.17")),
        (20, 20, ("cannot both be certified", "No thresholds", "--target 0.17, --misses 0.17")),
        (0, 0, ("cannot both be certified", "No thresholds")),
    ],
)  # fmt: skip
def test_what_the_units_can_certify_is_said_in_words(clear, ambiguous, said):
    aims = Aims(0.10)
    told = " ".join(reach_lines(reach(clear, ambiguous, aims), aims))
    assert all(part in told for part in said)


@corpus("units", [1, 5, 20, 35, 36, 200])
def test_the_least_aim_is_one_that_so_many_units_reach(units):
    least = least_aim(units, 0.025)
    assert reach(units, units, Aims(min(least, 0.999), min(least, 0.999))).pass_delta > 0
    assert least <= 0.011 or not reach(units, units, Aims(least - 0.01, least - 0.01)).pass_delta


def test_rates_in_force_are_there_per_unit_and_per_check():
    found = result()
    assert found.gate == GATE
    for figure in (found.false_block_rate, found.detection_rate):
        assert isinstance(figure, Estimate)
        assert figure.per_check is not None
        assert figure.per_check.low <= figure.per_check.value <= figure.per_check.high
