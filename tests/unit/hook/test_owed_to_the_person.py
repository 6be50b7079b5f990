"""What a subagent's call was told reaches the person at the next event of the session's own agent, once."""

import json
from typing import Any

import pytest
from running.hookrun import AMBIGUOUS, place, run

from evaluator.intervention.records import Owed, joined_owed

REPORT = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>"
ENDED = "post-tool-use"
REPORTED = "user-prompt-submit"


@pytest.fixture
def here(tmp_path):
    found = place(tmp_path)
    (found.project / "src").mkdir()
    for name in ("old_auth.py", "legacy_auth.py"):
        (found.project / "src" / name).write_text("pass\n")
    request, prior = AMBIGUOUS
    found.say(request, prior=prior)
    return found


def answer(here, event: str, **changes) -> dict[str, Any]:
    done = run(here, event, here.payload("Bash", {"command": "rm src/legacy_auth.py"}, **changes))
    assert done.code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout) if done.stdout.strip() else {}
    return found


def held(here, **changes) -> dict[str, Any]:
    found = answer(here, "pre-tool-use", **changes)
    assert found["hookSpecificOutput"]["permissionDecision"] == "deny"
    return found


def later(here, event: str, **changes) -> dict[str, Any]:
    """The answer to the end of the subagent, or to its report from the background."""
    given = {"tool_name": "Agent", "tool_input": {}} if event == ENDED else {"prompt": REPORT}
    return answer(here, event, **(given | changes))


@pytest.mark.parametrize(("event", "name"), [(ENDED, "PostToolUse"), (REPORTED, "UserPromptSubmit")])
def test_both_texts_of_a_subagents_denial_come_once_where_the_person_types(here, event, name):
    first = held(here, agent_id="a1")
    told = later(here, event)
    assert "Compass held back: delete" in told["systemMessage"]
    assert told["systemMessage"] == first["systemMessage"]
    inner, once = told["hookSpecificOutput"], first["hookSpecificOutput"]
    readings = once["additionalContext"].removeprefix("The user was asked which one they mean")
    assert inner["hookEventName"] == name
    assert inner["additionalContext"].startswith(once["permissionDecisionReason"].removesuffix("."))
    assert inner["additionalContext"].endswith(readings)
    assert later(here, event) == {}


def test_neither_the_subagent_nor_another_session_takes_it(here):
    held(here, agent_id="a1")
    assert later(here, ENDED, agent_id="a1") == later(here, ENDED, session_id="session-2") == {}
    assert later(here, ENDED)["systemMessage"]


def test_the_sessions_own_next_denial_tells_it(here):
    first = held(here, agent_id="a1")
    again = held(here, tool_use_id="toolu_2")
    assert "Compass still holds back" in again["hookSpecificOutput"]["permissionDecisionReason"]
    assert again["systemMessage"] == first["systemMessage"]
    assert later(here, ENDED) == {}


def test_what_the_person_settled_meanwhile_is_not_told(here):
    held(here, agent_id="a1")
    request, prior = AMBIGUOUS
    here.say(request, "compass: cancel", prior=prior)
    answer(here, "user-prompt-submit", prompt="compass: cancel")
    cancelled = held(here, agent_id="a1", tool_use_id="toolu_3")
    assert "because the user cancelled it" in cancelled["hookSpecificOutput"]["permissionDecisionReason"]
    assert later(here, ENDED) == {}


def test_the_newest_question_counts_and_what_asks_nothing_is_kept():
    first, second = Owed("1. a", "first", held=True), Owed("1. b", "second", held=True)
    notice = Owed("readers are down", "", held=False)
    both = Owed("readers are down\n1. b", "second", held=True)
    assert joined_owed((first, notice, second), waits=True) == both
    assert joined_owed((first, notice, second), waits=False) == notice
    assert joined_owed((first,), waits=False).person == ""


def test_readers_that_are_down_for_a_subagent_are_told_though_nothing_is_asked(here):
    here.env |= {"COMPASS_EVALUATOR__BACKEND": "anthropic", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    here.env |= {"ANTHROPIC_API_KEY": "none", "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2"}
    here.say("Delete src/legacy_auth.py")
    first = held(here, agent_id="a1")
    assert "Compass could not check" in first["systemMessage"]
    assert later(here, ENDED)["systemMessage"] == first["systemMessage"]
    assert later(here, ENDED) == {}
