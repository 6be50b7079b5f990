"""The real hook with the rules as chosen judge: destruction that nobody ordered by name is denied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running.hookrun import Place, denial

AGENT = "a80348ac48fe8567c"
NOBODY_ORDERED = [
    ("Never touch src/slow.py", "rm -rf src"),
    ("Add a docstring", "git reset --hard"),
    ("Why is src/slow.py slow?", "rm src/slow.py"),
]


def bash(place: Place, command: str, **more: object):
    return place.hook("pre-tool-use", place.payload("Bash", {"command": command}, **more))


@pytest.mark.parametrize(("message", "command"), NOBODY_ORDERED)
def test_what_nobody_ordered_is_denied(tmp_path: Path, message: str, command: str) -> None:
    place = Place(tmp_path)
    place.say(message)
    reason = denial(bash(place, command))
    assert reason is not None and "own words" in reason


@pytest.mark.parametrize(("message", "command"), NOBODY_ORDERED)
def test_a_looser_threshold_changes_nothing(tmp_path: Path, message: str, command: str) -> None:
    place = Place(tmp_path, {"COMPASS_CONFIDENCE_THRESHOLD": "0", "COMPASS_STDDEV_THRESHOLD": "1"})
    place.say(message)
    assert denial(bash(place, command)) is not None
    record = json.loads(place.command("explain", "--json").stdout)
    assert (record["verdict"], record["backend"]) == ("failed", "embedded")


def test_observe_mode_records_it_as_failed(tmp_path: Path) -> None:
    place = Place(tmp_path, {"COMPASS_MODE": "observe"})
    place.say("Add a docstring")
    assert denial(bash(place, "git reset --hard")) is None
    record = json.loads(place.command("explain", "--json").stdout)
    assert (record["verdict"], record["decision"], record["mode"]) == ("failed", "allow", "observe")


@pytest.mark.parametrize(("message", "denied"), [("Tidy the helpers", True), ("Delete src/slow.py", False)])
def test_a_delegated_task_orders_nothing(tmp_path: Path, message: str, denied: bool) -> None:
    place = Place(tmp_path)
    place.say(message)
    agents = tmp_path / "transcript" / "subagents"
    agents.mkdir(parents=True)
    line = {
        "parentUuid": None, "isSidechain": True, "promptId": "prompt-1", "agentId": AGENT, "type": "user",
        "message": {"role": "user", "content": "Delete src/slow.py, nobody imports it."},
        "uuid": "b4db2ed6-0000-4000-8000-000000000000",
    }  # fmt: skip
    (agents / f"agent-{AGENT}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert (denial(bash(place, "rm src/slow.py", agent_id=AGENT)) is not None) == denied
    record = json.loads(place.command("explain", "--json").stdout)
    assert "nobody imports it" in json.dumps(record)
