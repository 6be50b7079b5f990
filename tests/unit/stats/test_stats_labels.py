"""Labels: rates of the gate by them, how far labellers agree, and the curve over all cuts."""

import numpy as np
import pytest
from label_agreement import alpha, alpha_interval

from calibration.stats.checks import auc_interval, columns_of, rates_at
from calibration.stats.estimates import Estimate, TooLittle, clopper_pearson
from evaluator.model import Thresholds


def table(means, ambiguous, units):
    column = np.array(means, dtype=np.float64)
    return columns_of(column[:, None], np.array(ambiguous), np.array(units), np.arange(len(column)))


def test_rates_of_the_gate_at_given_thresholds():
    checks = table([0.9, 0.8, 0.6, 0.3], [False, True, False, True], [0, 0, 1, 1])
    found = rates_at(checks, Thresholds(0.65, 0.2))
    assert [one.value for one in found] == [0.5] * 2


# Agreement of those who labelled the cases.


OBSERVERS = ("12332141 2...", "12332241 25.3", ".3332342 251.", "12332441 251.")


def published():
    rows = [[None if label == "." else label for label in row.replace(" ", "")] for row in OBSERVERS]
    return list(zip(*rows, strict=True))


def test_alpha_is_that_of_the_published_example():
    """Krippendorff 2011: four observers, twelve units, gaps; nominal alpha 0.743."""
    assert alpha(published()) == pytest.approx(0.743, abs=5e-4)


def test_alpha_has_an_interval_over_cases_around_it():
    found = alpha_interval(published(), np.random.default_rng(1))
    assert isinstance(found, Estimate)
    assert found.low < 0.743 < found.high <= 1
    assert (found.n, found.units) == (40, 11)


def test_full_agreement_keeps_room_below_one():
    cases = [("clear", "clear"), ("ambiguous", "ambiguous")] * 10
    found = alpha_interval(cases, np.random.default_rng(1))
    assert isinstance(found, Estimate)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(1 - 2 * clopper_pearson(0, 20)[1])


def test_alpha_says_nothing_where_all_labels_are_the_same_or_none_meet():
    assert alpha([("clear", "clear")] * 20) is None
    assert alpha([("clear", None)] * 20) is None
    assert alpha([]) is None
    assert alpha_interval([("clear", "clear")] * 20, np.random.default_rng(1)) is None
    few = alpha_interval([("a", "b")] * 9, np.random.default_rng(1))
    assert few == TooLittle("cases with two labels", 9, 10)


# AUC and its interval.


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


def test_scores_that_are_no_numbers_and_columns_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="finite"):
        interval([float("nan"), 0.1], CLEAR)
    with pytest.raises(ValueError, match="labels"):
        auc_interval([0.1, 0.2], np.array([True]), ["a", "b"])
