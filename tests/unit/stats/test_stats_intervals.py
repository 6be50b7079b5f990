"""Exact intervals and the distributions under them, against published and independently computed values; rates by
labels, corrected by answers of people; coverage by simulation."""

from math import comb

import numpy as np
import pytest
from corpora import corpus
from drift_simulation import WORLDS, agrees
from interval_simulation import MEANS, RATES, of_auc, of_certificate, of_mean, of_rate, turns

from calibration.stats.checks import auc_interval, columns_of, rates_at
from calibration.stats.estimates import (
    TooLittle,
    binomial_at_most,
    bounded_mean,
    clopper_pearson,
    codes,
    corrected_rate,
    floats,
    mean_of_units,
    rate_of_checks,
    rate_of_units,
    student_quantile,
)
from evaluator.model import Thresholds


@corpus(
    ("level", "df", "t"),
    [(0.05, 1, 12.7062), (0.05, 4, 2.7764), (0.05, 30, 2.0423), (0.01, 10, 3.1693), (0.10, 120, 1.6577)],
)
def test_student_quantiles_are_those_of_the_printed_table(level, df, t):
    assert student_quantile(level, df) == pytest.approx(t, abs=5e-5)


@corpus("n", [1, 7, 40, 300])
@corpus("share", [0.02, 0.1, 0.5, 0.97])
def test_the_binomial_tail_is_the_sum_of_its_terms(n, share):
    for k in sorted({0, 1, n // 3, n - 1, n}):
        summed = sum(comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(k + 1))
        assert binomial_at_most(k, n, share) == pytest.approx(summed, abs=1e-11)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe 1998, table I, method 5.
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_clopper_pearson_gives_the_published_intervals(successes, n, low, high):
    assert clopper_pearson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_a_unit_with_many_repeats_counts_once():
    one, many = rate_of_units([1, 0, 0, 0], "abcd"), rate_of_units([1] * 50 + [0, 0, 0], "a" * 50 + "bcd")
    assert (many.value, many.low, many.high, many.units) == (one.value, one.low, one.high, 4)
    assert many.n == 53


def test_the_mean_of_units_is_the_textbook_t_interval():
    """Mean 3, sample variance 2.5, t 2.776 at four degrees of freedom."""
    found = mean_of_units([1, 2, 3, 4, 5], "abcde")
    assert (found.value, found.high) == pytest.approx((3, 3 + 2.7764 * (2.5 / 5) ** 0.5), abs=1e-4)


def test_a_bounded_mean_allows_for_half_a_unit_at_either_end_of_the_scale():
    """Four units at 1, by hand: with half a unit at 0 the mean is 4 / 4.5, the variance 8 / 81, t 3.182."""
    found = bounded_mean([1.0] * 4, "abcd")
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(8 / 9 - 3.1824 * (8 / 81 / 3.5) ** 0.5, abs=1e-4)


def test_a_bounded_mean_narrows_with_its_scale_and_refuses_what_lies_outside():
    wide, narrow = (bounded_mean([0.1, 0.2, 0.1], "abc", most=most) for most in (1.0, 0.5))
    assert narrow.high < wide.high and narrow.low == wide.low
    with pytest.raises(ValueError, match=r"outside 0\.\.0\.5"):
        bounded_mean([0.1, 0.6], ["a", "b"], most=0.5)
    assert bounded_mean([0.5], ["a"]) == TooLittle("units", 1, 2)


def test_too_few_units_give_no_figure():
    assert mean_of_units([], []) == TooLittle("units", 0, 2)
    assert mean_of_units([0.5, 0.7], ["a", "a"]) == TooLittle("units", 1, 2)
    assert rate_of_units([], []) == TooLittle("units", 0, 1)


@corpus("function", [mean_of_units, rate_of_units])
@corpus("bad", [float("nan"), float("inf")])
def test_a_value_that_is_no_number_is_refused(function, bad):
    with pytest.raises(ValueError, match="finite"):
        function([0.5, bad], "ab")


def test_another_shape_or_number_of_units_is_refused():
    with pytest.raises(ValueError, match="shape"):
        floats([[0.5]])
    with pytest.raises(ValueError, match="units"):
        codes(["a"], 2)


def test_a_rate_in_which_every_check_counts_is_wider_than_of_as_many_single_ones():
    """Two large units of eight hits in ten, eighteen single checks without one."""
    units = [0] * 10 + [1] * 10 + list(range(2, 20))
    hits = ([1.0] * 8 + [0.0] * 2) * 2 + [0.0] * 18
    found = rate_of_checks(hits, np.array(units))
    assert found.value == pytest.approx(16 / 38)
    # As if of fewer than twenty checks, for two units weigh the most.
    low, high = clopper_pearson(16 / 38 * 20, 20)
    assert found.low < low and found.high > high


def test_the_interval_per_check_holds_where_large_units_are_worse():
    held = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        large = rng.random(50) < 0.25
        sizes, rates = np.where(large, 12, 1), np.where(large, 0.25, 0.05)
        of = np.repeat(np.arange(50), sizes)
        chances = rng.beta(4 * rates, 4 * (1 - rates))[of]
        found = rate_of_checks((rng.random(len(of)) < chances).astype(float), of)
        held += found.low <= (0.75 * 0.05 + 3 * 0.25) / 3.75 <= found.high
    assert held >= 180


def test_rates_of_the_gate_at_given_thresholds():
    scores, ambiguous = np.array([[0.9], [0.8], [0.6], [0.3]]), np.array([False, True, False, True])
    checks = columns_of(scores, ambiguous, np.array([0, 0, 1, 1]), np.arange(4))
    assert [one.value for one in rates_at(checks, Thresholds(0.65, 0.2))] == [0.5] * 2


def interval(ambiguous, clear, units=None):
    scores = [*ambiguous, *clear]
    labels = np.array([True] * len(ambiguous) + [False] * len(clear))
    return auc_interval(scores, labels, units or [str(place) for place in range(len(scores))])


def test_auc_counts_the_comparisons_that_the_ambiguous_case_loses_and_half_of_the_ties():
    assert interval([0.2, 0.4, 0.6], [0.5, 0.6, 0.9, 0.4]).value == pytest.approx((4 + 3.5 + 1.5) / 12)


def test_independent_units_give_nearly_the_interval_of_hanley_and_mcneil():
    """1982: standard error of an area for binormal data, here within a tenth of it, logit apart."""
    rng = np.random.default_rng(3)
    found = interval(rng.normal(0, 1, 400), rng.normal(1, 1, 400))
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
    assert (thrice.value, thrice.low, thrice.high) == pytest.approx((once.value, once.low, once.high))
    assert (once.n, thrice.n, thrice.units) == (60, 180, 30)


@pytest.mark.parametrize("units", [3, 20, 100])
def test_perfect_separation_leaves_an_interval_that_shrinks_with_n(units):
    found = interval([0.1] * units, [0.9] * units)
    assert (found.value, found.high) == (1.0, 1.0)
    assert 1 - 8 / units < found.low < 1 - 1 / (2 * units)


def test_too_few_units_of_a_class_give_no_interval():
    assert interval([0.1], [0.9, 0.8]) == TooLittle("ambiguous units", 1, 2)
    assert interval([0.1, 0.2], [0.9, 0.8], ["a", "b", "c", "c"]) == TooLittle("clear units", 1, 2)
    assert auc_interval([], np.zeros(0, dtype=bool), []) == TooLittle("clear units", 0, 2)


RUNS = 300


@pytest.mark.parametrize("rate", [0.07, 0.2, 0.5])
@pytest.mark.parametrize(("found", "wrong"), [(0.8, 0.03), (0.6, 0.1), (0.95, 0.01), (0.5, 0.5)])
@pytest.mark.parametrize("answers", [40, 80])
def test_the_interval_covers_the_rate_whatever_the_predictions_are_worth(rate, found, wrong, answers):
    generator = np.random.default_rng(7)
    covered, own, plain = 0, [], []
    for _ in range(RUNS):
        said, known, session = turns(generator, rate, found, wrong, 60, answers)
        one = corrected_rate(said, known, session)
        other = corrected_rate(np.zeros(len(said)), known, session)
        covered += one.low <= rate <= one.high
        own.append(one.high - one.low)
        plain.append(other.high - other.low)
    assert covered / RUNS >= 0.92
    assert np.mean(own) <= 1.01 * np.mean(plain), "predictions never cost more than a hair"
    if found > 0.7:
        assert np.mean(own) < 0.95 * np.mean(plain), "and good ones narrow it"


def test_useless_predictions_leave_the_mean_of_the_answers():
    said, known = np.zeros(30), np.full(30, np.nan)
    known[:10] = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    one = corrected_rate(said, known, np.arange(30))
    assert (one.value, one.trust, one.answers, one.units) == (0.2, 0.0, 10, 10)


def test_answers_that_all_agree_with_the_predictions_leave_room_for_an_error():
    said = np.array([1.0] * 10 + [0.0] * 90)
    one = corrected_rate(said, np.where(np.arange(100) % 2 == 0, said, np.nan), np.arange(100))
    assert abs(one.value - 0.1) < 1e-9 and one.trust > 0.9
    assert one.low < 0.06 and one.high > 0.15


def test_answers_of_one_session_are_too_few_and_two_that_agree_are_no_independent_evidence():
    known = np.array([1.0, 0.0, np.nan, np.nan])
    assert corrected_rate(np.zeros(4), known, ["a", "a", "b", "c"]) == TooLittle("units with an answer", 1, 2)
    truth = np.tile([1.0, 1.0, 0.0, 0.0], 10)
    alone = corrected_rate(np.zeros(40), truth, np.arange(40))
    paired = corrected_rate(np.zeros(40), truth, np.repeat(np.arange(20), 2))
    assert alone.value == paired.value and paired.high - paired.low > 1.2 * (alone.high - alone.low)


PROJECTS = 100


@pytest.mark.parametrize("world", ["beta(2, 0.3)", "0.9, 10 % at 0.3", "1 less lognormal"])
def test_the_mean_of_skewed_scores_is_covered_where_students_t_does_not(world):
    methods = of_mean(world, 10, PROJECTS).methods
    assert methods["interval"][0] >= 0.90 > methods["Student's t"][0]
    assert methods["interval"][1] < methods["betting"][1]


@pytest.mark.parametrize("units", [20, 50])
def test_an_auc_near_1_is_covered_at_hardly_more_width(units):
    methods = of_auc("binormal 0.999", units, PROJECTS).methods
    assert methods["interval"][0] >= 0.92 >= methods["half a unit alone"][0]
    assert methods["interval"][1] < 1.05 * methods["half a unit alone"][1]


@pytest.mark.parametrize("world", RATES)
def test_a_rate_by_labels_is_covered_once_forty_answers_correct_it(world):
    methods = of_rate(world, 60, PROJECTS).methods
    assert methods["corrected"][0] >= 0.90
    assert methods["corrected"][1] <= 1.01 * methods["the answers alone"][1]


def test_labels_alone_miss_the_rate_that_they_are_wrong_about():
    assert of_rate("frequent", 60, PROJECTS).methods["labels alone"][0] < 0.5


@pytest.mark.parametrize("world", [*MEANS][::4])
def test_at_most_delta_of_the_certificates_is_broken(world):
    methods = of_certificate(world, 59, PROJECTS).methods
    assert min(held for held, _ in methods.values()) >= 0.90
    assert methods["as labelled"][1] <= methods["all clear"][1], "what is not clear only makes the cut milder"


@pytest.mark.parametrize("name", WORLDS)
def test_the_simulation_decides_as_the_check_does(name):
    assert all(agrees(WORLDS[name], seed, times) for seed in range(3) for times in (1.0, 2.0))
