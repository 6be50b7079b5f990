"""Exact intervals and the distribution functions under them, against published and independently computed values."""

from math import comb

import numpy as np
import pytest
from corpora import corpus

from calibration.stats.estimates import (
    Estimate,
    TooLittle,
    binomial_at_most,
    bounded_mean,
    clopper_pearson,
    codes,
    floats,
    mean_of_units,
    rate_of_checks,
    rate_of_units,
    student_quantile,
)


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
    one = rate_of_units([1, 0, 0, 0], ["a", "b", "c", "d"])
    many = rate_of_units([1] * 50 + [0, 0, 0], ["a"] * 50 + ["b", "c", "d"])
    assert isinstance(one, Estimate) and isinstance(many, Estimate)
    assert (many.value, many.low, many.high, many.units) == (one.value, one.low, one.high, 4)
    assert many.n == 53


def test_the_mean_of_units_is_the_textbook_t_interval():
    """Mean 3, sample variance 2.5, t 2.776 at four degrees of freedom."""
    found = mean_of_units([1, 2, 3, 4, 5], list("abcde"))
    assert isinstance(found, Estimate)
    assert (found.value, found.high) == pytest.approx((3, 3 + 2.7764 * (2.5 / 5) ** 0.5), abs=1e-4)


def test_a_bounded_mean_allows_for_half_a_unit_at_either_end_of_the_scale():
    """Four units at 1, by hand: with half a unit at 0 the mean is 4 / 4.5, the variance 8 / 81, t 3.182."""
    found = bounded_mean([1.0] * 4, list("abcd"))
    assert isinstance(found, Estimate)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(8 / 9 - 3.1824 * (8 / 81 / 3.5) ** 0.5, abs=1e-4)


def test_a_bounded_mean_narrows_with_its_scale_and_refuses_what_lies_outside():
    wide, narrow = (
        bounded_mean([0.1, 0.2, 0.1], list("abc")),
        bounded_mean([0.1, 0.2, 0.1], list("abc"), most=0.5),
    )
    assert isinstance(wide, Estimate) and isinstance(narrow, Estimate)
    assert narrow.high < wide.high and narrow.low == wide.low
    with pytest.raises(ValueError, match=r"outside 0\.\.0\.5"):
        bounded_mean([0.1, 0.6], ["a", "b"], most=0.5)
    assert bounded_mean([0.5], ["a"]) == TooLittle("units", 1, 2)


def test_too_few_units_give_no_figure():
    assert mean_of_units([], []) == TooLittle("units", 0, 2)
    assert mean_of_units([0.5, 0.7], ["a", "a"]) == TooLittle("units", 1, 2)
    assert rate_of_units([], []) == TooLittle("units", 0, 1)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_value_that_is_no_number_is_refused(bad):
    for function in (mean_of_units, rate_of_units):
        with pytest.raises(ValueError, match="finite"):
            function([0.5, bad], ["a", "b"])
    with pytest.raises(ValueError, match="shape"):
        floats([[0.5]])
    with pytest.raises(ValueError, match="units"):
        codes(["a"], 2)


def test_a_rate_in_which_every_check_counts_is_wider_than_of_as_many_single_ones():
    """Two large units of eight hits in ten, eighteen single checks without one."""
    units = [0] * 10 + [1] * 10 + list(range(2, 20))
    hits = ([1.0] * 8 + [0.0] * 2) * 2 + [0.0] * 18
    found = rate_of_checks(hits, np.array(units))
    assert isinstance(found, Estimate)
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
        found = rate_of_checks(
            (rng.random(len(of)) < rng.beta(4 * rates, 4 * (1 - rates))[of]).astype(float), of
        )
        assert isinstance(found, Estimate)
        held += found.low <= (0.75 * 0.05 + 3 * 0.25) / 3.75 <= found.high
    assert held >= 180
