"""`evaluator.daily_budget_usd`: what hosted readers cost in a day is counted on the machine, and capped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi
from running.hookrun import Place, denial, readers_at

READERS = 5
BUDGET = "0.0012"
"""One check costs 0.001."""


@pytest.fixture
def place(tmp_path: Path, api: LoopbackApi) -> Place:
    env = {"COMPASS_MODE": "observe", "COMPASS_ON_EXHAUSTED": "skip"}
    found = Place(tmp_path, {**readers_at(api.url), **env})
    found.say("Write a page in docs/ that says what this project is for, and one with its history")
    return found


def writes(place: Place, name: str) -> None:
    given = {"file_path": str(place.project / name / "page.md"), "content": "hello\n"}
    done = place.hook("pre-tool-use", place.payload(given=given, tool_use_id=f"toolu_{name}"))
    assert done.returncode == 0, done.stderr


def status(place: Place) -> Any:
    done = place.command("status", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_check_that_begins_under_the_cap_is_read_to_its_end_and_past_it_nobody_is_asked(
    place: Place, api: LoopbackApi
) -> None:
    place.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = BUDGET
    for number, requests in ((1, READERS), (2, 2 * READERS), (3, 2 * READERS)):
        writes(place, str(number))
        assert len(api.requests) == requests
    assert place.events()[-1]["payload"]["reason"] == "evaluator_budget_exhausted"
    found = status(place)
    assert (found["calls_today"], found["daily_budget_usd"]) == (2 * READERS, float(BUDGET))
    push = place.payload("Bash", {"command": "git push origin main"}, tool_use_id="toolu_push")
    place.env["COMPASS_MODE"] = "enforce"
    assert denial(place.hook("pre-tool-use", push)) is not None, "what others see is held unread"
    assert len(api.requests) == 2 * READERS


def test_a_check_by_hand_counts_and_is_capped(place: Place, api: LoopbackApi) -> None:
    place.env["COMPASS_EVALUATOR__DAILY_BUDGET_USD"] = BUDGET
    by_hand = ("check", "--json")
    call = json.dumps(place.payload()).encode()
    assert json.loads(place.command(*by_hand, stdin=call).stdout)["verdict"] == "passed"
    assert status(place)["calls_today"] == READERS
    writes(place, "one")
    assert len(api.requests) == 2 * READERS
    assert json.loads(place.command(*by_hand, stdin=call).stdout)["reason"] == "evaluator_budget_exhausted"
    assert len(api.requests) == 2 * READERS
    assert status(place)["checks"] == 1, "what is checked by hand is not recorded"
