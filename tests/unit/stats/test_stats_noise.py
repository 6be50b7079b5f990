"""The noise floor, the noise model and other numbers of readers; thresholds by learn-then-test; drift."""

from itertools import product

import numpy as np
import pytest
from corpora import corpus

from calibration.stats.checks import (
    CheckColumns,
    Measured,
    Recommendation,
    auc_interval,
    blocked,
    columns,
    columns_of,
    learn,
    minimum_units,
    one_of_each,
)
from calibration.stats.drift import ALPHA, CHECKS, LEAST_UNITS, CaseChecks, chance_of_turns, compare
from calibration.stats.estimates import TooLittle
from calibration.stats.noise import fit, floor, readers_needed
from evaluator.model import Convergence, Thresholds
from evaluator.verdict.convergence import passes


def measured(rng, cases=60, repeats=2, readers=5, *, ambiguous=False, centre=0.64, sd=(0.05, 0.03, 0.10)):
    """Checks of known components: cases, repeats and readers have the deviations `sd`."""
    found = []
    for case in range(cases):
        of_case = centre + sd[0] * rng.standard_normal()
        for _ in range(repeats):
            of_check = of_case + sd[1] * rng.standard_normal()
            scores = np.clip(of_check + sd[2] * rng.standard_normal(readers), 0, 1)
            found.append(Measured(f"{ambiguous}-{case}", str(case), ambiguous, tuple(scores.tolist())))
    return found


def test_the_floor_describes_one_class_and_needs_its_units():
    rng = np.random.default_rng(2)
    checks = [*measured(rng, 10), *measured(rng, 4, ambiguous=True, centre=0.4)]
    clear = floor(checks, ambiguous=False)
    assert clear.mean.low < clear.mean.value < clear.mean.high
    assert (clear.checks, clear.mean.units) == (20, 10)
    assert floor(checks, ambiguous=True) == TooLittle("ambiguous units", 4, 5)
    assert floor(measured(rng, 9), ambiguous=False) == TooLittle("clear units", 9, 10)
    assert floor([], ambiguous=False) == TooLittle("clear units", 0, 10)


def test_columns_block_what_the_gate_blocks():
    checks = measured(np.random.default_rng(3), centre=0.66)
    at = Thresholds(0.65, 0.10)
    gate = [not passes(Convergence(one.mean, one.stddev, 5, "none", ""), at) for one in checks]
    assert blocked(columns(checks), at).tolist() == gate
    assert 0 < sum(gate) < len(gate)


def test_the_noise_model_gives_back_the_spread_it_was_fitted_to():
    rng = np.random.default_rng(5)
    model = fit(measured(rng, 400, 1))
    drawn = model.more(rng.integers(0, len(model.centres), 50_000), 5, rng)
    assert drawn.mean() == pytest.approx(0.64, abs=0.01)
    assert drawn.std(axis=1, ddof=1).mean() == pytest.approx(0.094, abs=0.004)
    assert drawn.mean(axis=1).std() == pytest.approx((0.05**2 + 0.03**2 + 0.1**2 / 5) ** 0.5, abs=0.005)


def test_a_noise_model_needs_readers_that_can_be_compared():
    rng = np.random.default_rng(6)
    assert fit([]) == TooLittle("readers' deviations", 0, 30)
    assert fit(measured(rng, 50, 1, readers=1)) == TooLittle("readers' deviations", 0, 30)
    assert fit(measured(rng, 5, 1)) == TooLittle("readers' deviations", 25, 30)


def test_what_other_numbers_of_readers_give_is_forecast_from_five():
    """The forecast for nine readers from five is near what nine readers measured give."""
    rng = np.random.default_rng(7)
    nine = [
        *measured(rng, 150, 1, 9, centre=0.70, sd=(0.08, 0.0, 0.2)),
        *measured(rng, 150, 1, 9, ambiguous=True, centre=0.55, sd=(0.08, 0.0, 0.2)),
    ]
    five = [Measured(one.case, one.unit, one.ambiguous, one.scores[:5]) for one in nine]
    forecast, known = (readers_needed(checks, 0.1, rng, counts=(3, 9)) for checks in (five, nine))
    for one, other in zip(forecast, known, strict=True):
        assert one.auc.value == pytest.approx(other.auc.value, abs=0.04)
    assert [one.modelled for one in forecast] == [False, True]
    assert [one.modelled for one in known] == [False, False]
    assert known[1].auc.value > known[0].auc.value
    assert known[1].thresholds is not None and forecast[1].thresholds is None, "no gate stands on a forecast"
    assert known[1].detection_rate.n == 150


def test_readers_that_cannot_be_modelled_and_units_that_are_missing_are_said():
    rng = np.random.default_rng(8)
    few = [*measured(rng, 4, 1, 3), *measured(rng, 4, 1, 3, ambiguous=True)]
    three, five = readers_needed(few, 0.1, rng, counts=(3, 5))
    assert three.false_block_rate == three.detection_rate == TooLittle("clear units", 4, 29)
    assert three.why == "4 clear units; at least 29 are needed"
    assert five.why == "12 readers' deviations; at least 30 are needed"


def test_without_any_check_nothing_is_made_up():
    (found,) = readers_needed([], 0.1, np.random.default_rng(1), counts=(3,))
    assert found.thresholds is None
    rates = (found.auc, found.false_block_rate, found.detection_rate)
    assert all(isinstance(one, TooLittle) for one in rates)


def test_one_missing_answer_makes_no_forecast_of_a_measured_row():
    """Every tenth check lacks one of its five readers: it is judged by four, as the gate does."""
    generator = np.random.default_rng(3)
    centres = np.where(np.arange(200) % 2, 0.4, 0.8)[:, None]
    scores = np.clip(centres + generator.normal(0, 0.05, (200, 5)), 0, 1).tolist()
    checks = [
        Measured(f"c{n}", f"u{n // 2}", n % 2 == 1, tuple(row[: 4 if n % 20 < 2 else 5]))
        for n, row in enumerate(scores)
    ]
    three, five, seven = readers_needed(checks, 0.1, generator, counts=(3, 5, 7))
    assert [row.modelled for row in (three, five, seven)] == [False, False, True]
    table = columns(checks)
    whole = auc_interval(table.mean, table.ambiguous, table.unit)
    assert five.auc.value == pytest.approx(whole.value), "measured, so as it came out"


# Thresholds by learn-then-test


def clear(scores, units=None, ambiguous=None, agreement=None) -> CheckColumns:
    """Clear checks, unless `ambiguous` says which are not."""
    table = np.atleast_2d(np.array(scores, dtype=np.float64).T).T
    of = np.arange(len(table))
    labels = np.zeros(len(table), dtype=bool) if ambiguous is None else ambiguous
    return columns_of(table, labels, of if units is None else np.array(units), of, agreement)


def learned(checks: CheckColumns, **given: float) -> Recommendation | TooLittle:
    return learn(checks, 0.10, np.random.default_rng(1), **given)


def test_the_least_numbers_of_clear_units_are_those_of_the_specification():
    assert [minimum_units(target) for target in (0.10, 0.05, 0.02)] == [29, 59, 149]


def test_one_unit_short_there_is_no_recommendation():
    assert learned(clear([0.9] * 28)) == TooLittle("clear units", 28, 29)
    assert isinstance(learned(clear([0.9] * 29)), Recommendation)
    assert learned(clear([])) == TooLittle("clear units", 0, 29)


def test_repeats_are_no_substitute_for_units():
    assert learned(clear([0.9] * 100, [0, 1, 2, 3] * 25)) == TooLittle("clear units", 4, 29)


def test_the_recommendation_is_the_last_cut_that_the_exact_test_certifies():
    """Fifty units at 10 %: one false block is certified (p 0.034), two are not (p 0.112)."""
    found = learned(clear([0.305, 0.405, *([0.805] * 48)]))
    assert found.thresholds.confidence == 0.40
    assert (found.false_blocks, found.units, found.blocks_nothing) == (1, 50, False)


def test_where_nothing_can_be_certified_the_recommendation_says_that_it_blocks_nothing():
    found = learned(clear([0.0] * 30))
    assert found.blocks_nothing and not blocked(clear([0.0]), found.thresholds).any()


def test_one_check_of_each_unit_is_drawn_evenly():
    units = np.array([0] * 3 + [1])
    drawn = [one_of_each(units, np.random.default_rng(seed)) for seed in range(600)]
    assert all(sorted(units[one].tolist()) == [0, 1] for one in drawn)
    counts = np.bincount([place for one in drawn for place in one.tolist() if place < 3], minlength=3)
    assert counts.sum() == 600 and counts.min() > 150


def test_ambiguous_checks_play_no_part():
    both = clear([0.8] * 40 + [0.3] * 40, ambiguous=np.arange(80) >= 40)
    assert learned(both) == learned(clear([0.8] * 40))


def test_what_agreement_blocks_is_tested_with_every_cut():
    """Fifty units that score alike, ten of which readers read differently: held to that, nothing can be certified."""
    table = clear(np.full((50, 5), 0.9), agreement=np.array([0.4] * 10 + [1.0] * 40))
    free, held, milder = learned(table), learned(table, agreement=0.5), learned(table, agreement=0.4)
    assert (free.false_blocks, free.blocks_nothing, free.thresholds.confidence) == (0, False, 0.9)
    assert held.blocks_nothing
    assert milder.thresholds == Thresholds(0.9, 1.0, 0.4)


def test_the_certificate_of_cuts_that_hold_to_agreement_is_kept_where_agreement_alone_blocks_wrongly():
    """Of clear units 12 % are blocked for their readings: at a target of 10 %, at most a twentieth of seeds certify."""
    broken = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        agreement = np.where(rng.random(100) < 0.12, 0.4, 1.0)
        scores = np.clip(rng.normal(0.85, 0.05, (100, 5)), 0, 1)
        found = learn(clear(scores, agreement=agreement), 0.10, rng, agreement=0.5)
        broken += isinstance(found, Recommendation) and not found.blocks_nothing
    assert broken <= 10


# Have the readers moved?


def run(means, ambiguous=False, prefix="", deviations=None, blocked=None):
    deviations = deviations or [0.1] * len(means)
    blocked = blocked or [0.0] * len(means)
    rows = zip(means, deviations, blocked, strict=True)
    return [
        CaseChecks(f"{prefix}{i}", f"{prefix}{i}", ambiguous, *((float(value),) for value in row))
        for i, row in enumerate(rows)
    ]


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
    shifts = compare(current, baseline).shifts
    assert [(shift.ambiguous, shift.quantity) for shift in shifts if shift.alarm] == alarms


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
    differences = np.random.default_rng(seed).choice([-1, 1], 12, p=[0.25, 0.75]) * 2.0 ** -np.arange(12)
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
    both = run([0.6] * 20) + VAGUE
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
    assert compare(run([0.6] * 20), thrice).shifts[0].change.value == 0.0
