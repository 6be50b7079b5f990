"""Judging in turn or side by side, and the journal that keeps what is judged."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from functools import partial
from pathlib import Path

import pytest
from running.hookrun import Place

from calibration.cases.case import LabelledCase
from calibration.cases.sources import corpus_dir, from_file
from calibration.measurement import runner
from calibration.measurement.journal import OUTCOME, CaseOutcome, Journal, journal
from calibration.measurement.runner import Jobs, StoppedError, in_threads, in_turn, run, symbolic
from compass.composition.settings import load
from compass.measure.measured_gate import bench
from evaluator.model import Sample
from evaluator.record import replace
from evaluator.shell.bash import classify

TEST = corpus_dir() / "cases" / "test.jsonl"


def outcome_of(case: LabelledCase) -> CaseOutcome:
    """Made of the case alone, so that whoever judges says the same."""
    drawn = random.Random(case.id)
    scores = tuple(drawn.choice((0.2, 0.6, 0.8, 1.0)) for _ in range(5))
    return CaseOutcome(scores, sum(scores) / 5, 0.1, 0.5, calls=5, usd=0.001)


def no_outcome(_: LabelledCase) -> CaseOutcome:
    return CaseOutcome(error="nobody answers")


@pytest.fixture(scope="module")
def cases():
    return from_file(TEST, classify).cases[:120]


def judged(tmp_path: Path, cases, at_once, judge=outcome_of):
    """`at_once` None judges in turn, in this thread."""
    path = str(tmp_path / "unfinished.jsonl")
    told: list[int] = []
    with journal(path, lambda: 1000.0) as kept:
        jobs = Jobs(cases, 2, "by these")
        judging = (
            in_turn(partial(map, judge), kept)
            if at_once is None
            else in_threads(judge, kept, lambda _: None, at_once)
        )
        failed = run(judging, jobs, kept, tick=told.append)
        return [kept.outcome(job.key) for job in jobs if job.key not in failed], told, len(jobs)


@pytest.mark.parametrize("at_once", [None, 1, 3])
def test_outcomes_are_the_same_whoever_judges_and_in_whatever_order(tmp_path, cases, at_once):
    wanted = [outcome_of(case) for _ in range(2) for case in cases if case.effects.verdict != "read_only"]
    found, told, count = judged(tmp_path, cases, at_once)
    assert found == wanted
    assert told[-1] == count


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
        judged(tmp_path, cases, at_once, no_outcome)


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


def test_what_a_check_took_is_not_known_where_one_answer_has_no_price(tmp_path, cases):
    class Priced:
        name = model = "priced"

        def __init__(self, *usd):
            self.samples = [Sample(f"reader-{at}", 0.9, "none", cost_usd=one) for at, one in enumerate(usd)]

        def collect(self, *_):
            return tuple(self.samples)

    env, (home, project) = (
        Place(tmp_path).environment(),
        (str(tmp_path / name) for name in ("home", "project")),
    )
    at = bench(env, home, project, load(env, home, project), "embedded")
    took = [((0.1, 0.1, 0.2), 0.4), ((0.1, None, 0.2), None)]
    for usd, told in took:
        found = runner.judged(replace(at.parts, readers=partial(Priced, *usd)), cases[0])
        assert (found.calls, found.usd) == (3, told and pytest.approx(told))
    at.close()


def test_what_the_symbolic_layer_says_is_kept_with_a_judged_case(tmp_path, cases):
    env = Place(tmp_path).environment()
    loaded = load(env, str(tmp_path / "home"), str(tmp_path / "project"))
    at = bench(env, str(tmp_path / "home"), str(tmp_path / "project"), loaded, "embedded")
    found = [runner.judged(at.parts, case) for case in cases[:60]]
    alone = [symbolic(at.parts, case) for case in cases[:60]]
    at.close()
    assert [outcome.symbolic for outcome in found] == alone
    assert len({outcome.symbolic for outcome in found}) > 1
    for outcome in found:
        assert OUTCOME.validate_python(json.loads(json.dumps(dataclasses.asdict(outcome)))) == outcome
