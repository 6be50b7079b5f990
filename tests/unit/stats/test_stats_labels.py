"""Rates of the gate."""

import numpy as np

from calibration.stats.checks import columns_of, rates_at
from evaluator.model import Thresholds


def table(means, ambiguous, units):
    column = np.array(means, dtype=np.float64)
    return columns_of(column[:, None], np.array(ambiguous), np.array(units), np.arange(len(column)))


def test_rates_of_the_gate_at_given_thresholds():
    checks = table([0.9, 0.8, 0.6, 0.3], [False, True, False, True], [0, 0, 1, 1])
    found = rates_at(checks, Thresholds(0.65, 0.2))
    assert [one.value for one in found] == [0.5] * 2
