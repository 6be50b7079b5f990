"""Draws, weights and intervals of an audit, against what can be known exactly."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from calibration.stats.active.betting import betting_interval
from calibration.stats.active.draws import EVEN, chance_of_each, chances, order_of, shares, weights
from calibration.stats.active.rates import Asked, rate_of
from calibration.stats.intervals import clopper_pearson

WRONG = np.array([0.02, 0.02, 0.10, 0.45, 0.90])


def asked(wrong: np.ndarray, answers: np.ndarray, order: np.ndarray, sessions: int = 40) -> Asked:
    """A population that is all of the rate's own kind."""
    count = len(wrong)
    return Asked(wrong, np.arange(count) % sessions, np.ones(count, dtype=np.bool_), order, answers)


def test_a_chance_rises_with_uncertainty_and_no_answer_weighs_more_than_the_floor_allows() -> None:
    found = chances(WRONG)
    assert found.mean() == pytest.approx(1)
    assert found[3] == max(found) and found[0] == found[1] == min(found) >= EVEN
    assert chances(np.full(7, 0.3)).tolist() == pytest.approx([1.0] * 7)
    assert chances(np.array([0.0, 1.0])).tolist() == [1.0, 1.0]


def test_the_weighted_mean_of_every_prefix_is_unbiased() -> None:
    """Summed over all orders with their probabilities."""
    relative, truth = chances(WRONG), np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    for count in range(1, len(WRONG) + 1):
        mean = total = 0.0
        for order in permutations(range(len(WRONG)), count):
            places = np.array(order)
            chance = float(np.prod(chance_of_each(relative, places)))
            total += chance
            mean += chance * float((weights(relative, places) * truth[places]).mean())
        assert total == pytest.approx(1)
        assert mean == pytest.approx(truth.mean())


def test_draws_come_with_the_chances_that_are_stated() -> None:
    relative, generator = chances(WRONG), np.random.default_rng(1)
    firsts = np.bincount([order_of(relative, generator)[0] for _ in range(20_000)], minlength=len(WRONG))
    assert firsts / 20_000 == pytest.approx(relative / relative.sum(), abs=0.015)


def test_passed_writes_give_up_an_eleventh_of_their_plain_share_at_most() -> None:
    assert shares(150, 1350, 80) == (14, 66)
    assert shares(5, 1350, 80) == (5, 75)
    assert shares(0, 500, 80) == (0, 80)
    assert shares(500, 0, 80) == (80, 0)
    assert shares(30, 20, 80) == (30, 20)
    for blocked in range(0, 1001, 50):
        of_blocked, of_passed = shares(blocked, 1000 - blocked, 80)
        assert of_blocked + of_passed == 80
        assert of_passed >= 80 * (1000 - blocked) / 1000 / 1.1 - 1e-9


def test_where_everything_was_asked_about_the_rate_is_what_was_answered() -> None:
    generator = np.random.default_rng(2)
    truth = (generator.random(60) < 0.4).astype(float)
    wrong = generator.random(60)
    order = order_of(chances(wrong), generator)
    found = rate_of(asked(wrong, truth[order], order))
    assert found.within is not None
    assert found.within.value == pytest.approx(truth.mean())
    assert found.more is None
    assert found.within.low < found.within.value < found.within.high


def test_a_judge_without_opinion_gives_the_plain_mean() -> None:
    wrong = np.full(500, 0.2)
    order = order_of(chances(wrong), np.random.default_rng(3))[:50]
    answers = (np.arange(50) < 12).astype(float)
    found = rate_of(asked(wrong, answers, order, sessions=500))
    assert found.within is not None
    assert found.within.value == pytest.approx(0.24)
    low, high = clopper_pearson(12, 50)
    assert found.within.high - found.within.low == pytest.approx(high - low, rel=0.1)


def test_few_finds_are_bet_on_and_none_at_all_bounds_the_rate_from_above() -> None:
    wrong = np.full(1000, 0.05)
    order = order_of(chances(wrong), np.random.default_rng(4))[:60]
    found = rate_of(asked(wrong, np.zeros(60), order))
    assert found.method == "betting" and found.within is not None
    assert found.within.low == 0 == found.within.value
    assert clopper_pearson(0, 60)[1] < found.within.high < 1.5 * clopper_pearson(0, 60)[1]


def test_rates_per_check_are_those_within_times_the_share_of_the_kind() -> None:
    wrong, mine = np.full(100, 0.3), np.arange(100) < 25
    order = order_of(chances(wrong[mine]), np.random.default_rng(5))[:15]
    found = rate_of(Asked(wrong, np.arange(100) // 5, mine, order, (np.arange(15) < 6).astype(float)))
    assert found.per_check is not None and found.within is not None
    for end in ("value", "low", "high"):
        assert getattr(found.per_check, end) == pytest.approx(getattr(found.within, end) / 4)


def test_no_writes_of_a_kind_and_no_answers_give_no_figure() -> None:
    none = Asked(WRONG, np.arange(5), np.zeros(5, dtype=np.bool_), np.array([], dtype=np.int64), np.array([]))
    assert rate_of(none).per_check is None
    assert rate_of(asked(WRONG, np.array([]), np.array([], dtype=np.int64))).within is None


def test_writes_of_one_session_that_are_wrong_together_widen_the_interval() -> None:
    generator = np.random.default_rng(6)
    wrong = np.full(600, 0.3)
    order = order_of(chances(wrong), generator)[:120]
    together, mixed = np.arange(600) % 12, generator.permutation(600) % 600
    answers = (together[order] < 4).astype(float)
    everything = np.ones(600, dtype=np.bool_)
    clustered = rate_of(Asked(wrong, together, everything, order, answers)).within
    alone = rate_of(Asked(wrong, mixed, everything, order, answers)).within
    assert clustered is not None and alone is not None
    assert clustered.high - clustered.low > 1.5 * (alone.high - alone.low)


def test_answers_that_halve_an_interval_do_halve_it() -> None:
    wrong, everything = np.full(20_000, 0.3), np.ones(20_000, dtype=np.bool_)
    order = order_of(chances(wrong), np.random.default_rng(7))
    truth = (np.arange(20_000) % 10 < 3).astype(float)

    def found(count: int):
        return rate_of(Asked(wrong, np.arange(20_000), everything, order[:count], truth[order[:count]]))

    first = found(50)
    assert first.more is not None and first.within is not None
    second = found(50 + first.more).within
    assert second is not None
    assert (second.high - second.low) / (first.within.high - first.within.low) == pytest.approx(0.5, abs=0.07)


def test_a_bet_refutes_a_true_mean_in_at_most_one_run_of_twenty() -> None:
    out = 0
    for seed in range(400):
        generator = np.random.default_rng([8, seed])
        draws = (generator.random(60) < 0.05) / 0.7
        low, high = betting_interval(draws, np.zeros(60), np.full(60, 1 / 0.7), 0.0, 1.0)
        out += not low <= 0.05 / 0.7 <= high
    assert out / 400 <= 0.05


def test_a_draw_outside_of_its_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="bounds"):
        betting_interval(np.array([2.0]), np.zeros(1), np.ones(1), 0.0, 1.0)


@pytest.mark.parametrize("positives", [0, 1, 3])
def test_of_few_misses_among_an_even_draw_the_interval_is_that_of_their_count(positives: int) -> None:
    wrong, count = np.random.default_rng(9).random(2000), 60
    relative = chances(wrong, blocked=False)
    assert relative.tolist() == [1.0] * 2000
    order = order_of(relative, np.random.default_rng(10))[:count]
    answers = (np.arange(count) < positives).astype(np.float64)
    mine = np.ones(2000, dtype=np.bool_)
    found = rate_of(Asked(wrong, np.arange(2000), mine, order, answers, blocked=False))
    low, high = clopper_pearson(positives, count)
    assert found.method == "count" and found.within is not None
    # Other sessions widen it a little; 60 answers of 2,000 writes of as many sessions hardly.
    assert low - 0.005 <= found.within.low <= low + 1e-9 and high - 1e-9 <= found.within.high <= high + 0.005


def test_where_nearly_all_were_asked_about_no_more_misses_are_possible_than_writes_are_left() -> None:
    order = order_of(np.ones(40), np.random.default_rng(11))
    for count, most in ((40, 0.0), (38, 2 / 40)):
        mine = np.ones(40, dtype=np.bool_)
        found = rate_of(Asked(np.full(40, 0.1), np.arange(40), mine, order[:count], np.zeros(count), False))
        assert found.within is not None and found.within.value == 0
        assert found.within.high <= math.hypot(most, clopper_pearson(0, 40)[1]) + 1e-9
