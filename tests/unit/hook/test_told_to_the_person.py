"""What the person is told through real hooks: answers to what they say, what is owed, outages, and the day before."""

import json
import sqlite3
import time
from contextlib import closing
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, reply, status
from apis.loopback_api import answer as verdict
from running.hookrun import AMBIGUOUS, NO_RETRY, Place, place, point_at, rows, run

from compass.hook.events import day_before
from evaluator.intervention.records import Owed, joined_owed
from evaluator.state.store import FILE_NAME

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


def test_what_is_for_the_agent_is_left_alone_and_a_near_miss_answered_with_the_right_word(here):
    for text in ("Just delete it.", "compass: fix the login", "yes", "proceed", "1"):
        assert speak(here, text) == {}, text
    for text, word in (("compass proceed", "compass: proceed"), ("compass: 2", "2")):
        told = stopped(here, text)
        assert told.splitlines()[0] == f"Compass: did you mean `{word}`? Type it as the whole message."
        assert "Nothing was released" in told


def test_status_tells_mode_backend_and_what_is_held_in_this_session_alone_until_it_lapses(here):
    told = "Compass: mode enforce, backend embedded.\nNothing is held in this session."
    assert stopped(here, "compass: status") == told
    names = [f"src/{name}_auth.py" for name in ("old", "legacy", "new", "a", "b", "c", "d")]
    hold(here, *names)
    _, held = stopped(here, "compass: status").splitlines()
    assert held.startswith(f"Held in this session: delete {names[0]}; delete {names[1]}; ")
    assert " and 2 more. Type `compass: proceed` or `compass: cancel`." in held
    assert "Nothing is held" in stopped(here, "compass: status", session_id="session-2")
    for text in ("What else lies there?", "And who wrote it?", "Thanks, that is all that I need to know."):
        speak(here, text)
    assert stopped(here, "compass: proceed").startswith("Compass holds nothing back"), "the hold has lapsed"


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


# What a subagent's call was told reaches the person at the next event of the session's own agent, once.

REPORT = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>"
ENDED = "post-tool-use"
REPORTED = "user-prompt-submit"


@pytest.fixture
def asked(tmp_path):
    found = place(tmp_path)
    (found.project / "src").mkdir()
    for name in ("old_auth.py", "legacy_auth.py"):
        (found.project / "src" / name).write_text("pass\n")
    request, prior = AMBIGUOUS
    found.say(request, prior=prior)
    return found


def answer(asked, event: str, **changes) -> dict[str, Any]:
    done = run(asked, event, asked.payload("Bash", {"command": "rm src/legacy_auth.py"}, **changes))
    assert done.code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout) if done.stdout.strip() else {}
    return found


def held(asked, **changes) -> dict[str, Any]:
    found = answer(asked, "pre-tool-use", **changes)
    assert found["hookSpecificOutput"]["permissionDecision"] == "deny"
    return found


def later(asked, event: str, **changes) -> dict[str, Any]:
    """The answer to the end of the subagent, or to its report from the background."""
    given = {"tool_name": "Agent", "tool_input": {}} if event == ENDED else {"prompt": REPORT}
    return answer(asked, event, **(given | changes))


@pytest.mark.parametrize(("event", "name"), [(ENDED, "PostToolUse"), (REPORTED, "UserPromptSubmit")])
def test_both_texts_of_a_subagents_denial_come_once_where_the_person_types(asked, event, name):
    first = held(asked, agent_id="a1")
    told = later(asked, event)
    assert "Compass held back: delete" in told["systemMessage"]
    assert told["systemMessage"] == first["systemMessage"]
    inner, once = told["hookSpecificOutput"], first["hookSpecificOutput"]
    readings = once["additionalContext"].removeprefix("The user was asked which one they mean")
    assert inner["hookEventName"] == name
    assert inner["additionalContext"].startswith(once["permissionDecisionReason"].removesuffix("."))
    assert inner["additionalContext"].endswith(readings)
    assert later(asked, event) == {}


def test_neither_the_subagent_nor_another_session_takes_it_and_the_sessions_own_next_denial_does(asked):
    first = held(asked, agent_id="a1")
    assert later(asked, ENDED, agent_id="a1") == later(asked, ENDED, session_id="session-2") == {}
    again = held(asked, tool_use_id="toolu_2")
    assert "Compass still holds back" in again["hookSpecificOutput"]["permissionDecisionReason"]
    assert again["systemMessage"] == first["systemMessage"]
    assert later(asked, ENDED) == {}


def test_what_the_person_settled_meanwhile_is_not_told(asked):
    held(asked, agent_id="a1")
    request, prior = AMBIGUOUS
    asked.say(request, "compass: cancel", prior=prior)
    answer(asked, "user-prompt-submit", prompt="compass: cancel")
    cancelled = held(asked, agent_id="a1", tool_use_id="toolu_3")
    assert "because the user cancelled it" in cancelled["hookSpecificOutput"]["permissionDecisionReason"]
    assert later(asked, ENDED) == {}


def test_the_newest_question_counts_and_what_asks_nothing_is_kept():
    first, second = Owed("1. a", "first", held=True), Owed("1. b", "second", held=True)
    notice = Owed("readers are down", "", held=False)
    both = Owed("readers are down\n1. b", "second", held=True)
    assert joined_owed((first, notice, second), waits=True) == both
    assert joined_owed((first, notice, second), waits=False) == notice
    assert joined_owed((first,), waits=False).person == ""


def test_readers_that_are_down_for_a_subagent_are_told_though_nothing_is_asked(asked):
    asked.env |= {"COMPASS_EVALUATOR__BACKEND": "anthropic", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    asked.env |= {"ANTHROPIC_API_KEY": "none", "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "2"}
    asked.say("Delete src/legacy_auth.py")
    first = held(asked, agent_id="a1")
    assert "Compass could not check" in first["systemMessage"]
    assert later(asked, ENDED)["systemMessage"] == first["systemMessage"]
    assert later(asked, ENDED) == {}


# Readers that are down, through the real hook: closed stays closed, and the person is told once, and of the end.

SAYS = {
    "closed": ("every write that needs to be judged is held", "`compass config set error_policy embedded`"),
    "open": ("writes run unjudged", "`compass config set error_policy closed`"),
    "embedded": ("rules judge in their place", "`compass config set error_policy closed`"),
}


@pytest.fixture
def working(tmp_path):
    found = place(tmp_path)
    found.say("Create the parts of the engine below src, one module a folder, as we agreed in the plan")
    return found


@pytest.fixture
def api(working):
    with LoopbackApi(default=status(529, retry_after=NO_RETRY)) as found:
        point_at(working, found, deadline=30)
        yield found


def notice(stdout: bytes) -> str:
    """What the person is shown, empty for nothing; fails for more than eight lines or a hundred columns."""
    text: str = json.loads(stdout or b"{}").get("systemMessage", "")
    lines = text.splitlines()
    assert len(lines) <= 8 and all(len(line) <= 100 for line in lines), lines
    return text


def writes(working, number: int):
    given = {"file_path": str(working.project / f"src/{number}/part{number}.py"), "content": "x = 1\n"}
    return run(working, "pre-tool-use", working.payload("Write", given, tool_use_id=f"w{number}"))


def is_down(text: str) -> bool:
    return ": anthropic, http://127.0.0.1:" in text and "answering again" not in text


@pytest.mark.spread(1)
@pytest.mark.parametrize("policy", ["closed", "open", "embedded"])
def test_down_is_told_once_and_back_once(working, api, policy):
    working.env["COMPASS_ERROR_POLICY"] = policy
    ended = [writes(working, number) for number in range(5)]
    texts = [notice(one.stdout) for one in ended]
    assert len(api.requests) == 3 * 5, "three evaluations that failed open the breaker"
    if policy == "closed":
        reasons = [str(one.reason) for one in ended]
        assert "529" in reasons[0] and "not be asked for a while" in reasons[-1]
        assert all("no judgement on the request" in reason for reason in reasons)
    for words in ("the readers return errors (since ", *SAYS[policy]):
        assert words in texts[0]
    first, *_, last = texts[0].splitlines()
    assert "Compass" in first
    if policy == "closed":
        assert first == "Compass could not check: create src/0/part0.py" and "compass: proceed" in last
    assert [number for number, text in enumerate(texts) if is_down(text)] == [0]
    api.default = reply(verdict(score=0.95))
    working.env["COMPASS_CIRCUIT_BREAKER__OPEN_DURATION_SECONDS"] = "1"
    time.sleep(1.1)
    again = [notice(writes(working, number).stdout) for number in range(10, 13)]
    assert "answering again; they failed from" in again[0]
    assert not any("answering again" in text or is_down(text) for text in again[1:])
    assert rows(working, "SELECT count(*) FROM outages WHERE ended IS NULL") == [(0,)]


@pytest.mark.full
def test_what_failed_spends_nothing_of_the_turns_budget(working, api):
    working.env |= {"COMPASS_CIRCUIT_BREAKER__ENABLED": "false", "COMPASS_MAX_CHECKS_PER_TURN": "3"}
    assert None not in [writes(working, number).reason for number in range(8)]
    api.default = reply(verdict(score=0.2, primary_concern="scope"))
    judged = [writes(working, number).reason for number in range(8, 11)]
    assert all("Compass held back" in str(one) for one in judged), "the turn's three checks are all there"


@pytest.mark.full
@pytest.mark.parametrize(
    ("policy", "behaviour", "runs"), [("closed", "open", True), ("open", "closed", False)]
)
def test_an_open_breaker_answers_as_the_user_set_it(working, api, policy, behaviour, runs):
    working.env["COMPASS_ERROR_POLICY"] = policy
    working.env["COMPASS_CIRCUIT_BREAKER__OPEN_BEHAVIOR"] = f"fail_{behaviour}"
    for number in range(3):
        writes(working, number)
    assert (writes(working, 9).reason is None) is runs
    deletion = working.payload("Bash", {"command": "rm -r src"})
    assert run(working, "pre-tool-use", deletion).reason is not None, "what destroys never runs unjudged"


def test_in_observe_mode_nothing_is_said_to_be_held(working, api):
    working.env["COMPASS_MODE"] = "observe"
    done = writes(working, 1)
    assert done.reason is None
    text = notice(done.stdout)
    assert "In observe mode nothing is held" in text
    assert "is held." not in text.replace("nothing is held.", "")


def test_answers_that_are_merely_invalid_are_no_outage(working, api):
    api.default = reply("nonsense")
    assert not is_down(notice(writes(working, 1).stdout))
    assert rows(working, "SELECT count(*) FROM outages") == [(0,)]


# As a session starts: a person is told once a day what would have been held.


@pytest.fixture
def observed(tmp_path):
    found = Place(tmp_path, {"COMPASS_MODE": "observe", "CLAUDE_CODE_SESSION_ATTENDED": "1"})
    (found.project / "src").mkdir()
    (found.project / "src" / "slow.py").write_text("x = 1\n")
    return found


def starts(observed: Place) -> str:
    out = observed.hook("session-start", observed.payload(source="startup")).stdout
    return str(json.loads(out).get("systemMessage", "")) if out.strip() else ""


def test_it_says_nothing_of_a_day_without_a_check(observed, tmp_path):
    assert "yesterday" not in starts(observed)
    assert day_before(str(tmp_path), str(observed.project), time.time()) == ""


def test_once_a_day_it_says_what_it_would_have_held(observed):
    observed.say("why is this slow?")
    observed.hook("user-prompt-submit", observed.payload(prompt="why is this slow?", prompt_id="p1"))
    observed.hook("pre-tool-use", observed.payload("Bash", {"command": "rm -rf src"}))
    (path,) = observed.root.rglob(FILE_NAME)
    with closing(sqlite3.connect(path)) as db, db:
        assert db.execute("UPDATE checks SET at = at - 86400").rowcount
    observed.env["COMPASS_MODE"] = "enforce"
    assert "would have been held" not in starts(observed), "a gate that holds says nothing of it"
    observed.env["COMPASS_MODE"] = "observe"
    told = starts(observed)
    assert "1 of yesterday's 1 requests would have been held; `compass log --held` shows them." in told
    assert "yesterday" not in starts(observed)
    shown = observed.command("log", "--held").stdout.decode()
    assert 'you said: "why is this slow?"' in shown and "Compass would have held back: delete src" in shown
