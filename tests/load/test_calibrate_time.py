"""A thousand cases by the embedded readers, from the start of the process to its document."""

import json
import os

import pytest
from running.hookrun import Place

from calibration.cases.sources import corpus_dir

CASES = 1000
SECONDS_MAX = 20.0


@pytest.mark.full
def test_a_thousand_cases_take_less_than_twenty_seconds(tmp_path):
    rows = [json.loads(line) for line in (corpus_dir() / "cases" / "tune.jsonl").read_text().splitlines()]
    rows = [row for row in rows if row["label"] != "disputed"]
    many = [{**rows[n % len(rows)], "id": f"case-{n}", "pair": f"pair-{n}"} for n in range(CASES)]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in many))
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
