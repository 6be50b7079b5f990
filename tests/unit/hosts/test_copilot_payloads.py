"""What Copilot CLI 1.0.102 told its hooks, as recorded, in Compass's words."""

import json
from pathlib import Path

import pytest
from corpora import corpus
from running.hookrun import Place

from compass.composition.gate import wire
from evaluator.errors import AnotherHost, PayloadError
from hooks import registry

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "copilot"
HOST = registry.host_of("copilot")
RECORDED = [json.loads(line) for line in (FIXTURES / "payloads.jsonl").read_text().splitlines()]
ENV = {"HOME": "/home/user", "COPILOT_PROJECT_DIR": "/project"}


def parsed(event, **fields):
    """The recorded payloads of an event that hold these fields."""
    found = [one["stdin"] for one in RECORDED if one["event"] == event]
    found = [one for one in found if all(one.get(name) == value for name, value in fields.items())]
    assert found
    return [HOST.parse(json.dumps(one).encode()) for one in found]


def pending(name, given, **more):
    payload = {
        "sessionId": "s-1",
        "timestamp": 1,
        "cwd": "/project",
        "toolName": name,
        "toolArgs": given,
        **more,
    }
    return HOST.pending_write(HOST.parse(json.dumps(payload).encode()), ENV)


def effects(call, tmp_path):
    gate = wire({"HOME": str(tmp_path)}, str(tmp_path), "/project", host=HOST, keep=False)
    return gate.parts.effects_of(call)


@pytest.mark.parametrize("tool", ["create", "edit", "bash", "apply_patch"])
def test_each_recorded_write_is_one_of_its_file(tool, tmp_path):
    for payload in parsed("preToolUse", toolName=tool):
        found = effects(HOST.pending_write(payload, ENV), tmp_path)
        assert found is not None
        if tool != "bash":
            assert [Path(one).parent for one in found.targets] == [Path("/project")]


def test_fields_are_those_of_compass():
    assert pending("create", {"path": "/project/a", "file_text": "x"}).tool_input == {
        "file_path": "/project/a",
        "content": "x",
    }
    edit = pending("edit", {"path": "/project/a", "old_str": "x", "new_str": "y"})
    assert (edit.tool_name, edit.tool_input) == (
        "Edit",
        {"file_path": "/project/a", "old_string": "x", "new_string": "y"},
    )


def test_arguments_as_a_string_are_a_patch_or_an_object(tmp_path):
    patch = "*** Begin Patch\n*** Delete File: /project/a.py\n*** End Patch\n"
    call = pending("apply_patch", patch)
    assert (call.tool_name, call.tool_input) == ("apply_patch", {"input": patch})
    assert [one.operation for one in effects(call, tmp_path).each] == ["delete"]
    assert pending("create", '{"path": "a", "file_text": "x"}').tool_input == {
        "file_path": "a",
        "content": "x",
    }
    for name, text in (("edit", patch), ("bash", "rm a")):
        with pytest.raises(PayloadError):
            pending(name, text)


@corpus(
    ("name", "known"),
    [
        ("my-files-write_file", "mcp__my-files__write_file"),
        ("github-mcp-server-create_or_update_file", "mcp__github-mcp-server__create_or_update_file"),
        ("notion-notion-create-pages", "mcp__notion__notion-create-pages"),
        ("some-server-look_at", "mcp__some-server__look_at"),
        ("report_intent", "report_intent"),
    ],
)
def test_a_tool_of_an_mcp_server_is_named_by_server_and_tool(name, known):
    assert pending(name, {}).tool_name == known


def test_what_types_into_a_running_shell_is_unknown(tmp_path):
    found = effects(pending("write_bash", {"shellId": "1", "input": "rm -rf src"}), tmp_path)
    assert found.verdict == "unknown" and found.operation_class == "destructive"


def test_a_call_has_the_same_id_before_and_after_it_ran():
    before = {one["tool_use_id"] for one in parsed("preToolUse")}
    for event in ("postToolUse", "postToolUseFailure"):
        assert {one["tool_use_id"] for one in parsed(event)} <= before
    assert len({pending("bash", {"command": text}).tool_use_id for text in ("a", "b")}) == 2


def test_a_command_that_failed_has_failed_though_the_host_calls_it_success():
    ends = [
        (one["failed"], one["tool_input"].get("command")) for one in parsed("postToolUse", toolName="bash")
    ]
    assert (True, "ls /nonexistent_zz") in ends
    assert (False, "echo hi > made.txt") in ends
    told = {"resultType": "success", "textResultForLlm": "completed with exit code 2, says the log\n"}
    payload = {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "cat log"}, "toolResult": told}
    assert HOST.parse(json.dumps(payload).encode())["failed"] is False


def test_a_subagents_call_belongs_to_the_session_that_started_it():
    own = parsed("preToolUse", toolName="task")[0]["session_id"]
    call = next(one for one in parsed("preToolUse") if one["agent_id"])
    assert call["session_id"] == own and call["agent_id"] != own
    assert (
        HOST.pending_write(call, ENV).transcript_path
        == f"/home/user/.copilot/session-state/{own}/events.jsonl"
    )


def test_what_a_subagent_and_the_client_itself_are_told_is_no_persons_prompt():
    texts = [one["prompt"] for one in parsed("userPromptSubmitted")]
    machine = [text for text in texts if HOST.is_machine_text(text)]
    assert [text for text in texts if text not in machine] == [
        "Please look.",
        "Please delegate.",
        "Please go.",
    ]
    assert any("Delete notes.txt" in text for text in machine)
    assert any("task_complete" in text for text in machine)


def test_the_session_file_lies_where_the_client_says_and_no_id_leads_elsewhere():
    call = pending("bash", {"command": "ls"})
    assert call.transcript_path == "/home/user/.copilot/session-state/s-1/events.jsonl"
    payload = {"sessionId": "s-1", "cwd": "/project", "toolName": "bash", "toolArgs": {}}
    moved = HOST.pending_write(
        HOST.parse(json.dumps(payload).encode()), {**ENV, "COPILOT_HOME": "/elsewhere"}
    )
    assert moved.transcript_path == "/elsewhere/session-state/s-1/events.jsonl"
    for bad in ("../../x", "a/b", ".", "x" * 500, "a\n"):
        odd = HOST.parse(json.dumps({**payload, "sessionId": bad}).encode())
        assert HOST.pending_write(odd, ENV).transcript_path is None


@corpus(
    "fields", [{"sessionId": ""}, {"sessionId": 3}, {"toolName": None}, {"toolArgs": 7}, {"toolArgs": None}]
)
def test_fields_of_the_wrong_type_raise(fields):
    payload = {"sessionId": "s", "cwd": "/p", "toolName": "create", "toolArgs": {}, **fields}
    with pytest.raises(PayloadError):
        HOST.pending_write(HOST.parse(json.dumps(payload).encode()), ENV)


def test_what_is_wired_for_claude_code_leaves_its_calls_alone(tmp_path):
    """In a trusted folder the client runs the hooks of `.claude/settings.json`, too."""
    recorded = [json.loads(line) for line in (FIXTURES / "claude-shaped.jsonl").read_text().splitlines()]
    assert {one["event"] for one in recorded} == {"UserPromptSubmit", "PreToolUse"}
    for one in recorded:
        with pytest.raises(AnotherHost):
            registry.default().parse(json.dumps(one["stdin"]).encode())
    place = Place(tmp_path)
    command = {**recorded[-1]["stdin"], "tool_name": "Bash", "tool_input": {"command": "rm -rf src"}}
    done = place.hook("pre-tool-use", command)
    assert (done.returncode, done.stdout) == (0, b"")


def test_answers_are_the_hosts_own():
    assert json.loads(HOST.deny("why", ends_turn=True, message="you")) == {
        "permissionDecision": "deny",
        "permissionDecisionReason": "you\nwhy",
    }
    told = json.loads(HOST.inform("user-prompt-submit", "for you", "for them"))["additionalContext"]
    assert told.startswith("for you") and told.endswith("for them")
    assert json.loads(HOST.tell("Compass: down"))["additionalContext"].endswith("Compass: down")
