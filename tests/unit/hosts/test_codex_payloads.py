"""Codex CLI's recorded payloads in Compass's words, and what is answered."""

import json
from pathlib import Path

import pytest

from evaluator.errors import PayloadError
from evaluator.model import Origin
from evaluator.wire import REFUSAL
from hooks.hosts.codex import HOST

FIXTURES = Path(__file__).parents[3] / "fixtures/hosts/codex"
ROWS = [json.loads(line) for line in (FIXTURES / "payloads.jsonl").read_text().splitlines()]
SESSIONS = FIXTURES / "home/sessions/2026/11/22"
PARENT, CHILD = sorted(SESSIONS.glob("*.jsonl"))


def recorded(case, event, number=0):
    found = [row["stdin"] for row in ROWS if row["case"] == case and row["stdin"]["hook_event_name"] == event]
    return found[number]


def parsed(stdin):
    return HOST.parse(json.dumps(stdin).encode())


def pending(stdin):
    return HOST.pending_write(parsed(stdin), {})


def test_a_command_and_a_patch_are_calls_of_compass_tools():
    shell = pending(recorded("first", "PreToolUse"))
    assert (shell.tool_name, dict(shell.tool_input)) == ("Bash", {"command": "echo hi > made.txt"})
    assert (shell.host, shell.cwd, shell.project_dir) == ("codex", "/project", "/project")
    assert shell.session_id.startswith("01a20256-6177") and shell.prompt_id.startswith("01a20256-6197")
    assert shell.tool_use_id == "call_1_1"
    patch = pending(recorded("first", "PreToolUse", 1))
    assert patch.tool_name == "apply_patch"
    assert patch.tool_input["input"].startswith("*** Begin Patch\n*** Add File: new.txt")


def test_a_call_works_in_its_own_folder_and_its_project_is_the_sessions(tmp_path):
    stdin = {**recorded("x-workdir", "PreToolUse"), "transcript_path": str(tmp_path / "rollout.jsonl")}
    assert stdin["cwd"] == "/project/sub"
    assert parsed(stdin)["cwd"] == "", "without a session's file it is the folder of the hook's process"
    (tmp_path / "rollout.jsonl").write_text(PARENT.read_text())
    found = pending(stdin)
    assert (found.cwd, found.project_dir) == ("/project/sub", "/project")


def test_a_subagents_prompt_is_no_persons():
    spoken = recorded("subagent", "UserPromptSubmit", 1)
    assert spoken["agent_id"]
    assert HOST.is_machine_text(str(parsed(spoken)["prompt"]))
    own = parsed(recorded("subagent", "UserPromptSubmit"))
    assert own["prompt"] == "Please delegate it." and not HOST.is_machine_text("Please delegate it.")
    assert pending(recorded("subagent", "PreToolUse")).agent_id == spoken["agent_id"]


def test_what_failed_is_told_where_the_result_says_so():
    def failed(response):
        return parsed({**recorded("first", "PostToolUse", 1), "tool_response": response}).get("failed", False)

    assert not failed("Exit code: 0\nWall time: 0 seconds\nOutput:\n")
    assert failed("Exit code: 1\nWall time: 0 seconds\nOutput:\n")
    assert failed({"content": [], "isError": True})
    assert not failed({"content": [], "isError": False})
    assert not failed(""), "a command of the shell does not tell"


@pytest.mark.parametrize(
    "given", [{"tool_name": 3}, {"tool_name": "Bash"}, {"tool_name": "Bash", "tool_input": []}]
)
def test_a_call_without_name_input_or_session_is_refused(given):
    with pytest.raises(PayloadError):
        pending({"session_id": "s", "cwd": "/p", **given})
    with pytest.raises(PayloadError):
        HOST.session_of({})


def test_a_denial_leaves_by_stderr_and_is_never_empty():
    assert HOST.deny("because") == REFUSAL + b"because"
    assert HOST.deny("because", message="see there") == REFUSAL + b"because\n\nsee there"
    assert len(HOST.deny(" ").removeprefix(REFUSAL)) > 10


def test_what_is_told_has_no_key_that_the_client_does_not_know():
    assert json.loads(HOST.tell("x")) == {"systemMessage": "x"}
    found = json.loads(HOST.inform("user-prompt-submit", "to the agent", "to the person"))
    assert found == {
        "systemMessage": "to the person",
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "to the agent"},
    }
    assert json.loads(HOST.inform("session-start", "", "x")) == {"systemMessage": "x"}


def test_a_session_that_a_tool_started_is_delegated():
    def origin(env):
        return HOST.origin(env, None, "s1", str(CHILD))

    assert origin({}) is None
    assert origin({"CODEX_THREAD_ID": "s1"}) is None
    assert origin({"CLAUDECODE": "1"}) == Origin()
    thread = CHILD.stem.split("-", 7)[-1]
    found = origin({"CODEX_THREAD_ID": thread})
    assert found is not None and found.parents[0].transcript_path == str(PARENT)
    assert found.parents[0].session_id in PARENT.name
    assert origin({"CODEX_THREAD_ID": "../x"}).parents[0].transcript_path == ""
