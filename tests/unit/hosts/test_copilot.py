"""What Copilot CLI 1.0.102 told its hooks, as recorded, in Compass's words."""

import json
import subprocess
from pathlib import Path

import pytest
from corpora import corpus
from running.hookrun import Place

from compass.composition.gate import wire
from evaluator.errors import AnotherHost, PayloadError
from hooks import registry
from hooks.entries import Wiring

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


def pending(name, given, env=ENV, **more):
    called = {"sessionId": "s-1", "timestamp": 1, "cwd": "/project", "toolName": name, "toolArgs": given}
    return HOST.pending_write(HOST.parse(json.dumps(called | more).encode()), env)


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


def test_arguments_as_a_string_are_a_patch_or_an_object(tmp_path):
    patch = "*** Begin Patch\n*** Delete File: /project/a.py\n*** End Patch\n"
    call = pending("apply_patch", patch)
    assert (call.tool_name, call.tool_input) == ("apply_patch", {"input": patch})
    assert [one.operation for one in effects(call, tmp_path).each] == ["delete"]
    created = pending("create", '{"path": "a", "file_text": "x"}')
    assert created.tool_input == {"file_path": "a", "content": "x"}
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
    results = parsed("postToolUse", toolName="bash")
    ends = [(one["failed"], one["tool_input"].get("command")) for one in results]
    assert (True, "ls /nonexistent_zz") in ends and (False, "echo hi > made.txt") in ends
    told = {"resultType": "success", "textResultForLlm": "completed with exit code 2, says the log\n"}
    payload = {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "cat log"}, "toolResult": told}
    assert HOST.parse(json.dumps(payload).encode())["failed"] is False


def test_a_subagents_call_belongs_to_the_session_that_started_it():
    own = parsed("preToolUse", toolName="task")[0]["session_id"]
    call = next(one for one in parsed("preToolUse") if one["agent_id"])
    assert call["session_id"] == own and call["agent_id"] != own
    path = f"/home/user/.copilot/session-state/{own}/events.jsonl"
    assert HOST.pending_write(call, ENV).transcript_path == path


def test_what_a_subagent_and_the_client_itself_are_told_is_no_persons_prompt():
    texts = [one["prompt"] for one in parsed("userPromptSubmitted")]
    machine = [text for text in texts if HOST.is_machine_text(text)]
    typed = [text for text in texts if text not in machine]
    assert typed == ["Please look.", "Please delegate.", "Please go."]
    assert any("Delete notes.txt" in text for text in machine)
    assert any("task_complete" in text for text in machine)


def test_the_session_file_lies_where_the_client_says_and_no_id_leads_elsewhere():
    for env, folder in ((ENV, "/home/user/.copilot"), ({**ENV, "COPILOT_HOME": "/else"}, "/else")):
        assert pending("bash", {}, env).transcript_path == f"{folder}/session-state/s-1/events.jsonl"
    for bad in ("../../x", "a/b", ".", "x" * 500, "a\n"):
        assert pending("bash", {}, sessionId=bad).transcript_path is None


def test_what_is_wired_for_claude_code_leaves_its_calls_alone():
    """In a trusted folder the client runs the hooks of `.claude/settings.json`, too."""
    recorded = [json.loads(line) for line in (FIXTURES / "claude-shaped.jsonl").read_text().splitlines()]
    assert {one["event"] for one in recorded} == {"UserPromptSubmit", "PreToolUse"}
    for one in recorded:
        with pytest.raises(AnotherHost):
            registry.default_host().parse(json.dumps(one["stdin"]).encode())


# What init writes, and what the doctor finds.


SETUP = HOST.setup()


def test_each_event_is_wired_and_only_the_gate_stops_a_call_where_it_fails():
    def codes(*, blocks):
        text = SETUP.whole_file(Wiring("/gone", "/x/compass/__main__.py", blocks, said=("--wired", "open")))
        assert SETUP.is_own_file(text)
        hooks = json.loads(text)["hooks"].items()
        return {
            event: subprocess.run(["bash", "-c", entry["bash"]], check=False).returncode
            for event, (entry,) in hooks
        }

    assert {event for event, code in codes(blocks=True).items() if code} == {"preToolUse"}
    assert {*codes(blocks=False).values()} == {0}, "a gate that only watches stops nothing"
    assert set(codes(blocks=True)) == {
        "sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "sessionEnd",
    }  # fmt: skip


def test_a_file_of_somebody_else_in_the_place_of_ours_stays(tmp_path):
    place = Place(tmp_path)
    file = place.root / "home" / ".copilot" / "hooks" / "compass.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": {}}')
    done = place.command("init", "--host", "copilot", "--backend", "embedded", "--yes", "--enforce")
    assert b"is not a file that init wrote" in done.stderr and file.read_text() == '{"hooks": {}}'


@pytest.mark.parametrize(
    ("name", "ok"),
    [
        ("home/.copilot/settings.json", None),
        ("project/.github/copilot/settings.json", False),
        ("project/.github/copilot/settings.local.json", False),
        ("project/.claude/settings.json", False),
    ],
)
def test_a_switch_that_turns_hooks_off_is_named(tmp_path, name, ok):
    path, where = tmp_path / name, (str(tmp_path / "home"), str(tmp_path / "project"))
    path.parent.mkdir(parents=True)
    path.write_text('{"disableAllHooks": true}')
    ((_, found, text),) = SETUP.findings({}, *where)
    assert found is ok and str(path) in text
    path.write_text('{"disableAllHooks": false}')
    assert list(SETUP.findings({}, *where)) == []
