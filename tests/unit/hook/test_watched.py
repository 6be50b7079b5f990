"""As a session starts: a person is told once a day what would have been held."""

import json
import time
from pathlib import Path

import pytest
from running.hookrun import Place

from compass.hook.events import day_before
from evaluator.state.store import FILE_NAME


@pytest.fixture
def place(tmp_path):
    found = Place(tmp_path, {"COMPASS_MODE": "observe", "CLAUDE_CODE_SESSION_ATTENDED": "1"})
    (found.project / "src").mkdir()
    (found.project / "src" / "slow.py").write_text("x = 1\n")
    return found


def starts(place: Place) -> str:
    out = place.hook("session-start", place.payload(source="startup")).stdout
    return str(json.loads(out).get("systemMessage", "")) if out.strip() else ""


def worked_yesterday(place: Place):
    """One request whose write fails its check and one whose write passes, a day ago."""
    import sqlite3

    place.say("why is this slow?")
    place.hook("user-prompt-submit", place.payload(prompt="why is this slow?", prompt_id="p1"))
    place.hook("pre-tool-use", place.payload("Bash", {"command": "rm -rf src"}))
    (path,) = Path(place.root).rglob(FILE_NAME)
    with sqlite3.connect(path) as db:
        count = db.execute("UPDATE checks SET at = at - 86400").rowcount
    db.close()
    assert count


def test_once_a_day_it_says_what_it_would_have_held(place):
    worked_yesterday(place)
    place.env["COMPASS_MODE"] = "enforce"
    assert "would have been held" not in starts(place), "a gate that holds says nothing of it"
    place.env["COMPASS_MODE"] = "observe"
    told = starts(place)
    assert "1 of yesterday's 1 requests would have been held; `compass log --held` shows them." in told
    assert "yesterday" not in starts(place)
    shown = place.command("log", "--held").stdout.decode()
    assert 'you said: "why is this slow?"' in shown and "Compass would have held back: delete src" in shown


def test_it_says_nothing_of_a_day_without_a_check(place, tmp_path):
    assert "yesterday" not in starts(place)
    assert day_before(str(tmp_path), str(place.project), time.time()) == ""
