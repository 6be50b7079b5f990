"""Rates corrected by answers of people: coverage by simulation, and what is known without one."""

import numpy as np
import pytest
from interval_simulation import turns

from calibration.stats.estimates import CorrectedRate, TooLittle, corrected_rate

RUNS = 300


@pytest.mark.parametrize("rate", [0.07, 0.2, 0.5])
@pytest.mark.parametrize(("found", "wrong"), [(0.8, 0.03), (0.6, 0.1), (0.95, 0.01), (0.5, 0.5)])
@pytest.mark.parametrize("answers", [40, 80])
def test_the_interval_covers_the_rate_whatever_the_predictions_are_worth(rate, found, wrong, answers):
    generator = np.random.default_rng(7)
    covered, own, plain = 0, [], []
    for _ in range(RUNS):
        said, known, session = turns(generator, rate, found, wrong, 60, answers)
        one = corrected_rate(said, known, session)
        other = corrected_rate(np.zeros(len(said)), known, session)
        assert isinstance(one, CorrectedRate) and isinstance(other, CorrectedRate)
        covered += one.low <= rate <= one.high
        own.append(one.high - one.low)
        plain.append(other.high - other.low)
    assert covered / RUNS >= 0.92
    assert np.mean(own) <= 1.01 * np.mean(plain), "predictions never cost more than a hair"
    if found > 0.7:
        assert np.mean(own) < 0.95 * np.mean(plain), "and good ones narrow it"


def test_useless_predictions_leave_the_mean_of_the_answers():
    said, known = np.zeros(30), np.full(30, np.nan)
    known[:10] = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    one = corrected_rate(said, known, np.arange(30))
    assert isinstance(one, CorrectedRate)
    assert (one.value, one.trust, one.answers, one.units) == (0.2, 0.0, 10, 10)


def test_answers_that_all_agree_with_the_predictions_leave_room_for_an_error():
    said = np.array([1.0] * 10 + [0.0] * 90)
    known = np.where(np.arange(100) % 2 == 0, said, np.nan)
    one = corrected_rate(said, known, np.arange(100))
    assert isinstance(one, CorrectedRate)
    assert abs(one.value - 0.1) < 1e-9 and one.trust > 0.9
    assert one.low < 0.06 and one.high > 0.15


def test_answers_of_one_session_are_too_few_and_two_that_agree_are_no_independent_evidence():
    known = np.array([1.0, 0.0, np.nan, np.nan])
    assert corrected_rate(np.zeros(4), known, ["a", "a", "b", "c"]) == TooLittle("units with an answer", 1, 2)
    truth = np.tile([1.0, 1.0, 0.0, 0.0], 10)
    alone = corrected_rate(np.zeros(40), truth, np.arange(40))
    paired = corrected_rate(np.zeros(40), truth, np.repeat(np.arange(20), 2))
    assert isinstance(alone, CorrectedRate) and isinstance(paired, CorrectedRate)
    assert alone.value == paired.value and paired.high - paired.low > 1.2 * (alone.high - alone.low)
