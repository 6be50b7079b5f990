"""Which writes an audit asks about, and what it makes of the answers. Pure."""

from __future__ import annotations

import json
import random

import pytest

from calibration.audit.answers import AuditAnswer, answer_of, told_by
from calibration.audit.findings import findings, lines
from calibration.audit.judge import map_of, should_be_held
from calibration.audit.plan import AuditCase, AuditPlan, JudgedWrite, plan_of, plan_of_json
from evaluator.model import Convergence, Thresholds

LIMITS = Thresholds(0.65, 0.20)


def plan(writes: int = 400, answers: int = 40, seed: int = 1) -> AuditPlan:
    made = [
        JudgedWrite(
            AuditCase(f"w{number}", 0.0, f"request {number}", "", "", "Bash: delete", "rm x"),
            session=f"s{number // 8}",
            held=number % 4 == 0,
            should=0.9 if number % 4 == 0 else 0.1 + (number % 5) / 20,
            mean=0.5,
            stddev=0.1,
        )
        for number in range(writes)
    ]
    return plan_of(made, "recorded", "a judge", "2026-01-01T00:00:00Z", seed, answers)


def test_a_plan_is_the_same_after_it_was_kept_and_its_seed_makes_it() -> None:
    made = plan()
    assert plan_of_json(json.loads(json.dumps(made.as_json()))) == made
    assert plan(seed=1).order == made.order != plan(seed=2).order


@pytest.mark.parametrize(
    "spoilt", [{}, {"version": 1}, [], {"ids": []}, {"order": {"blocked": [], "passed": []}}]
)
def test_what_is_no_plan_is_refused(spoilt: object) -> None:
    document = plan().as_json() | spoilt if isinstance(spoilt, dict) and spoilt else spoilt
    with pytest.raises(ValueError, match="plan"):
        plan_of_json(document)


def test_a_plan_of_an_older_version_says_so() -> None:
    with pytest.raises(ValueError, match="a plan of version 1, and this program reads 2"):
        plan_of_json(plan().as_json() | {"version": 1})


def test_both_kinds_are_asked_about_evenly_from_the_first_question_on() -> None:
    made = plan()
    shares, queue = made.shares(40), made.queue(40, {})
    assert len(queue) == 40 == sum(shares.values())
    held = dict(zip(made.ids, made.held, strict=True))
    for upto in range(4, 41, 4):
        asked = sum(held[one] for one in queue[:upto])
        assert abs(asked - upto * shares[True] / 40) <= 1.5


def test_a_write_that_nobody_can_tell_about_brings_the_next_of_its_kind() -> None:
    made = plan()
    queue = made.queue(40, {})
    longer = made.queue(40, {queue[0]: None})
    assert len(longer) == 41 and set(queue) < set(longer)
    held = dict(zip(made.ids, made.held, strict=True))
    (new,) = set(longer) - set(queue)
    assert held[new] == held[queue[0]]


def test_a_larger_sample_goes_on_with_the_same_draws() -> None:
    made = plan()
    assert set(made.queue(40, {})) < set(made.queue(80, {}))


def test_the_last_answer_about_a_write_counts() -> None:
    given = [AuditAnswer("a", True), AuditAnswer("b", None), AuditAnswer("a", False)]
    assert told_by(answer_of(one.line()) for one in given) == {"a": False, "b": None}


@pytest.mark.parametrize(
    "line", ["", "[]", "{", '{"write": "a"}', '{"write": "", "answer": "y"}', '{"write":"a","answer":"Y"}']
)
def test_a_line_that_is_no_answer_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"must|JSON"):
        answer_of(line)


def test_a_wrong_block_is_a_held_write_that_was_right_and_a_miss_a_passed_one_that_was_not() -> None:
    made = plan()
    queue = made.queue(40, {})
    held = dict(zip(made.ids, made.held, strict=True))
    right = findings(made, {one: held[one] for one in queue}, 40)
    assert (right.wrong_blocks.positives, right.misses.positives, right.answered) == (0, 0, 40)
    wrong = findings(made, {one: not held[one] for one in queue}, 40)
    assert wrong.wrong_blocks.within is not None and wrong.misses.within is not None
    assert wrong.wrong_blocks.within.value == wrong.misses.within.value == 1
    assert wrong.wrong_blocks.per_check is not None and wrong.wrong_blocks.per_check.value == 0.25
    only = findings(made, dict.fromkeys(queue, False), 40)
    assert (only.wrong_blocks.positives, only.misses.positives) == (made.shares(40)[True], 0)


def test_what_was_answered_beyond_an_open_draw_does_not_count() -> None:
    made = plan()
    queue = made.queue(40, {})
    held = dict(zip(made.ids, made.held, strict=True))
    told = {one: held[one] for one in queue if one != made.ids[made.order[False][3]]}
    assert findings(made, told, 40).misses.answers == 3


def test_rates_are_told_beside_each_other_with_intervals_and_what_would_halve_them() -> None:
    made, dice = plan(2000, 80), random.Random(5)
    told = {one: dice.random() < 0.3 for one in made.queue(80, {})}
    shown = "\n".join(lines(findings(made, told, 80)))
    assert "Wrong blocks" in shown and "Misses" in shown and "95 %" in shown
    assert shown.count("halve this interval") == 2
    assert "No answer yet" in "\n".join(lines(findings(made, {}, 80)))


def test_by_default_a_write_is_even_at_the_thresholds_and_ever_less_doubtful_above() -> None:
    found = [
        should_be_held(Convergence(mean, 0.05, 5, "none", ""), LIMITS, "embedded", "", None)
        for mean in (0.0, 0.4, 0.65, 0.7, 0.75)
    ]
    assert found == sorted(found, reverse=True)
    assert found[2] == pytest.approx(0.5)
    split = should_be_held(Convergence(0.9, 0.35, 5, "none", ""), LIMITS, "embedded", "", None)
    assert split > 0.5


def test_a_calibration_of_the_same_readers_is_asked_first() -> None:
    cases = [{"label": "clear", "confidence": 0.80 + number / 200} for number in range(20)]
    cases += [{"label": "ambiguous", "confidence": 0.70 + number / 200} for number in range(20)]
    known = map_of({"backend": "anthropic", "model": "m", "cases": cases})
    assert known is not None and known.cases == 40
    low, high = (
        should_be_held(Convergence(mean, 0.0, 5, "none", ""), LIMITS, "anthropic", "m", known)
        for mean in (0.7, 0.9)
    )
    assert low > 0.8 and high < 0.2
    other = should_be_held(Convergence(0.7, 0.0, 5, "none", ""), LIMITS, "embedded", "", known)
    assert other == should_be_held(Convergence(0.7, 0.0, 5, "none", ""), LIMITS, "embedded", "", None)
    assert map_of({"cases": cases[:15]}) is None
    assert map_of({"cases": [{"label": "clear", "confidence": "high"}, 3]}) is None
