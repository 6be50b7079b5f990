"""Judging in turn or side by side, the journal that keeps what is judged, and rates by the rule in force."""

import dataclasses
import json
import os
import random
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from running.hookrun import Place
from samples.reportresults import result

from calibration.cases.case import LabelledCase
from calibration.cases.sources import corpus_dir, from_file
from calibration.measurement import runner
from calibration.measurement.measure import blocked_by, blocked_share
from calibration.measurement.result import CheckResult, thresholds_document
from calibration.measurement.runner import (
    OUTCOME,
    CaseOutcome,
    Jobs,
    Journal,
    StoppedError,
    in_threads,
    in_turn,
    journal,
    run,
    symbolic,
)
from calibration.report.baseline import baseline_of, checks_of
from compass.composition.settings import load
from compass.composition.thresholds import readers_now, rule_of, thresholds_file
from compass.measure.measured_gate import Bench, bench
from evaluator.gate.run import Rule
from evaluator.model import Sample, Thresholds
from evaluator.settings import layers
from evaluator.shell.bash import classify


def outcome_of(case: LabelledCase) -> CaseOutcome:
    """Made of the case alone, so that whoever judges says the same."""
    drawn = random.Random(case.id)
    scores = tuple(drawn.choice((0.2, 0.6, 0.8, 1.0)) for _ in range(5))
    return CaseOutcome(scores, sum(scores) / 5, 0.1, 0.5, calls=5, usd=0.001)


@pytest.fixture(scope="module")
def cases():
    return from_file(corpus_dir() / "cases" / "test.jsonl", classify).cases[:120]


def judged(tmp_path: Path, cases, at_once, judge=outcome_of):
    """`at_once` None judges in turn, in this thread."""
    path = str(tmp_path / "unfinished.jsonl")
    told: list[int] = []
    with journal(path, lambda: 1000.0) as kept:
        jobs = Jobs(cases, 2, "by these")
        judging = in_turn(partial(map, judge), kept)
        if at_once is not None:
            judging = in_threads(judge, kept, lambda _: None, at_once)
        failed = run(judging, jobs, kept, tick=told.append)
        return [kept.outcome(job.key) for job in jobs if job.key not in failed], told, len(jobs)


@pytest.mark.parametrize("at_once", [None, 1, 3])
def test_outcomes_are_the_same_whoever_judges_and_in_whatever_order(tmp_path, cases, at_once):
    wanted = [outcome_of(case) for _ in range(2) for case in cases if case.effects.verdict != "read_only"]
    found, told, count = judged(tmp_path, cases, at_once)
    assert found == wanted and told[-1] == count


@pytest.mark.parametrize("at_once", [None, 3])
def test_an_interrupted_run_is_taken_up_and_judges_nothing_twice(tmp_path, cases, at_once):
    asked: list[str] = []

    def stops(case):
        if len(asked) == 37:
            raise StoppedError("the budget is spent")
        asked.append(case.id)
        return outcome_of(case)

    with pytest.raises(StoppedError, match="budget"):
        judged(tmp_path, cases, at_once, stops)
    first = len(asked)
    assert first == 37

    def goes_on(case):
        asked.append(case.id)
        return outcome_of(case)

    found, told, count = judged(tmp_path, cases, None, goes_on)
    assert len(asked) == count == len(found) and told[0] == first + 1


@pytest.mark.parametrize("at_once", [None, 3])
def test_readers_that_do_not_answer_stop_the_run(tmp_path, cases, at_once):
    with pytest.raises(StoppedError, match="nobody answers"):
        judged(tmp_path, cases, at_once, lambda _: CaseOutcome(error="nobody answers"))


def test_the_journal_gives_back_what_it_kept_and_leaves_out_what_is_torn_or_old(tmp_path, cases):
    path = str(tmp_path / "kept.jsonl")
    keys = [f"{n:024x}" for n in range(4)]
    long = CaseOutcome((0.5,) * 2000, 0.5, 0.0)
    kept = Journal(path, lambda: 1000.0)
    kept.keep(keys[0], cases[0].id, 0, outcome_of(cases[0]))
    kept.keep(keys[1], cases[1].id, 0, long)
    kept.close()
    with open(path, "ab") as file:
        torn = file.tell()
        file.write(json.dumps({"key": keys[2], "at": 1000.0, **dataclasses.asdict(long)}).encode()[:-1])
    kept = Journal(path, lambda: 1001.0)
    assert [key in kept for key in keys] == [True, True, False, False]
    assert os.path.getsize(path) == torn
    kept.keep(keys[3], cases[2].id, 0, outcome_of(cases[2]))
    assert kept.outcome(keys[1]) == long and kept.outcome(keys[3]) == outcome_of(cases[2])
    with pytest.raises(KeyError):
        kept.outcome(keys[2])
    kept.close()
    old = Journal(path, lambda: 1002.0 + 3 * 24 * 3600)
    assert not any(key in old for key in keys)
    old.close()


@pytest.fixture
def parts(tmp_path):
    """Those of a bench where rules judge."""
    env, home, project = Place(tmp_path).environment(), str(tmp_path / "home"), str(tmp_path / "project")
    at = bench(env, home, project, load(env, home, project), "embedded")
    yield at.parts
    at.close()


def test_what_a_check_took_is_not_known_where_one_answer_has_no_price(parts, cases):
    class Priced:
        name = model = "priced"

        def __init__(self, *usd):
            self.samples = [Sample(f"reader-{at}", 0.9, "none", cost_usd=one) for at, one in enumerate(usd)]

        def collect(self, *_):
            return tuple(self.samples)

    for usd, told in ((0.1, 0.1, 0.2), 0.4), ((0.1, None, 0.2), None):
        found = runner.judged(replace(parts, readers=partial(Priced, *usd)), cases[0])
        assert (found.calls, found.usd) == (3, told and pytest.approx(told))


def test_what_the_symbolic_layer_says_is_kept_with_a_judged_case(parts, cases):
    found = [runner.judged(parts, case) for case in cases[:60]]
    assert [outcome.symbolic for outcome in found] == [symbolic(parts, case) for case in cases[:60]]
    assert len({outcome.symbolic for outcome in found}) > 1
    for outcome in found:
        assert OUTCOME.validate_python(json.loads(json.dumps(dataclasses.asdict(outcome)))) == outcome


# Rates in force are of the gate's own rule: certified cuts before the settings'

BY_STAKES = Rule(Thresholds(0.5, 1.0, alpha=0.1), Thresholds(0.8, 1.0, alpha=0.1))


def outcome(*scores: float) -> CaseOutcome:
    return CaseOutcome(scores, fmean(scores), pstdev(scores), None)


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
def test_the_cut_of_a_calls_stakes_decides_by_the_mean_alone(found, stakes, blocks):
    assert blocked_by(found, BY_STAKES, stakes) is blocks


def test_the_result_states_the_rates_of_the_rule_in_force():
    for cut, share in ((0.0, 0.0), (1.0, 1.0)):
        found = result(history=False, gate=Rule(Thresholds(cut, 1.0), Thresholds(cut, 1.0)))
        for label, rate in (("clear", found.false_block_rate), ("ambiguous", found.detection_rate)):
            assert rate.value == pytest.approx(share)
            shares = {blocked_share(case, found.gate) for case in found.cases if case.label == label}
            assert shares == {share}
        assert found.recommended == result(history=False).recommended, "what is certified does not hang on it"


def hosted(home: Path, **given: str) -> dict[str, str]:
    backend = {"ANTHROPIC_API_KEY": "sk-ant-test", "COMPASS_EVALUATOR__BACKEND": "anthropic"}
    return {"HOME": str(home), **backend, **given}


def test_a_measurement_goes_by_the_rule_of_the_projects_own_gate(tmp_path):
    env, home = hosted(tmp_path), str(tmp_path)
    loaded = load(env, home, home)
    calibration = layers.calibration_file(loaded.clean.env, home, home)
    standing = readers_now(loaded.settings, "anthropic")
    written = thresholds_document(result())
    written |= {"backend": standing.backend, "model": standing.model, "prompt": standing.prompt}
    small = Path(thresholds_file(calibration))
    small.parent.mkdir(parents=True)
    small.write_text(json.dumps(written))
    found = bench(env, home, home, loaded, None)
    found.close()
    assert found.rule == rule_of(loaded.settings, "anthropic", calibration)
    assert found.rule.reversible == Thresholds(result().recommended["reversible"].cut, 1.0, alpha=0.1)
    assert found.rule.irreversible.alpha is None, "no call of those was among the cases"
    assert found.settings.sampling.strategy == "fixed", "every reader is heard"


def test_a_check_against_a_baseline_decides_both_runs_by_the_rule_in_force():
    case = replace(result().cases[0], label="clear", checks=(CheckResult(0.6, 0.0, 1.0),))
    cases = [replace(case, id=name, pair=name, stakes=name) for name in ("reversible", "irreversible")]
    for each in (cases, baseline_of("b.json", json.dumps(replace(result(), cases=cases).as_json())).cases):
        assert [one.blocked for one in checks_of(each, BY_STAKES)] == [(0.0,), (1.0,)]


@pytest.mark.parametrize(("rule", "blind"), [("certified", 0), ("score+agreement", 2)])
def test_as_many_readers_see_the_write_as_at_the_gate(tmp_path, rule, blind):
    assert benched(tmp_path, COMPASS_CONVERGENCE__RULE=rule).settings.convergence.blind == blind


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SKIP_PATTERNS__REPLY_TO_QUESTION__ENABLED", "false"), ("EVIDENCE__SYMBOLS", "false"),
        ("CONTEXT_CHARS_MAX", "100"), ("EVALUATOR__N", "7"),
    ],
)  # fmt: skip
def test_what_would_change_an_answer_tells_measurements_apart(tmp_path, variable, value):
    same = benched(tmp_path).measured
    assert same == benched(tmp_path).measured != benched(tmp_path, **{f"COMPASS_{variable}": value}).measured


def benched(home: Path, **given: str) -> Bench:
    env = hosted(home, **given)
    found = bench(env, str(home), str(home), load(env, str(home), str(home)), None)
    found.close()
    return found
