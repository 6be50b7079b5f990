"""The cut that follows what the user lets through, and the promise that it may break."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import NO_BLOCK, Cuts
from evaluator.verdict.following import GAMMA, Followed, is_broken, judged, moved, released

ALPHA = 0.1


def test_what_is_let_through_lowers_the_cut_and_what_passes_raises_it_by_the_rule():
    found = released(judged(Followed(), ALPHA), "a", 0.5)
    assert found.lowered == pytest.approx(GAMMA)
    assert (found.judged, found.released) == (1, 1)
    for _ in range(5):
        found = judged(found, ALPHA)
    assert found.lowered == pytest.approx(GAMMA * (1 - 5 * ALPHA))


def test_one_answer_counts_once_however_many_calls_it_lets_through():
    found = released(Followed(judged=9), "a", 0.5)
    for _ in range(20):
        found = released(found, "a", 0.5)
    assert (found.released, found.lowered) == (1, GAMMA)


@given(st.lists(st.booleans(), max_size=200), st.floats(0, 1), st.floats(0, 1.2))
def test_the_cut_stays_between_the_floor_and_what_was_certified(events, block, floor):
    found = Followed()
    for number, lets_through in enumerate(events):
        found = judged(found, ALPHA)
        if lets_through:
            found = released(found, str(number), block)
        cuts = moved(Cuts(block, 1.3, ALPHA, 0.1), found.lowered, floor)
        assert min(floor, block) <= cuts.block <= block
        assert cuts.passing == 1.3


def test_a_side_that_was_not_certified_stays_so():
    absent = Cuts(NO_BLOCK, 1.1, 1.0, 0.1)
    assert moved(absent, 0.3, 0.0) == absent


def test_in_the_long_run_as_many_are_let_through_as_were_promised():
    """Scores of clear writes fall after the day of the calibration; the user lets each blocked one through."""
    draw, found, cuts, blocked = random.Random(7), Followed(), Cuts(0.8, 1.3, ALPHA, 0.1), []
    for number in range(4000):
        now = moved(cuts, found.lowered, 0.0)
        held = draw.gauss(0.75, 0.1) < now.block
        found = judged(found, ALPHA)
        if held:
            found = released(found, str(number), cuts.block)
        blocked.append(held)
    assert sum(blocked[1000:]) / 3000 == pytest.approx(ALPHA, abs=0.02)


def broken_share(rate, checks, runs=400):
    draw = random.Random(11)
    broken = 0
    for _ in range(runs):
        found = Followed()
        for number in range(checks):
            found = judged(found, ALPHA)
            if draw.random() < rate:
                found = released(found, str(number), 1.0)
            if is_broken(found, ALPHA):
                broken += 1
                break
    return broken / runs


def test_a_kept_promise_is_seldom_called_broken_however_often_one_looks():
    assert broken_share(ALPHA, 300) <= 0.07


def test_a_broken_one_is_found():
    assert broken_share(0.3, 150) >= 0.95
    assert not is_broken(Followed(judged=500, released=500), 1.0)


def test_a_promise_can_be_looked_at_after_any_number_of_checks():
    """Each bet's wealth alone underflows, or overflows."""
    assert not is_broken(Followed(judged=1_000_000, released=50_000), ALPHA)
    assert not is_broken(Followed(judged=8_000), ALPHA)
    assert is_broken(Followed(judged=1_000_000, released=300_000), ALPHA)
