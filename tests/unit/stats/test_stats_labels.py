"""Labels: rates of the gate by them, and how well its score tells them apart."""

import numpy as np
import pytest

from calibration.stats.checks import auc_interval, columns_of, rates_at
from calibration.stats.estimates import Estimate, TooLittle
from evaluator.model import Thresholds


def table(means, ambiguous, units):
    column = np.array(means, dtype=np.float64)
    return columns_of(column[:, None], np.array(ambiguous), np.array(units), np.arange(len(column)))


def test_rates_of_the_gate_at_given_thresholds():
    checks = table([0.9, 0.8, 0.6, 0.3], [False, True, False, True], [0, 0, 1, 1])
    found = rates_at(checks, Thresholds(0.65, 0.2))
    assert [one.value for one in found] == [0.5] * 2


AMBIGUOUS, CLEAR = [0.2, 0.4, 0.6], [0.5, 0.6, 0.9, 0.4]


def interval(ambiguous, clear, units=None):
    scores = [*ambiguous, *clear]
    labels = np.array([True] * len(ambiguous) + [False] * len(clear))
    return auc_interval(scores, labels, units or [str(place) for place in range(len(scores))])


def test_auc_counts_the_comparisons_that_the_ambiguous_case_loses_and_half_of_the_ties():
    found = interval(AMBIGUOUS, CLEAR)
    assert isinstance(found, Estimate) and found.value == pytest.approx((4 + 3.5 + 1.5) / 12)


def test_independent_units_give_nearly_the_interval_of_hanley_and_mcneil():
    """1982: standard error of an area for binormal data, here within a tenth of it, logit apart."""
    rng = np.random.default_rng(3)
    found = interval(rng.normal(0, 1, 400), rng.normal(1, 1, 400))
    assert isinstance(found, Estimate)
    area = found.value
    one, two = area / (2 - area), 2 * area**2 / (1 + area)
    error = ((area * (1 - area) + 399 * (one - area**2) + 399 * (two - area**2)) / 400**2) ** 0.5
    assert (found.high - found.low) / (2 * 1.97) == pytest.approx(error, rel=0.1)


def test_repeating_every_check_adds_no_certainty():
    rng = np.random.default_rng(4)
    low, high = rng.normal(0, 1, 30).tolist(), rng.normal(1, 1, 30).tolist()
    names = [str(i) for i in range(30)]
    once = interval(low, high, names * 2)
    thrice = interval(low * 3, high * 3, names * 6)
    assert isinstance(once, Estimate) and isinstance(thrice, Estimate)
    assert (thrice.value, thrice.low, thrice.high) == pytest.approx((once.value, once.low, once.high))
    assert (once.n, thrice.n, thrice.units) == (60, 180, 30)


@pytest.mark.parametrize("units", [3, 20, 100])
def test_perfect_separation_leaves_an_interval_that_shrinks_with_n(units):
    found = interval([0.1] * units, [0.9] * units)
    assert isinstance(found, Estimate)
    assert (found.value, found.high) == (1.0, 1.0)
    assert 1 - 8 / units < found.low < 1 - 1 / (2 * units)


def test_too_few_units_of_a_class_give_no_interval():
    assert interval([0.1], [0.9, 0.8]) == TooLittle("ambiguous units", 1, 2)
    assert interval([0.1, 0.2], [0.9, 0.8], ["a", "b", "c", "c"]) == TooLittle("clear units", 1, 2)
    assert auc_interval([], np.zeros(0, dtype=bool), []) == TooLittle("clear units", 0, 2)
