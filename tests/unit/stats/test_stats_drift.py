"""`--check`: has the floor moved?"""

import numpy as np
import pytest

from calibration.stats.checks import Measured
from calibration.stats.drift import CaseMean, case_means, compare
from calibration.stats.estimate import TooLittle


def run(means, ambiguous=False, prefix=""):
    return [CaseMean(f"{prefix}{i}", f"{prefix}{i}", ambiguous, mean) for i, mean in enumerate(means)]


def test_the_same_results_raise_no_alarm():
    """Deterministic readers differ by nothing at all: no division by zero, no alarm."""
    baseline = run([0.6] * 20)
    found = compare(baseline, baseline)
    assert not found.alarm
    assert found.shifts[0].p == 1.0


def test_deterministic_readers_that_all_moved_raise_one():
    found = compare(run([0.55] * 20), run([0.60] * 20))
    assert found.alarm
    assert (found.shifts[0].p, found.shifts[0].change.value) == (0.0, pytest.approx(-0.05))


def test_a_rise_is_a_drift_too():
    assert compare(run([0.65] * 20), run([0.60] * 20)).alarm


def test_a_certain_but_small_shift_is_no_alarm():
    found = compare(run([0.619] * 50), run([0.60] * 50))
    assert found.shifts[0].p == 0.0
    assert not found.alarm
    assert compare(run([0.62] * 50), run([0.60] * 50)).alarm


def test_a_large_but_uncertain_shift_is_no_alarm():
    rng = np.random.default_rng(1)
    found = compare(run(0.6 + rng.normal(0.03, 0.3, 12)), run([0.6] * 12))
    assert abs(found.shifts[0].change.value) >= 0.02
    assert not found.alarm


def test_the_p_value_is_that_of_the_paired_t_test():
    """Student 1908, the sleep data: mean difference 1.58, t 4.0621 at nine degrees of freedom, p 0.00283."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = compare(run(second), run(first))
    assert found.shifts[0].change.value == pytest.approx(1.58)
    assert found.shifts[0].p == pytest.approx(0.00283, abs=1e-5)


def test_a_floor_that_moves_alone_is_not_averaged_away():
    baseline = run([0.6] * 50) + run([0.4] * 50, ambiguous=True, prefix="a")
    moved = run([0.57] * 50) + run([0.4] * 50, ambiguous=True, prefix="a")
    found = compare(moved, baseline)
    assert [shift.alarm for shift in found.shifts] == [True, False]


def test_too_few_units_are_said_and_raise_no_alarm():
    found = compare(run([0.1] * 9), run([0.9] * 9))
    assert not found.alarm and not found.shifts
    assert found.untested[0] == TooLittle("clear units in both runs", 9, 10)
    assert compare([], []).untested[1] == TooLittle("ambiguous units in both runs", 0, 10)


def test_cases_of_one_run_only_are_named_and_left_out():
    found = compare(run([0.6] * 20), run([0.6] * 21))
    assert found.unmatched == ("20",)
    assert found.shifts[0].change.n == 20


def test_cases_of_one_unit_count_once():
    pairs = [CaseMean(str(i), str(i // 2), False, 0.5) for i in range(20)]
    moved = [CaseMean(str(i), str(i // 2), False, 0.6) for i in range(20)]
    assert compare(moved, pairs).shifts[0].change.units == 10


def test_repeats_of_a_case_are_averaged():
    checks = [Measured("a", "u", False, (0.4, 0.6)), Measured("a", "u", False, (0.8,))]
    assert case_means(checks) == (CaseMean("a", "u", False, pytest.approx(0.65)),)


def test_a_mean_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        compare(run([float("nan")] * 10), run([0.5] * 10))
