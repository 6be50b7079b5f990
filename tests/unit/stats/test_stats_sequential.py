"""Sequential sampling: the gate's rule, its risk table, and what it saves."""

import json

import numpy as np
import pytest
from corpora import corpus

from calibration.stats.checks import Measured
from calibration.stats.estimate import TooLittle
from calibration.stats.sequential import Savings, evaluate, risk_table, simulated
from evaluator.model import Thresholds
from evaluator.verdict.sequential import RiskTable, may_stop, slack, table_of

AT = Thresholds(0.65, 0.20)
TABLE = RiskTable(5, AT, 0.01, ((3, 0.20), (4, 0.30)))


def readers(rng, cases, *, outliers=0.0):
    """Scores of five readers, half of the checks clear around 0.85 and half ambiguous around 0.40."""
    centres = np.concatenate([0.85 + rng.normal(0, 0.06, cases), 0.40 + rng.normal(0, 0.08, cases)])
    scores = centres[:, None] + rng.normal(0, 0.1, (2 * cases, 5))
    return np.clip(np.where(rng.random(scores.shape) < outliers, 0.1, scores), 0, 1)


def measured(rng, cases, **options):
    return [
        Measured(str(row), str(row), row >= cases, tuple(own))
        for row, own in enumerate(readers(rng, cases, **options).tolist())
    ]


def test_a_pass_with_slack_may_stop_and_one_without_may_not():
    assert may_stop([0.9, 0.9, 0.9], 5, TABLE, AT)
    assert not may_stop([0.7, 0.7, 0.7], 5, TABLE, AT)


def test_a_look_that_the_table_leaves_out_never_ends_a_pass():
    assert not may_stop([0.9, 0.9], 5, TABLE, AT)


def test_a_table_for_other_thresholds_or_another_n_ends_no_pass():
    assert not may_stop([0.9, 0.9, 0.9], 5, TABLE, Thresholds(0.66, 0.20))
    assert not may_stop([0.9, 0.9, 0.9], 7, TABLE, AT)
    assert not may_stop([0.9, 0.9, 0.9], 5, None, AT)


def test_a_block_that_no_answer_can_lift_ends_without_a_table():
    assert may_stop([0.1, 0.1, 0.1], 5, None, AT)
    assert not may_stop([0.6, 0.6, 0.6], 5, None, AT)


def test_with_everything_in_a_check_ends_and_with_nothing_it_does_not():
    assert may_stop([0.6] * 5, 5, None, AT)
    assert not may_stop([], 5, TABLE, AT)


def test_slack_is_how_far_down_the_missing_readers_may_be():
    by_mean, by_deviation = slack([0.9, 0.9, 0.9], 5, Thresholds(0.8, 0.5)), slack([0.9, 0.9, 0.9], 5, AT)
    assert by_mean == pytest.approx(0.25, abs=1e-6)
    assert np.std([0.9] * 3 + [0.9 - by_deviation] * 2) == pytest.approx(0.20, abs=1e-6)
    assert slack([0.6, 0.6, 0.6], 5, AT) == -1.0
    assert slack([0.2, 1.0, 1.0, 1.0], 5, AT) == -1.0


def test_the_table_survives_json():
    assert table_of(json.loads(json.dumps(TABLE.as_dict()))) == TABLE


@corpus(
    "broken",
    [
        None, [], {}, {**TABLE.as_dict(), "n": "5"}, {**TABLE.as_dict(), "risk": True},
        {**TABLE.as_dict(), "bounds": {"x": 0.1}}, {**TABLE.as_dict(), "bounds": {"5": 0.1}},
        {**TABLE.as_dict(), "bounds": {"3": -1.0}}, {**TABLE.as_dict(), "bounds": {"3": float("nan")}},
        {**TABLE.as_dict(), "bounds": [3]},
    ],
)  # fmt: skip
def test_anything_else_is_no_table(broken):
    with pytest.raises(ValueError, match="not a risk table"):
        table_of(broken)


def test_a_calibrated_table_saves_a_quarter_of_the_calls_and_differs_in_at_most_one_percent():
    rng = np.random.default_rng(1)
    drawn = simulated(measured(rng, 100), 5, rng)
    assert not isinstance(drawn, TooLittle)
    table = risk_table(drawn, AT, min_valid_samples=3)
    held_out = readers(rng, 2000)
    found = evaluate(held_out, [str(row) for row in range(4000)], table, min_valid_samples=3)
    assert isinstance(found, Savings)
    assert found.share <= 0.75
    assert found.upper <= 0.01
    assert (found.checks, found.fixed_calls) == (4000, 20_000)


def test_readers_with_wild_answers_are_never_stopped_on_a_pass():
    rng = np.random.default_rng(2)
    drawn = simulated(measured(rng, 100, outliers=0.03), 5, rng)
    assert not isinstance(drawn, TooLittle)
    assert risk_table(drawn, AT, min_valid_samples=3).bounds == ()


def test_the_risk_holds_at_every_slack_that_the_table_allows():
    """Among the checks that just have the slack asked for, not only among all that stop."""
    rng = np.random.default_rng(3)
    scores = np.clip(0.72 + rng.normal(0, 0.06, (400_000, 1)) + rng.normal(0, 0.08, (400_000, 5)), 0, 1)
    table = risk_table(scores[:200_000], AT, min_valid_samples=4)
    (look, bound), *rest = table.bounds
    assert (look, rest) == (4, [])
    fresh = scores[200_000:]
    room = np.array([slack(own, 5, AT) for own in fresh[:60_000, :4].tolist()])
    blocked = (fresh[:60_000].mean(axis=1) < 0.65) | (fresh[:60_000].std(axis=1) > 0.20)
    edge = (room >= bound) & (room < bound + 0.02)
    under = (room >= 0) & (room < bound - 0.02)
    assert edge.sum() > 500
    assert blocked[edge].mean() <= 0.015
    assert blocked[under].mean() > 0.02


def test_too_few_scores_give_no_table():
    rng = np.random.default_rng(4)
    assert simulated([], 5, rng) == TooLittle("checks", 0, 1)
    assert simulated(measured(rng, 3), 5, rng) == TooLittle("readers' deviations", 15, 30)
    assert evaluate(np.zeros((0, 5)), [], TABLE, min_valid_samples=3) == TooLittle("checks", 0, 1)


def test_a_small_calibration_promises_less_than_a_large_one():
    """What was not seen in few readers may still be there: fewer early ends."""
    shares = []
    for cases in (15, 300):
        rng = np.random.default_rng(5)
        drawn = simulated(measured(rng, cases), 5, rng)
        assert not isinstance(drawn, TooLittle)
        table = risk_table(drawn, AT, min_valid_samples=3)
        found = evaluate(readers(rng, 500), [str(row) for row in range(1000)], table, min_valid_samples=3)
        assert isinstance(found, Savings)
        shares.append(found.share)
    assert shares[1] < shares[0]
