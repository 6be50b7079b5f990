"""What the agent is told as a session starts: that open requests are held, where they are."""

from __future__ import annotations

import json
from pathlib import Path

from corpora import corpus
from running.hookrun import Place


def told(place: Place) -> str:
    done = place.hook("session-start", place.payload(hook_event_name="SessionStart", source="startup"))
    assert done.returncode == 0, done.stderr
    if not done.stdout:
        return ""
    output = json.loads(done.stdout)["hookSpecificOutput"]
    assert output["hookEventName"] == "SessionStart"
    return str(output["additionalContext"])


def test_where_the_gate_enforces_the_agent_is_told_in_two_lines(tmp_path: Path) -> None:
    first, second = told(Place(tmp_path)).splitlines()
    assert "held until the user settles it" in first
    assert "a numbered question, before any write" in second


@corpus(
    "env",
    [
        {"COMPASS_ENABLED": "false"},
        {"COMPASS_MODE": "observe"},
        {"COMPASS_INTERVENTION__HEADLESS": "pass", "CLAUDE_CODE_SESSION_ATTENDED": "0"},
    ],
)
def test_else_it_is_told_nothing(tmp_path: Path, env: dict[str, str]) -> None:
    assert told(Place(tmp_path, env)) == ""


def test_who_attends_the_session_is_asked_whatever_passes_without(tmp_path: Path) -> None:
    assert told(
        Place(tmp_path, {"COMPASS_INTERVENTION__HEADLESS": "pass", "CLAUDE_CODE_SESSION_ATTENDED": "1"})
    )
