"""`--check`: have means, deviations or verdicts moved?"""

from itertools import product

import numpy as np
import pytest
from corpora import corpus

from calibration.stats.drift import ALPHA, CHECKS, LEAST_UNITS, CaseChecks, chance_of_turns, compare
from calibration.stats.estimates import TooLittle


def run(means, ambiguous=False, prefix="", deviations=None, blocked=None):
    deviations = deviations or [0.1] * len(means)
    blocked = blocked or [0.0] * len(means)
    rows = zip(means, deviations, blocked, strict=True)
    return [
        CaseChecks(f"{prefix}{i}", f"{prefix}{i}", ambiguous, *((float(value),) for value in row))
        for i, row in enumerate(rows)
    ]


def moved(found):
    return [(shift.ambiguous, shift.quantity) for shift in found.shifts if shift.alarm]


VAGUE = run([0.4] * 50, ambiguous=True, prefix="a")


@corpus(
    ("current", "baseline", "alarms"),
    [
        (run([0.55] * 20), run([0.60] * 20), [(False, "mean")]),
        # A rise is a drift too.
        (run([0.65] * 20), run([0.60] * 20), [(False, "mean")]),
        (run([0.62] * 50), run([0.60] * 50), [(False, "mean")]),
        # Certain, but small.
        (run([0.619] * 50), run([0.60] * 50), []),
        (run([0.6] * 20, deviations=[0.2] * 20), run([0.6] * 20), [(False, "deviation")]),
        # Verdicts that turn without a large change of the mean.
        (run([0.645] * 40, blocked=[1.0] * 40), run([0.655] * 40), [(False, "verdict")]),
        # A floor that moves alone is not averaged away.
        (run([0.57] * 50) + VAGUE, run([0.6] * 50) + VAGUE, [(False, "mean")]),
    ],
)
def test_what_moved_raises_an_alarm_and_nothing_else(current, baseline, alarms):
    assert moved(compare(current, baseline)) == alarms


def test_the_p_value_and_the_change_are_those_of_the_paired_cases():
    """Deterministic readers differ by nothing at all: no division by zero."""
    baseline = run([0.60] * 20)
    assert [shift.p for shift in compare(baseline, baseline).shifts] == [1.0, 1.0, 1.0]
    mean = compare(run([0.55] * 20), baseline).shifts[0]
    assert (mean.p, mean.change.value) == (2.0**-19, pytest.approx(-0.05))
    assert compare(run([0.619] * 50), run([0.60] * 50)).shifts[0].p < 1e-14
    verdict = compare(run([0.645] * 40, blocked=[1.0] * 40), run([0.655] * 40)).shifts[2].change
    assert (verdict.value, verdict.high) == (1.0, 1.0) and 0.8 < verdict.low < 1


@corpus("seed", range(5))
def test_the_p_value_counts_the_ways_to_turn_units_round(seed):
    """All 4,096 of twelve units, by hand; sizes are powers of two, which are whole numbers of steps."""
    rng = np.random.default_rng(seed)
    differences = rng.choice([-1, 1], 12, p=[0.25, 0.75]) * 2.0 ** -np.arange(12)
    turns = np.array(list(product((-1, 1), repeat=12)))
    share = (np.abs(turns @ differences) >= abs(differences.sum()) - 1e-12).mean()
    assert chance_of_turns(differences) == pytest.approx(share, abs=1e-12)


def test_equal_changes_have_the_p_value_of_a_sign_test():
    assert chance_of_turns(np.full(16, 0.05)) == 2.0**-15
    assert chance_of_turns(np.array([0.3] * 15 + [-0.3])) == pytest.approx(2 * 17 / 2**16)


@pytest.mark.parametrize("units", [50, 1000, 30_000])
def test_the_p_value_of_many_units_is_near_that_of_the_normal_distribution(units):
    differences = np.random.default_rng(units).normal(0, 1, units)
    differences += 2.5758 * np.sqrt((differences**2).mean() / units) - differences.mean()
    assert chance_of_turns(differences) == pytest.approx(0.01, rel=0.5)


def test_the_level_is_shared_by_a_year_of_checks_both_classes_and_three_quantities():
    both = run([0.6] * 20) + run([0.4] * 20, ambiguous=True, prefix="a")
    assert compare(both, both).level == pytest.approx(ALPHA / CHECKS / 6)
    assert compare(both[:20], both[:20]).level == pytest.approx(ALPHA / CHECKS / 3)


def test_the_least_number_of_units_can_raise_an_alarm_and_one_less_could_not():
    def both(means):
        return run(means) + run(means, ambiguous=True, prefix="a")

    assert compare(both([0.5] * LEAST_UNITS), both([0.6] * LEAST_UNITS)).alarm
    assert 2.0 ** (2 - LEAST_UNITS) > ALPHA / CHECKS / 6


def test_too_few_units_are_said_and_raise_no_alarm():
    found = compare(run([0.1] * 15), run([0.9] * 15))
    assert not found.alarm and not found.shifts
    assert found.untested[0] == TooLittle("clear units in both runs", 15, 16)
    assert compare([], []).untested[1] == TooLittle("ambiguous units in both runs", 0, 16)


def test_cases_of_one_unit_count_once():
    def pairs(mean):
        return [CaseChecks(str(i), str(i // 2), False, (mean,), (0.1,), (0.0,)) for i in range(40)]

    assert compare(pairs(0.6), pairs(0.5)).shifts[0].change.units == 20


def test_only_as_many_checks_of_a_case_are_compared_as_both_runs_have():
    """The mean of three checks scatters less than one check: turned round, they would not be alike."""
    thrice = [CaseChecks(str(i), str(i), False, (0.6, 0.9, 0.9), (0.1,) * 3, (0.0,) * 3) for i in range(20)]
    found = compare(run([0.6] * 20), thrice)
    assert found.shifts[0].change.value == 0.0
