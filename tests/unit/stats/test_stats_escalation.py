"""Escalating on recorded readers: what `docs/calibration.md` states of it."""

import json
import subprocess
import sys

from repository import ROOT


def test_on_recorded_readers_escalating_takes_at_most_half_of_the_calls_and_catches_as_much():
    script = [sys.executable, "benchmarks/quality/escalation.py", "--orders", "40", "--json"]
    ran = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, timeout=110, check=True)
    found = json.loads(ran.stdout)
    for name, pairs in (("test-2, held out", 75), ("demo", 18)):
        here = found[name]
        assert here["pairs"] == pairs
        assert here["calls"][2] <= 0.5
        assert here["other verdict"][0] <= 0.04
        assert here["escalate: detection"][0] >= here["fixed: detection"][0] - 0.02
        assert here["escalate: false blocks"][0] <= here["fixed: false blocks"][0] + 0.01
