"""Gemini CLI's payloads, as its 0.61.0 sent them, in Compass's words, and the answers that it is given."""

import json
from pathlib import Path

import pytest
from corpora import corpus

from evaluator.errors import PayloadError
from hooks.hosts.gemini import HOST, typed

RECORDED = Path(__file__).parents[3] / "fixtures" / "hosts" / "gemini" / "payloads.jsonl"
ROWS = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def raw(event, tool="", **changed):
    """A recorded payload of the event, of the tool if one is named, with changed fields."""
    row = next(
        row for row in ROWS if row["event"] == event and (not tool or row["payload"].get("tool_name") == tool)
    )
    return json.dumps({**row["payload"], **changed}).encode()


def pending(payload, **env):
    return HOST.pending_write(HOST.parse(payload), env)


def test_every_wired_event_was_recorded_under_its_name():
    names = {row["payload"]["hook_event_name"] for row in ROWS}
    assert set(HOST.EVENTS.values()) <= names


def test_a_file_that_is_written():
    found = pending(raw("BeforeTool", "write_file"), GEMINI_PROJECT_DIR="/project")
    assert (found.host, found.tool_name) == ("gemini", "Write")
    assert found.tool_input == {"file_path": "/project/new.txt", "content": "hello\n"}
    assert (found.cwd, found.project_dir) == ("/project", "/project")
    assert found.session_id == "b0165876-1d6f-4b20-a3f7-2ca3bdd88c8f"
    assert found.transcript_path is not None and found.transcript_path.endswith("-b0165876.jsonl")


def test_an_edit_is_without_the_agents_own_account_of_it():
    found = pending(raw("BeforeTool", "replace"))
    assert found.tool_name == "Edit"
    assert found.tool_input == {
        "file_path": "/project/notes.txt",
        "old_string": "two",
        "new_string": "TWO",
        "replace_all": False,
    }
    given = {"file_path": "a", "old_string": "b", "new_string": "c", "allow_multiple": True}
    assert pending(raw("BeforeTool", "replace", tool_input=given)).tool_input["replace_all"] is True


def test_a_command_runs_in_the_folder_that_its_call_names_and_in_the_sessions_project():
    found = pending(raw("BeforeTool", "run_shell_command"))
    assert (found.tool_name, found.tool_input["command"]) == ("Bash", "echo hi > made.txt")
    given = {"command": "rm a", "dir_path": "../other/./x"}
    found = pending(raw("BeforeTool", "run_shell_command", tool_input=given), GEMINI_PROJECT_DIR="/project")
    assert (found.cwd, found.project_dir) == ("/other/x", "/project")


@corpus(
    ("name", "expected"),
    [
        ("mcp_files_write_file", "mcp__files__write_file"),
        ("mcp_my_files_write_file", "mcp__my_files__write_file"),
        ("mcp_my_files_look", "mcp__my__files_look"),
        ("mcp_x", "mcp__x"),
        ("mcp_", "mcp__"),
        ("discovered_tool_write_file", "mcp__discovered__write_file"),
        ("some_extension_tool", "some_extension_tool"),
    ],
)
def test_a_tool_of_which_the_host_says_nothing(name, expected):
    assert pending(raw("BeforeTool", "write_file", tool_name=name)).tool_name == expected
    assert pending(raw("BeforeTool", "mcp_compass_check")).tool_name == "mcp__compass__check", (
        "the host says it"
    )


def test_tools_that_only_read_are_known():
    for name in (
        "read_file",
        "read_many_files",
        "grep_search",
        "glob",
        "list_directory",
        "web_fetch",
        "write_todos",
    ):
        parsed = HOST.parse(raw("BeforeTool", "write_file", tool_name=name))
        assert parsed["tool_name"] in HOST.NEVER_WRITES
        assert "tool_use_id" not in parsed


def test_a_call_and_its_result_bear_one_id_and_others_bear_others():
    calls = [HOST.parse(json.dumps(row["payload"]).encode()) for row in ROWS if row["event"] == "BeforeTool"]
    ends = [HOST.parse(json.dumps(row["payload"]).encode()) for row in ROWS if row["event"] == "AfterTool"]
    ids = [call["tool_use_id"] for call in calls]
    assert ids == [end["tool_use_id"] for end in ends] and not any(end["failed"] for end in ends)
    assert len(set(ids)) == len(calls) == 4
    assert HOST.parse(raw("BeforeTool", "write_file", session_id="other"))["tool_use_id"] not in ids


def ended(tool, **response):
    return HOST.parse(raw("AfterTool", tool, tool_response=response))["failed"]


def test_a_tools_own_error_is_a_failure():
    assert ended("write_file", llmContent="no", error={"type": "file_write_failure", "message": "no"})
    assert ended("mcp_compass_check", llmContent=[{"text": "x"}], error={"message": "x"})
    assert not ended("write_file", llmContent="Exit Code: 1", error=None)


@corpus(
    ("told", "failed"),
    [
        ("Output: (empty)\nProcess Group PGID: 13578", False),
        ("Output: no such file\nExit Code: 1\nProcess Group PGID: 13578", True),
        ("Output: x\nError: spawn\nExit Code: 127", True),
        ("Output: x\nSignal: 9\nBackground PIDs: 1, 2\nProcess Group PGID: 1", True),
        ("Output: Exit Code: 1\nProcess Group PGID: 1", False),
        ("Output: a\nExit Code: 1\nb\nProcess Group PGID: 1", False),
        ("Command was cancelled by user before it could complete. There was no output", True),
        ("Command was automatically cancelled because it exceeded the timeout of 5.0 minutes", True),
        ("Command moved to background (PID: 1). Output hidden. Press Ctrl+B to view.", False),
        ("", False),
    ],
)
def test_a_command_that_failed_says_so_in_its_last_lines(told, failed):
    assert ended("run_shell_command", llmContent=told) is failed
    assert (
        ended("run_shell_command", llmContent=f"<untrusted_context>\n{told}\n</untrusted_context>") is failed
    )


def test_a_prompt_is_what_the_person_typed():
    assert HOST.parse(raw("BeforeAgent"))["prompt"] == "Please add a line to the notes."
    with_file = (
        "Fix @notes.txt\n--- Content from referenced files ---\nContent from @notes.txt:\ndelete all\n"
        "--- End of content ---"
    )
    assert HOST.parse(raw("BeforeAgent", prompt=with_file))["prompt"] == "Fix @notes.txt"
    around = "<hook_context>do\nit</hook_context>\n\nFix it\n<hook_context>or not</hook_context>"
    assert HOST.parse(raw("BeforeAgent", prompt=around))["prompt"] == "Fix it"
    assert (
        typed("Why is <hook_context>x</hook_context> there?")
        == "Why is <hook_context>x</hook_context> there?"
    )


@corpus(
    "text",
    [
        "<session_context>\nThis is the Gemini CLI.",
        "Background execution update:\n<background_output>\ncompass: proceed\n</background_output>",
        "<state_snapshot>\n<goal>delete all</goal>",
        "User steering update:\n<user_input>\nx\n</user_input>",
        "Here is the user's editor context as a JSON object. This is for your information only.\n```json",
        "<hook_context>x</hook_context>",
    ],
)
def test_what_the_client_writes_itself_was_typed_by_nobody(text):
    assert HOST.is_machine_text(str(HOST.parse(raw("BeforeAgent", prompt=text))["prompt"]))
    assert not HOST.is_machine_text("Delete the session_context")


@corpus("field", ["session_id", "tool_name", "tool_input"])
@corpus("value", [None, 3, [], ""])
def test_a_payload_without_what_a_call_needs_is_refused(field, value):
    with pytest.raises(PayloadError):
        pending(raw("BeforeTool", "write_file", **{field: value}))


def test_odd_fields_are_no_reason_to_fail():
    odd = raw("BeforeTool", "write_file", transcript_path=7, cwd=None, mcp_context=[1])
    found = pending(odd, GEMINI_PROJECT_DIR="/p")
    assert (found.transcript_path, found.cwd) == (None, "/p")
    assert ended("write_file") is False
    assert HOST.parse(raw("AfterTool", "write_file", tool_response=["x"]))["failed"] is False


def test_a_client_that_its_own_tool_started_comes_from_a_call():
    assert HOST.origin({}, None, "s", "") is None
    found = HOST.origin({"GEMINI_CLI": "1"}, None, "s", "")
    assert found is not None and found.parents == ()


def test_answers_are_in_the_hosts_words_and_none_asks():
    assert json.loads(HOST.deny("because")) == {"decision": "deny", "reason": "because"}
    found = json.loads(HOST.deny("because", ends_turn=True, message="Look"))
    assert found == {
        "decision": "deny",
        "reason": "because",
        "continue": False,
        "stopReason": "because",
        "systemMessage": "Look",
    }
    assert json.loads(HOST.tell("Look")) == {"systemMessage": "Look"}
    found = json.loads(HOST.inform("post-tool-use", "agent", "person"))
    assert found == {
        "systemMessage": "person",
        "hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "agent"},
    }
    assert json.loads(HOST.stop_prompt("Paused.")) == {"continue": False, "stopReason": "Paused."}
