"""A small run of `benchmarks/quality/interval_simulation.py`: its bounds are wide, the full run is the evidence."""

import pytest
from interval_simulation import of_auc, of_mean

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
