"""What the calibration's resampling holds at once does not grow with the number of cases."""

import tracemalloc

import numpy as np
import pytest

from calibration.stats.bootstrap import percentile
from calibration.stats.calibration_error import calibration_error

MEGABYTE = 1_000_000


def peak(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("units", "most"), [(1_000, 12), (20_000, 20)])
def test_the_calibration_error_holds_a_few_draws_at_once(units, most):
    """All 300 draws of 20,000 units would be 96 megabytes."""
    rng = np.random.default_rng(1)
    confidence = rng.random(units)
    clear = rng.random(units) < confidence
    taken = peak(lambda: calibration_error(confidence, clear, np.arange(units), rng, draws=300))
    assert taken < most * MEGABYTE


def test_the_bootstrap_does_too():
    rng = np.random.default_rng(1)
    values = rng.random(20_000)
    taken = peak(lambda: percentile(lambda weights: weights @ values / len(values), len(values), rng, 300))
    assert taken < 10 * MEGABYTE


def test_blocks_give_what_all_draws_at_once_would():
    values = np.random.default_rng(1).random(3_000)
    all_at_once = np.random.default_rng(2).multinomial(3_000, np.full(3_000, 1 / 3_000), size=200) @ values
    low, high = np.quantile(all_at_once / 3_000, [0.025, 0.975])
    found = percentile(lambda weights: weights @ values / 3_000, 3_000, np.random.default_rng(2), 200)
    assert found == pytest.approx((low, high), abs=1e-12)
