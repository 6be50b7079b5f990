"""Agreement of those who labelled the cases."""

import numpy as np
import pytest
from label_agreement import alpha, alpha_interval

from calibration.stats.estimates import Estimate, TooLittle, clopper_pearson

OBSERVERS = ("12332141 2...", "12332241 25.3", ".3332342 251.", "12332441 251.")


def published():
    rows = [[None if label == "." else label for label in row.replace(" ", "")] for row in OBSERVERS]
    return list(zip(*rows, strict=True))


def test_alpha_is_that_of_the_published_example():
    """Krippendorff 2011: four observers, twelve units, gaps; nominal alpha 0.743."""
    assert alpha(published()) == pytest.approx(0.743, abs=5e-4)


def test_alpha_has_an_interval_over_cases_around_it():
    found = alpha_interval(published(), np.random.default_rng(1))
    assert isinstance(found, Estimate)
    assert found.low < 0.743 < found.high <= 1
    assert (found.n, found.units) == (40, 11)


def test_full_agreement_keeps_room_below_one():
    cases = [("clear", "clear"), ("ambiguous", "ambiguous")] * 10
    found = alpha_interval(cases, np.random.default_rng(1))
    assert isinstance(found, Estimate)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(1 - 2 * clopper_pearson(0, 20)[1])


def test_alpha_says_nothing_where_all_labels_are_the_same_or_none_meet():
    assert alpha([("clear", "clear")] * 20) is None
    assert alpha([("clear", None)] * 20) is None
    assert alpha([]) is None
    assert alpha_interval([("clear", "clear")] * 20, np.random.default_rng(1)) is None
    few = alpha_interval([("a", "b")] * 9, np.random.default_rng(1))
    assert few == TooLittle("cases with two labels", 9, 10)
