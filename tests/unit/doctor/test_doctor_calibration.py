"""What `compass doctor` says of the project's calibration, and that it leaves the service alone."""

import json
import os
import time

import pytest
from corpora import corpus
from running.hookrun import readers_at
from running.serving import serving

from compass.composition.thresholds import readers_now
from evaluator.settings import layers
from evaluator.settings.keys import Settings
from evaluator.verdict.calibrated_thresholds import THRESHOLDS_FORM


@pytest.fixture
def here(tmp_path, api):
    with serving(tmp_path) as found:
        found.place.env |= readers_at(api.url)
        yield found


def finding(here, name):
    document = json.loads(here.place.command("doctor", "--json").stdout)
    (found,) = [item for item in document if item["name"] == name]
    return found


def calibration(here, **changes):
    now = readers_now(Settings(), "anthropic")
    document = {
        "version": THRESHOLDS_FORM, "backend": "anthropic", "model": now.model, "prompt": now.prompt,
        "date": "2026-11-22T00:00:00Z",
        "per_n": {str(now.n): {"irreversible": {"confidence": 0.4, "alpha": 0.1}}}, **changes,
    }  # fmt: skip
    env = here.place.environment()
    path = layers.thresholds_file(env, env["HOME"], str(here.place.project))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(document if isinstance(document, str) else json.dumps(document))
    return path


def test_a_calibration_in_force_is_told_with_its_thresholds_and_used_by_the_gate(here):
    assert finding(here, "calibration")["ok"]
    calibration(here)
    assert (
        "a mean of at least 0.40 (certified: blocks at most 10% of clear writes) for what cannot"
        in finding(here, "calibration")["detail"]
    )
    here.place.say("Delete src/old_auth.py")
    here.place.hook("pre-tool-use", here.place.payload("Bash", {"command": "rm src/old_auth.py"}))
    record = json.loads(here.place.command("explain", "--json").stdout)
    assert record["thresholds"] == {
        "confidence": 0.4, "deviation": 1.0, "agreement": None, "alpha": 0.1,
    }  # fmt: skip


@corpus(
    ("changes", "said"),
    [
        ({"prompt": "other"}, "stale: prompt was other"),
        ({"backend": "embedded"}, "stale: backend was embedded"),
        ({"per_n": {"99": {"reversible": {"confidence": 0.5, "alpha": 0.1}}}}, "no thresholds for 5 readers"),
        ({"per_n": {"5": {"reversible": {"confidence": 7, "alpha": 0.1}}}}, "from 0 to 1"),
        ({"version": 9}, "has version 9"),
    ],
)
def test_a_calibration_that_does_not_hold_is_a_fault(here, changes, said):
    path = calibration(here, **changes)
    found = finding(here, "calibration")
    assert not found["ok"]
    assert said in found["detail"] and os.path.dirname(path) in found["detail"]


@pytest.mark.full
def test_the_doctors_own_calls_neither_use_a_service_nor_leave_one(here):
    """They have a state folder of their own, which is gone when the doctor is done."""
    scratch = here.place.root / "scratch"
    scratch.mkdir()
    here.place.env["TMPDIR"] = str(scratch)
    assert here.place.command("init", "--enforce").returncode == 0
    here.start()
    assert finding(here, "hook runs")["ok"]
    assert here.counts()["requests"] == 0
    assert here.place.command("serve", "--stop").returncode == 0
    here.place.env["XDG_RUNTIME_DIR"] = ""
    assert finding(here, "hook runs")["ok"]
    time.sleep(1.0)
    assert [*scratch.iterdir()] == []
