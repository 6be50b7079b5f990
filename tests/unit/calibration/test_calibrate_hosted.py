"""`compass calibrate` as a real process with the real SDK, against a loopback API whose readers have a stated noise."""

from __future__ import annotations

import json
import random
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import Behaviour, LoopbackApi, Received, answer, reply
from apis.noisyapi import write_cases
from running.atterminal import at_a_terminal
from running.hookrun import Place, denial, readers_at

CLEAR, VAGUE = (0.36, 0.39), (0.05, 0.25)
"""Means of readers, on both sides of what holds a write; the default threshold of an edit, 0.40, lies above both."""

# A run that is killed leaves connections to the loopback API that nobody closes any more.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


CENTRE = re.compile(r"(clear|vague)-\d+-c(\d{3})")


class NoisyApi(LoopbackApi):
    """Each reader's score is the centre of its case plus normal noise of that standard deviation, cut to [0, 1].

    The draw depends on the case and on how often it was asked about, not on the order in which requests arrive.
    """

    def __init__(self, seed: int = 0, noise: float = 0.08) -> None:
        super().__init__()
        self.noise = noise
        self.asked: list[str] = []
        self._seed = seed
        self._draws = threading.Lock()

    def take(self, received: Received) -> Behaviour:
        super().take(received)
        found = CENTRE.search(received.body["messages"][0]["content"])
        assert found, received.body
        with self._draws:
            draw = random.Random(f"{self._seed}/{found[0]}/{self.asked.count(found[0])}")
            self.asked.append(found[0])
        score = int(found[2]) / 1000 + draw.gauss(0, self.noise)
        return reply(answer(score=round(min(1.0, max(0.0, score)), 3)))


def hosted(root: Path, api: NoisyApi) -> Place:
    return Place(root, readers_at(api.url))


def calibrated(place: Place, *words: object) -> dict[str, Any]:
    done = place.command("calibrate", "--json", "--yes", *map(str, words), timeout=110)
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def denied(place: Place, session: str) -> bool:
    """What the real hook answers, in a fresh session, to a write whose readers all say 0.37."""
    name = "src/clear-0-c370.py"
    place.say(f"change the retry limit in {name} to five attempts and nothing else please, as agreed before")
    given = {"file_path": str(place.project / name), "old_string": "a", "new_string": "b"}
    return denial(place.hook("pre-tool-use", place.payload("Edit", given, session_id=session))) is not None


@pytest.mark.full
def test_the_gate_itself_lets_through_what_the_project_is_used_to(tmp_path):
    """The real hook denies a mean of 0.37 at first, and allows it once the project is calibrated."""
    with NoisyApi(seed=2) as api:
        place = hosted(tmp_path, api)
        cases = write_cases(tmp_path / "cases.jsonl", 30, 3, clear=CLEAR, vague=VAGUE)
        api.noise = 0.0
        assert denied(place, "before")
        api.noise = 0.08
        calibrated(place, "--cases", cases, "--repeats", 1)
        api.noise = 0.0
        assert not denied(place, "after")


def test_nothing_is_sent_before_somebody_said_yes(tmp_path):
    with NoisyApi() as api:
        place = hosted(tmp_path, api)
        cases = write_cases(tmp_path / "cases.jsonl", 12, 5)
        refused = place.command("calibrate", "--cases", str(cases))
        told = refused.stderr.decode()
        assert refused.returncode == 2
        assert "Measures 24 cases, 3 times each, with 5 readers" in told and "Calls to make: 360" in told
        assert "USD" in told and "your request" in told and "command or targets" in told and "--yes" in told
        assert api.asked == []


@pytest.mark.parametrize(("said", "code", "asked"), [(b"n\n", 2, 0), (b"y\n", 0, 20)])
def test_a_terminal_is_asked_and_a_no_sends_nothing(tmp_path, said, code, asked):
    with NoisyApi() as api:
        place = hosted(tmp_path, api)
        cases = write_cases(tmp_path / "cases.jsonl", 2, 6)
        words = ("calibrate", "--cases", str(cases), "--repeats", "1")
        ended, _, shown = at_a_terminal(place.environment(), place.project, said, *words)
        assert (ended, len(api.asked)) == (code, asked) and "Send it?" in shown


def test_repeats_that_are_judged_side_by_side_share_no_sample(tmp_path):
    with NoisyApi() as api:
        place = hosted(tmp_path, api)
        place.env["COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES"] = "40"
        calibrated(place, "--cases", write_cases(tmp_path / "cases.jsonl", 1, 6), "--repeats", 3)
        assert len(api.asked) == 2 * 3 * 5


def test_the_days_budget_stops_a_run_that_goes_on_later(tmp_path):
    """What a measurement costs is the machine's own spending."""
    with NoisyApi(seed=12) as api:
        place = hosted(tmp_path, api)
        cases = write_cases(tmp_path / "cases.jsonl", 30, 12)
        place.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = "0.02"
        done = place.command("calibrate", "--cases", str(cases), "--repeats", "1", "--yes", "--json")
        assert done.returncode == 4
        assert b"daily_budget_usd" in done.stderr
        before = len(api.asked)
        assert 0 < before < 300
        place.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = "5"
        calibrated(place, "--cases", cases, "--repeats", 1)
        assert len(api.asked) == 300
