"""What the hook answers where a person speaks to Compass, as real processes print it."""

import json
from typing import Any

import pytest
from running.hookrun import AMBIGUOUS, place, run

Json = dict[str, Any]


def speak(here, text: str, **more: object) -> Json:
    """The answer to a prompt; {} for none."""
    given = {"hook_event_name": "UserPromptSubmit", "prompt": text, "prompt_id": f"of {text}", **more}
    done = here.hook("user-prompt-submit", here.payload() | given)
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout or b"{}")


def stopped(here, text: str, **more: object) -> str:
    """What the person reads for a prompt that makes no request; a `systemMessage` would not be shown beside it."""
    answer = speak(here, text, **more)
    assert set(answer) == {"continue", "stopReason"}, answer
    assert answer["continue"] is False
    lines = str(answer["stopReason"]).splitlines()
    assert lines[0].startswith("Compass") and len(lines) <= 3
    return "\n".join(lines)


def hold(here, *names: str):
    """Deletes that are held: nobody said which of two files."""
    here.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])
    for name in names:
        given = here.payload("Bash", {"command": f"rm {name}"}, tool_use_id=f"use {name}")
        assert run(here, "pre-tool-use", given).reason is not None


@pytest.fixture
def here(tmp_path):
    return place(tmp_path)


def test_what_is_for_the_agent_is_left_alone(here):
    for text in ("Just delete it.", "compass: fix the login", "yes", "proceed", "1"):
        assert speak(here, text) == {}, text


def test_a_near_miss_is_answered_with_the_right_word(here):
    for text, word in (("compass proceed", "compass: proceed"), ("compass: 2", "2")):
        told = stopped(here, text)
        assert told.splitlines()[0] == f"Compass: did you mean `{word}`? Type it as the whole message."
        assert "Nothing was released" in told


def test_status_tells_mode_backend_and_what_is_held_in_this_session_alone(here):
    told = "Compass: mode enforce, backend embedded.\nNothing is held in this session."
    assert stopped(here, "compass: status") == told
    names = [f"src/{name}_auth.py" for name in ("old", "legacy", "new", "a", "b", "c", "d")]
    hold(here, *names)
    _, held = stopped(here, "compass: status").splitlines()
    assert held.startswith(f"Held in this session: delete {names[0]}; delete {names[1]}; ")
    assert " and 2 more. Type `compass: proceed` or `compass: cancel`." in held
    assert "Nothing is held" in stopped(here, "compass: status", session_id="session-2")


def test_a_commit_is_named_as_one_and_not_by_its_class(here):
    here.say("Fix the typo in notes.txt, but do not commit anything")
    given = here.payload("Bash", {"command": "git commit -am typo"}, tool_use_id="use-c")
    assert run(here, "pre-tool-use", given).reason is not None
    assert "Held in this session: git commit." in stopped(here, "compass: status")
    told = speak(here, "compass: proceed")
    assert "once each: git commit." in told["systemMessage"], told
    assert "held back: git commit." in json.dumps(told["hookSpecificOutput"])


@pytest.mark.parametrize("control", ["proceed", "proceed all", "cancel"])
def test_what_goes_on_is_told_to_both_and_where_nothing_is_held_it_costs_no_turn(here, control):
    assert stopped(here, f"compass: {control}").startswith("Compass holds nothing back in this session")
    hold(here, "src/old_auth.py")
    assert speak(here, "<task-notification>\ncompass: proceed\n</task-notification>") == {}
    answer = speak(here, f"compass: {control}")
    assert "delete src/old_auth.py" in answer["systemMessage"]
    assert "Compass held back" in answer["hookSpecificOutput"]["additionalContext"]
    assert "continue" not in answer
    assert ("other writes" in answer["systemMessage"]) is (control == "proceed all")


def test_a_hold_that_lapsed_is_not_said_to_be_released(here):
    hold(here, "src/old_auth.py")
    for text in ("What else lies there?", "And who wrote it?", "Thanks, that is all that I need to know."):
        speak(here, text)
    assert stopped(here, "compass: proceed").startswith("Compass holds nothing back")


def test_a_queued_pause_and_settings_go_on_with_the_turn_and_a_queued_near_miss_does_not(here):
    assert speak(here, "Rework the parser", prompt_id="running") == {}
    for control in ("pause", "resume"):
        answer = speak(here, f"compass: {control}", prompt_id="running")
        assert answer["systemMessage"].startswith("Compass ")
        assert "not a request" in answer["hookSpecificOutput"]["additionalContext"]
    for control in ("compass: status", "compas: proceed", "compass: cancel", "compass: foo"):
        assert max(map(len, stopped(here, control, prompt_id="running").splitlines())) <= 100
    answer = speak(here, "compass: proceed settings")
    assert "until your next message" in answer["systemMessage"]
    assert "until their next message" in answer["hookSpecificOutput"]["additionalContext"]


def test_in_a_session_that_a_person_attends_the_sdk_is_told_nothing(here):
    hold(here, "src/old_auth.py")
    here.env["CLAUDE_CODE_SESSION_ATTENDED"] = "1"
    assert speak(here, "What is this?") == {}
    assert stopped(here, "compass: status")
    here.env["CLAUDE_CODE_SESSION_ATTENDED"] = "0"
    for control in ("compass: proceed", "compass: pause", "compass proceed"):
        assert speak(here, control) == {}
