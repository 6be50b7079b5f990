"""Convergence and the gate: what passes, what blocks, and what can no longer change."""

import math

import pytest
from corpora import corpus

from evaluator.model import Sample, Thresholds
from evaluator.verdict.convergence import (
    certain_block,
    chance_of_change,
    converge,
    deciding,
    decision_of,
    first_look_passes,
    judge,
    may_stop,
)

DEFAULT = Thresholds(0.65, 0.20)


def samples(*scores, concern="none"):
    return [Sample(f"reader-{i}", score=score, primary_concern=concern) for i, score in enumerate(scores)]


def verdict(*scores):
    found = converge(samples(*scores), 3)
    assert found is not None
    return judge(found, DEFAULT)


@corpus(
    ("scores", "expected"),
    [
        ((0.9, 0.9, 0.9, 0.9, 0.9), ("passed", "confident")),
        ((0.65, 0.65, 0.65), ("passed", "confident")),
        ((0.64, 0.64, 0.64), ("failed", "low_confidence")),
        ((0.6, 0.6, 0.6, 1.0, 1.0), ("passed", "confident")),
        ((1.0, 1.0, 1.0, 1.0, 0.4), ("failed", "disagreement")),
        ((0.0, 0.0, 1.0), ("failed", "low_confidence")),
        # Equality passes, and floating point must not decide: this deviation is 0.2 exactly.
        ((0.6, 0.6, 1.0, 1.0), ("passed", "confident")),
    ],
)
def test_the_gate_blocks_below_the_mean_or_above_the_deviation(scores, expected):
    assert verdict(*scores) == expected


def test_too_few_valid_samples_is_no_convergence():
    mixed = [*samples(1.0, 1.0), Sample("reader-3", error="timeout: 8 s")]
    assert converge(mixed, 3) is None
    assert converge([], 0) is None


def test_an_invalid_sample_counts_neither_as_zero_nor_as_agreement():
    mixed = [*samples(0.8, 0.8, 0.8), Sample("reader-4", score=None, error="invalid: 7")]
    found = converge(mixed, 3)
    assert (found.mean, found.sample_count) == (pytest.approx(0.8), 3)


def test_the_modal_concern_breaks_ties_by_the_lowest_mean_score():
    mixed = [*samples(0.9, concern="scope"), *samples(0.2, concern="destructive")]
    assert converge(mixed, 2).primary_concern == "destructive"


def test_the_rationale_is_the_lowest_of_those_who_share_the_concern():
    mixed = [
        Sample("a", score=0.0, rationale="zero", primary_concern="target"),
        Sample("b", score=0.5, rationale="middle", primary_concern="scope"),
        Sample("c", score=1.0, rationale="one", primary_concern="scope"),
    ]
    found = converge(mixed, 3)
    assert found is not None
    assert found.rationale == "middle"
    assert found.stddev == pytest.approx(math.sqrt(1 / 6))


@corpus(
    ("scores", "outstanding", "closed"),
    [
        ((0.0, 0.0, 0.0), 2, True),
        ((0.9, 0.9, 0.9), 2, False),
        ((0.6, 0.6, 0.6), 2, False),
        ((1.0, 1.0, 0.0), 2, True),
        ((0.1, 0.9, 0.9, 0.9), 1, True),
        ((0.3,), 4, False),
        ((), 5, False),
    ],
)
def test_a_block_is_certain_only_when_no_answer_can_lift_it(scores, outstanding, closed):
    assert certain_block(scores, outstanding, DEFAULT) is closed


def test_only_a_failed_check_in_enforce_denies():
    found = [
        decision_of(*one) for one in (("failed", "enforce"), ("failed", "observe"), ("passed", "enforce"))
    ]
    assert found == ["deny", "allow", "allow"]


@pytest.mark.parametrize(
    ("scores", "outstanding", "low", "high"),
    [((0.9, 0.9, 0.9, 0.9), 1, 0.0, 0.01), ((0.3, 0.3, 0.3, 0.3), 1, 0.0, 0.01), ((0.66, 0.66), 3, 0.3, 0.6)],
)
def test_readers_who_are_awaited_change_a_verdict_as_near_to_a_bound_as_it_is(scores, outstanding, low, high):
    assert low < chance_of_change(scores, outstanding, Thresholds(0.65, 0.20)) < high


@pytest.mark.parametrize(
    ("scores", "risk", "agreement", "stops"),
    [
        ((), 0.0, None, False),
        ((0.9, 0.9, 0.9, 0.9, 0.9), 0.0, None, True),
        ((0.9, 0.9, 0.9, 0.9), 0.0, None, False),
        ((0.9, 0.9, 0.9, 0.9), 0.05, None, True),
        ((0.9, 0.9, 0.9, 0.9), 0.05, 0.6, False),
        ((0.66, 0.66), 0.05, None, False),
        ((0.0, 0.0, 0.0), 0.0, 0.6, True),
    ],
)
def test_a_verdict_stands_before_the_last_of_five_only_within_the_risk(scores, risk, agreement, stops):
    assert may_stop(scores, 5, Thresholds(0.65, 0.20, agreement), risk) is stops


def test_the_second_look_decides_where_it_was_asked():
    first, second = Sample("a", 0.9, look="first"), Sample("b", 0.2, look="second")
    assert deciding([first, second]) == (second,)
    assert deciding([first]) == (first,)


def test_a_first_look_passes_what_both_find_clear_and_nothing_that_destroys():
    clear, unclear = ([Sample("r", score=score, look="first") for score in (0.9, low)] for low in (0.7, 0.6))
    assert first_look_passes(clear, DEFAULT, destructive=False)
    assert not first_look_passes(unclear, DEFAULT, destructive=False)
    assert not first_look_passes(clear, DEFAULT, destructive=True)
    assert not first_look_passes(clear[:1], DEFAULT, destructive=False)
