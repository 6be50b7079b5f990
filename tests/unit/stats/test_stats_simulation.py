"""A small run of `benchmarks/quality/calibration_simulation.py`: its bounds are wide, the full run is the evidence."""

import json
import subprocess
import sys

import pytest
from repository import ROOT


@pytest.mark.full
def test_against_a_known_truth_intervals_cover_and_thresholds_hold():
    script = [sys.executable, "benchmarks/quality/calibration_simulation.py", "--projects", "10", "--json"]
    ran = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=110, check=True)
    found = json.loads(ran.stdout)
    outcomes = found["intervals"]
    assert {round(one["true_auc"], 2) for one in outcomes} == {0.6, 0.7, 0.8, 0.9, 0.95}
    for name in ("floor_cover", "auc_cover", "certified_holds"):
        assert sum(one[name] for one in outcomes) / len(outcomes) >= 0.91
    certified = sum(one["certified_holds"] for one in outcomes)
    assert certified > 1.2 * sum(one["naive_holds"] for one in outcomes)
    assert found["sequential"][0]["share_of_calls"] <= 0.75
    assert all(one["different"] <= 0.01 for one in found["sequential"])
