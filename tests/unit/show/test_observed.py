"""What ran is never said to have been held: observe mode and headless sessions, as `explain` and `check` tell them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from running.hookrun import AMBIGUOUS, place, run

RAN = "would have been held; it ran"
DELETION = {"command": "rm src/old_auth.py"}


@pytest.fixture
def here(tmp_path: Any) -> Any:
    found = place(tmp_path, {"COMPASS_MODE": "observe"})
    found.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])
    return found


def delete(here: Any) -> str | None:
    return run(here, "pre-tool-use", here.payload("Bash", DELETION)).reason


def explained(here: Any) -> str:
    """What `explain` shows of the newest check; fails where it claims that what ran was held."""
    shown: str = here.command("explain").stdout.decode()
    message = json.loads(here.command("explain", "--json").stdout)["message"] or ""
    for text in (shown, message):
        assert "Nothing was written" not in text
        assert "Still held" not in text
        assert "Compass held back" not in text
        assert "stays denied" not in text
    assert "Compass would have held back: delete src/old_auth.py" in message and "it ran" in message
    assert RAN in shown
    return message


def test_a_block_that_was_only_watched(here: Any) -> None:
    assert delete(here) is None
    explained(here)
    payload = json.dumps(here.payload("Bash", DELETION)).encode()
    shown = here.command("check", "--payload", "-", stdin=payload).stdout.decode()
    assert "Nothing was written" not in shown
    assert RAN in shown


@pytest.mark.parametrize("word", ["", "compass: cancel"])
def test_what_was_held_before_the_mode_was_switched(here: Any, word: str) -> None:
    here.env["COMPASS_MODE"] = "enforce"
    assert delete(here) is not None
    if word:
        here.say(AMBIGUOUS[0], word, prior=AMBIGUOUS[1])
        said = {"session_id": "session-1", "prompt": word, "prompt_id": "prompt-1", "cwd": str(here.project)}
        run(here, "user-prompt-submit", said | {"hook_event_name": "UserPromptSubmit"})
    here.env["COMPASS_MODE"] = "observe"
    assert delete(here) is None
    why = "the user had cancelled it" if word else "it was held before, and nobody has released it"
    assert why in explained(here)


def test_what_passed_because_nobody_attends(here: Any) -> None:
    here.env |= {"COMPASS_MODE": "enforce", "COMPASS_INTERVENTION__HEADLESS": "pass"}
    assert delete(here) is None
    assert "this session is unattended" in explained(here)
