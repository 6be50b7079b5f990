"""The skip layer's errors, rates of the gate, calibration error."""

import numpy as np
import pytest

from calibration.stats.binary import SkipCase, balanced, detection_at, rates_at, skip_errors, within_pairs
from calibration.stats.calibration_error import calibration_error, reliability
from calibration.stats.checks import columns_of
from calibration.stats.estimate import Estimate, TooLittle
from calibration.stats.intervals import clopper_pearson
from evaluator.model import Thresholds


def table(means, ambiguous, units):
    column = np.array(means, dtype=np.float64)
    return columns_of(column[:, None], np.array(ambiguous), np.array(units), np.arange(len(column)))


def test_skip_errors_are_counted_in_their_own_classes():
    cases = [
        *(SkipCase(f"a{i}", True, False, i == 0) for i in range(20)),
        *(SkipCase(f"c{i}", False, True, i > 1) for i in range(10)),
        SkipCase("not eligible", False, False, False),
    ]
    found = skip_errors(cases)
    assert isinstance(found.wrong, Estimate) and isinstance(found.missed, Estimate)
    assert (found.wrong.value, found.wrong.low, found.wrong.high) == (0.05, *clopper_pearson(1, 20))
    assert (found.missed.value, found.missed.n) == (0.2, 10)
    assert isinstance(skip_errors([]).wrong, TooLittle)


def test_rates_of_the_gate_at_given_thresholds():
    checks = table([0.9, 0.8, 0.6, 0.3], [False, True, False, True], [0, 0, 1, 1])
    found = rates_at(checks, Thresholds(0.65, 0.2))
    assert [one.value for one in (found.false_blocks, found.detection, found.balanced_accuracy)] == [0.5] * 3
    assert not found.picked


def test_balanced_accuracy_stays_open_at_perfection_and_names_the_class_that_is_missing():
    perfect = table([0.9] * 20 + [0.1] * 20, [False] * 20 + [True] * 20, [*range(20), *range(20)])
    found = rates_at(perfect, Thresholds(0.5, 0.5)).balanced_accuracy
    assert isinstance(found, Estimate)
    assert (found.value, found.high) == (1.0, 1.0)
    assert 0.8 < found.low < 0.95
    missing = TooLittle("units", 0, 1)
    assert balanced(missing, missing) == missing


def test_the_threshold_picked_on_the_set_blocks_no_more_clear_units_than_allowed():
    clear = [0.30, *([0.6] * 9), *([0.7] * 10)]
    checks = table([*clear, *([0.55] * 10), *([0.65] * 10)], [False] * 20 + [True] * 20, [*range(20)] * 2)
    five, sixty = detection_at(checks, 0.05), detection_at(checks, 0.6)
    assert (five.false_blocks.value, five.detection.value, five.picked) == (0.05, 0.5, True)
    assert (sixty.false_blocks.value, sixty.detection.value) == (0.5, 1.0)
    assert detection_at(table([0.5], [True], [0]), 0.05) == TooLittle("clear units", 0, 1)


def test_ranking_within_pairs_counts_each_pair_once_and_ties_half():
    checks = table([0.9, 0.1, 0.2, 0.5, 0.5, 0.3, 0.4], [0, 1, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 2, 3])
    checks = table(checks.mean, np.array([0, 1, 1, 0, 1, 0, 1], dtype=bool), checks.unit)
    found = within_pairs(checks)
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.units) == (0.75, 3, 2)
    assert within_pairs(table([0.5], [True], [0])) == TooLittle("pairs with both classes", 0, 1)


def test_calibration_error_of_constant_confidence_is_its_distance_from_the_share():
    clear = np.arange(100) < 50
    found = calibration_error(np.full(100, 0.8), clear, np.arange(100), np.random.default_rng(1))
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.3)
    assert found.low < 0.3 < found.high


def test_bins_have_equal_mass_and_equal_values_share_one():
    confidence = np.concatenate([np.linspace(0, 0.4, 50), np.full(50, 0.9)])
    bins = reliability(confidence, confidence > 0.5)
    assert sum(one.n for one in bins) == 100
    assert [one.n for one in bins if one.low == one.high] == [50]
    assert {one.n for one in bins if one.low < one.high} == {10}
    assert reliability([], np.zeros(0, dtype=bool)) == ()


def test_the_interval_of_the_calibration_error_covers_where_readers_are_calibrated():
    """The truth is 0 there, and the plain value is always above it."""
    inside = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        confidence = rng.beta(0.7, 0.7, 100)
        found = calibration_error(
            confidence, rng.random(100) < confidence, np.arange(100) // 2, rng, draws=400
        )
        assert isinstance(found, Estimate)
        inside += found.low <= 0.002
    assert inside >= 90


def test_too_few_units_give_no_calibration_error():
    found = calibration_error([0.5] * 30, np.ones(30, dtype=bool), [0] * 30, np.random.default_rng(1))
    assert found == TooLittle("units", 1, 10)
    with pytest.raises(ValueError, match="finite"):
        calibration_error([np.nan], np.ones(1, dtype=bool), ["a"], np.random.default_rng(1))
