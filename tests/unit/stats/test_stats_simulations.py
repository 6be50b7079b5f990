"""Small runs of `benchmarks/quality/interval_simulation.py` and `drift_simulation.py`: their bounds are wide, the full
runs are the evidence."""

import pytest
from drift_simulation import WORLDS, agrees
from interval_simulation import MEANS, RATES, of_auc, of_certificate, of_mean, of_rate

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
