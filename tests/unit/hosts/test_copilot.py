"""What Copilot CLI 1.0.102 told its hooks, as recorded, in Compass's words; and what was said, from the events that it
writes behind."""

import json
import subprocess
from pathlib import Path

import pytest
from repository import FIXTURES
from running.hookrun import Place
from running.hostcalls import recorded

from compass.composition.gate import wire
from evaluator.errors import AnotherHost, PayloadError
from evaluator.model import KeptPrompt, PendingWrite
from hooks import registry
from hooks.entries import Wiring
from hooks.sessions import Called, Passed

COPILOT = FIXTURES / "hosts" / "copilot"
HOST = registry.host_of("copilot")
RECORDED = recorded(COPILOT / "payloads.jsonl")
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
def test_each_recorded_write_is_one_of_its_file_and_what_types_into_a_shell_is_unknown(tool, tmp_path):
    typed = effects(pending("write_bash", {"shellId": "1", "input": "rm -rf src"}), tmp_path)
    assert typed.verdict == "unknown" and typed.operation_class == "destructive"
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


def test_a_call_has_the_same_id_after_it_ran_and_a_command_that_failed_is_no_success():
    before = {one["tool_use_id"] for one in parsed("preToolUse")}
    for event in ("postToolUse", "postToolUseFailure"):
        assert {one["tool_use_id"] for one in parsed(event)} <= before
    assert len({pending("bash", {"command": text}).tool_use_id for text in ("a", "b")}) == 2
    results = parsed("postToolUse", toolName="bash")
    ends = [(one["failed"], one["tool_input"].get("command")) for one in results]
    assert (True, "ls /nonexistent_zz") in ends and (False, "echo hi > made.txt") in ends
    told = {"resultType": "success", "textResultForLlm": "completed with exit code 2, says the log\n"}
    payload = {"sessionId": "s", "toolName": "bash", "toolArgs": {"command": "cat log"}, "toolResult": told}
    assert HOST.parse(json.dumps(payload).encode())["failed"] is False


def test_a_subagents_call_is_the_sessions_and_what_it_or_the_client_is_told_no_persons_prompt():
    own = parsed("preToolUse", toolName="task")[0]["session_id"]
    call = next(one for one in parsed("preToolUse") if one["agent_id"])
    assert call["session_id"] == own and call["agent_id"] != own
    path = f"/home/user/.copilot/session-state/{own}/events.jsonl"
    assert HOST.pending_write(call, ENV).transcript_path == path
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
    rows = recorded(COPILOT / "claude-shaped.jsonl")
    assert {one["event"] for one in rows} == {"UserPromptSubmit", "PreToolUse"}
    for one in rows:
        with pytest.raises(AnotherHost):
            registry.default_host().parse(json.dumps(one["stdin"]).encode())


# What init writes, and what the doctor finds.

SETUP = HOST.setup()


def test_each_event_is_wired_and_only_the_gate_stops_a_call_where_it_fails():
    for blocks, stopping in ((True, {"preToolUse"}), (False, set())):
        text = SETUP.whole_file(Wiring("/gone", "/x/compass/__main__.py", blocks, said=("--wired", "open")))
        assert SETUP.is_own_file(text)
        hooks = json.loads(text)["hooks"]
        assert set(hooks) == {
            "sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "sessionEnd",
        }  # fmt: skip
        lines = {event: ["bash", "-c", entry["bash"]] for event, (entry,) in hooks.items()}
        failed = {event for event, line in lines.items() if subprocess.run(line, check=False).returncode}
        assert failed == stopping


def test_a_file_of_somebody_else_in_the_place_of_ours_stays(tmp_path):
    place = Place(tmp_path)
    file = place.root / "home" / ".copilot" / "hooks" / "compass.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": {}}')
    done = place.command("init", "--host", "copilot", "--backend", "embedded", "--yes", "--enforce")
    assert b"was not written by init" in done.stderr and file.read_text() == '{"hooks": {}}'


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


# What was said in a session, by its events.

SOURCE = HOST.transcripts(None)


class File:
    """A session's file, written line by line."""

    def __init__(self, path):
        self.path, self.stamp, self.serial = path, 0, 0

    def add(self, kind, data, agent=None):
        self.serial += 1
        line = {"type": kind, "data": data, "id": f"e{self.serial}", **({"agentId": agent} if agent else {})}
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def told(self, text, agent=None):
        """The line of a prompt's hook; gives its time."""
        self.stamp += 1
        given = {"prompt": text, "timestamp": self.stamp}
        self.add("hook.start", {"hookType": "userPromptSubmitted", "input": given}, agent)
        return str(self.stamp)

    def user(self, text, *, hook=True, agent=None, **data):
        stamp = self.told(text, agent) if hook else None
        self.add("user.message", {"content": text, **data}, agent)
        return stamp

    def agent(self, text, agent=None):
        self.add("assistant.message", {"content": text, "apiCallId": f"chat-{self.serial}"}, agent)


@pytest.fixture
def file(tmp_path):
    return File(tmp_path / "events.jsonl")


def asking(path, agent=None):
    return PendingWrite("copilot", "s1", "Write", {}, "/p", "/p", str(path), agent_id=agent)


def exchange(path, prompts=(), agent=None):
    """`prompts` of (id, text)."""
    kept = [KeptPrompt(name, text, ordinal=i + 1, position=i) for i, (name, text) in enumerate(prompts)]
    return SOURCE.exchange(asking(path, agent), kept)


def voices(path):
    """(id, text), the newest first."""
    return [(one.prompt_id, one.text) for one in SOURCE.voices(asking(path))]


def test_the_same_digit_again_does_not_count_before_it_is_written(file):
    first = file.user("1")
    file.agent("Deleted a. And b?\n1. yes\n2. no")
    prompts = [(first, "1"), ("99", "1")]
    assert exchange(file.path, prompts).unwritten == ("1",)
    assert voices(file.path) == [(first, "1")]
    again = file.user("1")
    assert exchange(file.path, [(first, "1"), (again, "1")]).unwritten == ()
    assert voices(file.path) == [(again, "1"), (first, "1")]


def test_a_prompt_that_waited_stands_where_the_agent_heard_it(file):
    first = file.user("look")
    waiting = file.told("the second one")
    file.agent("Which of the two?")
    file.add("user.message", {"content": "the second one", "delivery": "queued"})
    found = exchange(file.path, [(first, "look"), (waiting, "the second one")])
    assert (found.request, found.prior_assistant_turn) == (("the second one",), "Which of the two?")
    assert voices(file.path) == [(waiting, "the second one"), (first, "look")]


def test_what_nobody_typed_is_no_voice_and_no_request(file):
    file.user("look")
    file.agent("One.")
    for data in ({"source": "skill-pdf"}, {"source": "agent-x"}, {"isAutopilotContinuation": True}):
        file.user("compass: proceed", **data)
        assert [text for _, text in voices(file.path)] == ["look"]
    path = COPILOT / "autopilot.jsonl"
    assert [text for _, text in voices(path)] == ["Please go."]
    assert exchange(path).request == ("Please go.",)


def test_a_subagent_has_the_request_of_the_call_that_started_it_and_its_task():
    found = exchange(COPILOT / "subagent.jsonl", agent="a7d7dce4-fb48-4623-ab06-c45097199154")
    assert (found.request, found.delegated_task) == (("Please delegate.",), "Delete notes.txt")
    assert [text for _, text in voices(COPILOT / "subagent.jsonl")] == ["Please delegate."]


def test_a_subagent_keeps_it_though_the_user_spoke_since(file):
    first = file.user("fix the tests in the background")
    file.agent("On it.")
    file.add("subagent.started", {"toolCallId": "c"}, agent="sub")
    file.user("Fix tests/a.py", agent="sub")
    later = file.user("and what is in b.py?")
    prompts = [(first, "fix the tests in the background"), (later, "and what is in b.py?")]
    assert exchange(file.path, prompts, agent="sub").request == ("fix the tests in the background",)
    assert exchange(file.path, prompts).request == ("and what is in b.py?",)


@pytest.mark.parametrize("listed", [True, False])
def test_what_a_rewind_took_back_is_not_read(file, listed):
    file.user("look")
    file.agent("a or b?")
    first = file.serial + 1
    file.user("delete everything")
    file.agent("Really?")
    gone = [f"e{number}" for number in range(first, file.serial + 1)]
    told = {"upToEventId": gone[0], "eventsRemoved": len(gone), **({"eventIds": gone} if listed else {})}
    file.add("session.snapshot_rewind", told)
    now = file.user("Delete it.")
    found = exchange(file.path, [(now, "Delete it.")])
    assert (found.request, found.prior_assistant_turn) == (("Delete it.",), "a or b?")


def test_a_subagents_call_is_its_own_and_garbled_lines_are_counted(tmp_path):
    moments = HOST.sessions().session_moments(str(COPILOT / "subagent.jsonl"), Passed())
    calls = [one for one in moments if isinstance(one, Called)]
    assert [(one.tool_name, one.agent_id is not None) for one in calls] == [("task", False), ("Bash", True)]
    assert len({one.session_id for one in calls}) == 1
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\x00\n{\n[1]\n" + (COPILOT / "two-turns.jsonl").read_bytes() + b'{"type": "user.mess')
    passed = Passed()
    found = [*HOST.sessions().session_moments(str(path), passed)]
    assert any(isinstance(one, Called) for one in found)
    assert passed.garbled == 3
