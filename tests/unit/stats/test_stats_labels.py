"""The skip layer's errors, and rates of the gate."""

import numpy as np

from calibration.stats.checks import SkipCase, columns_of, rates_at, skip_errors
from calibration.stats.estimates import Estimate, TooLittle, clopper_pearson
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
    assert [one.value for one in (found.false_blocks, found.detection)] == [0.5] * 2
