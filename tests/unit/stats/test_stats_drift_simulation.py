"""A small run of `benchmarks/quality/drift_simulation.py`: its bounds are wide, the full run is the evidence."""

import pytest
from drift_simulation import WORLDS, agrees, outcome


@pytest.mark.parametrize("name", WORLDS)
def test_the_simulation_decides_as_the_check_does(name):
    assert all(agrees(WORLDS[name], seed, times) for seed in range(3) for times in (1.0, 2.0))


@pytest.mark.full
def test_quiet_years_stay_quiet_and_what_moved_is_found():
    found = outcome("floor 0.635, noise 0.1", 60, 40)
    assert found.alarms <= 0.05
    assert min(found.doubled_at_2, found.doubled_at_40) >= 0.75
    power = [share for _, share, _ in found.moved]
    assert power == sorted(power) and power[-1] >= 0.9
