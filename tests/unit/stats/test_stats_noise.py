"""The noise floor, the noise model, and other numbers of readers."""

import numpy as np
import pytest

from calibration.stats.checks import Measured, auc_interval, blocked, columns
from calibration.stats.estimates import Estimate, TooLittle
from calibration.stats.noise import Floor, NoiseModel, fit, floor, readers_needed
from evaluator.model import Thresholds


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
    assert isinstance(clear, Floor)
    assert clear.mean.low < clear.mean.value < clear.mean.high
    assert (clear.checks, clear.mean.units) == (20, 10)
    assert floor(checks, ambiguous=True) == TooLittle("ambiguous units", 4, 5)
    assert floor(measured(rng, 9), ambiguous=False) == TooLittle("clear units", 9, 10)
    assert floor([], ambiguous=False) == TooLittle("clear units", 0, 10)


def test_columns_block_what_the_gate_blocks():
    from evaluator.model import Convergence
    from evaluator.verdict.convergence import passes

    checks = measured(np.random.default_rng(3), centre=0.66)
    at = Thresholds(0.65, 0.10)
    gate = [not passes(Convergence(one.mean, one.stddev, 5, "none", ""), at) for one in checks]
    assert blocked(columns(checks), at).tolist() == gate
    assert 0 < sum(gate) < len(gate)


def test_the_noise_model_gives_back_the_spread_it_was_fitted_to():
    rng = np.random.default_rng(5)
    model = fit(measured(rng, 400, 1))
    assert isinstance(model, NoiseModel)
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
    forecast, known = (
        readers_needed(five, 0.1, rng, counts=(3, 9)),
        readers_needed(nine, 0.1, rng, counts=(3, 9)),
    )
    for one, other in zip(forecast, known, strict=True):
        assert isinstance(one.auc, Estimate) and isinstance(other.auc, Estimate)
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
    assert (three.why, five.why) == (
        "4 clear units; at least 29 are needed", "12 readers' deviations; at least 30 are needed"
    )  # fmt: skip


def test_without_any_check_nothing_is_made_up():
    (found,) = readers_needed([], 0.1, np.random.default_rng(1), counts=(3,))
    assert found.thresholds is None
    assert all(
        isinstance(one, TooLittle) for one in (found.auc, found.false_block_rate, found.detection_rate)
    )


def test_one_missing_answer_makes_no_forecast_of_a_measured_row():
    """Every tenth check lacks one of its five readers: it is judged by four, as the gate does."""
    generator = np.random.default_rng(3)
    checks = [
        Measured(f"c{n}", f"u{n // 2}", n % 2 == 1, tuple(row[: 4 if n % 20 < 2 else 5]))
        for n, row in enumerate(
            np.clip(
                np.where(np.arange(200) % 2, 0.4, 0.8)[:, None] + generator.normal(0, 0.05, (200, 5)), 0, 1
            ).tolist()
        )
    ]
    three, five, seven = readers_needed(checks, 0.1, generator, counts=(3, 5, 7))
    assert [row.modelled for row in (three, five, seven)] == [False, False, True]
    table = columns(checks)
    whole = auc_interval(table.mean, table.ambiguous, table.unit)
    assert isinstance(five.auc, Estimate) and isinstance(whole, Estimate)
    assert five.auc.value == pytest.approx(whole.value), "measured, so as it came out"
