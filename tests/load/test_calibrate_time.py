"""A thousand cases by the embedded readers, from the start of the process to its document."""

import json
import os

import pytest
from running.hookrun import Place
from samples.many import cases

CASES = 1000
SECONDS_MAX = 20.0


@pytest.mark.full
def test_a_thousand_cases_take_less_than_twenty_seconds(tmp_path):
    file = cases(tmp_path, CASES)
    place = Place(tmp_path / "place")
    begun = spent()
    done = place.command(
        "calibrate", "--cases", str(file), "--backend", "embedded", "--json", "--yes", timeout=110
    )
    assert done.returncode == 0, done.stderr.decode()
    assert len(json.loads(done.stdout)["cases"]) == CASES
    assert spent() - begun < SECONDS_MAX


def spent():
    """Seconds of a processor that ended child processes took, whatever else the machine does."""
    found = os.times()
    return found.children_user + found.children_system
