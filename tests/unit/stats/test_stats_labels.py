"""The skip layer's errors, and rates of the gate."""

import numpy as np

from calibration.stats.binary import SkipCase, balanced, rates_at, skip_errors, within_pairs
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


def test_balanced_accuracy_stays_open_at_perfection_and_names_the_class_that_is_missing():
    perfect = table([0.9] * 20 + [0.1] * 20, [False] * 20 + [True] * 20, [*range(20), *range(20)])
    found = rates_at(perfect, Thresholds(0.5, 0.5)).balanced_accuracy
    assert isinstance(found, Estimate)
    assert (found.value, found.high) == (1.0, 1.0)
    assert 0.8 < found.low < 0.95
    missing = TooLittle("units", 0, 1)
    assert balanced(missing, missing) == missing


def test_ranking_within_pairs_counts_each_pair_once_and_ties_half():
    checks = table([0.9, 0.1, 0.2, 0.5, 0.5, 0.3, 0.4], [0, 1, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 2, 3])
    checks = table(checks.mean, np.array([0, 1, 1, 0, 1, 0, 1], dtype=bool), checks.unit)
    found = within_pairs(checks)
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.units) == (0.75, 3, 2)
    assert within_pairs(table([0.5], [True], [0])) == TooLittle("pairs with both classes", 0, 1)
