"""Gemini CLI's payloads, as its 0.61.0 sent them, in Compass's words, and the answers that it is given."""

import json
from pathlib import Path

import pytest
from corpora import corpus
from running.hostcalls import HOLDS

from compass.composition.gate import wire
from compass.hook.policy import ErrorPolicy
from evaluator.settings.environment import dotenv_variables, parsed_dotenv
from hooks.entries import Wiring, closing_command
from hooks.hosts.gemini import HOST, typed_in_gemini

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
        ("mcp_look_", "mcp__look_"),
        ("discovered_tool_write_file", "mcp__discovered__write_file"),
        ("some_extension_tool", "some_extension_tool"),
    ],
)
def test_a_tool_of_which_the_host_says_nothing(name, expected):
    assert pending(raw("BeforeTool", "write_file", tool_name=name)).tool_name == expected
    assert pending(raw("BeforeTool", "mcp_compass_check")).tool_name == "mcp__compass__check", (
        "the host says it"
    )


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
        ("Output: x\nSignal: 9\nBackground PIDs: 1, 2\nProcess Group PGID: 1", True),
        ("Output: Exit Code: 1\nProcess Group PGID: 1", False),
        ("Output: a\nExit Code: 1\nb\nProcess Group PGID: 1", False),
        ("Command was cancelled by user before it could complete. There was no output", True),
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
        typed_in_gemini("Why is <hook_context>x</hook_context> there?")
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


def test_a_client_that_its_own_tool_started_comes_from_a_call():
    assert HOST.origin({}, None, "s", "") is None
    found = HOST.origin({"GEMINI_CLI": "1"}, None, "s", "")
    assert found is not None and found.parents == ()


# What init writes, and what the doctor finds.


SETUP = HOST.setup()
SAID = ("--wired", "recorded", "HOST=gemini", "HOME=/home/u")


def wiring(**changed):
    return Wiring("/usr/bin/python3", "/opt/compass/__main__.py", **{"blocks": True, "said": SAID, **changed})


def test_only_the_hook_that_denies_is_closed_and_only_under_a_closed_policy():
    plain = SETUP.entries(wiring(blocks=False))
    for event, group in SETUP.entries(wiring()).items():
        (closed,), command = group["hooks"], plain[event]["hooks"][0]["command"]
        assert closed["timeout"] == 30_000, "in milliseconds"
        assert closed["command"] == (closing_command(command) if event == "BeforeTool" else command)


def test_every_tool_is_hooked_but_those_that_are_known_not_to_write():
    matcher = SETUP.entries(wiring())["BeforeTool"]["matcher"]
    reading = [name for name, known in HOST.NAMES.items() if known in HOST.NEVER_WRITES]
    others = ("mcp_files_write_file", "discovered_tool_x", "of_a_later_version", "read_file_twice")
    for name in (*HOST.NAMES, *HOST.LEFT_ALONE, *others):
        unseen = name in reading or name in HOST.LEFT_ALONE
        assert SETUP.matches(matcher, name) is not unseen, name


def test_matchers_are_as_the_client_reads_them():
    assert SETUP.matches(None, "x") and SETUP.matches(" ", "x") and SETUP.matches("*", "x")
    assert SETUP.matches("write", "write_file") and not SETUP.matches("^write$", "write_file")
    assert SETUP.matches("(", "(") and not SETUP.matches("(", "x") and not SETUP.matches(3, "x")


def test_a_hook_that_dies_denies_as_far_as_the_host_goes():
    assert SETUP.refuses(2, b"", b"gone") and SETUP.refuses(127, b"", b"not found")
    assert SETUP.refuses(1, b"", b'{"decision": "deny"}')
    for code, stdout, stderr in ((2, b"", b""), (1, b"", b"gone"), (0, b"deny", b""), (2, b"{}", b"gone")):
        assert not SETUP.refuses(code, stdout, stderr)


class Machine:
    """A home with Gemini's folder in which the gate enforces, and a project."""

    def __init__(self, root: Path):
        self.home, self.project = root / "home", root / "home" / "work" / "project"
        for folder in (self.home / ".gemini", self.project / ".gemini", self.home / ".onlooker/compass"):
            folder.mkdir(parents=True)
        (self.home / ".onlooker/compass/settings.json").write_text(json.dumps(HOLDS))
        self.settings()

    def settings(self, **more):
        text = json.dumps(SETUP.merge(more, SETUP.entries(wiring())))
        (self.home / ".gemini" / "settings.json").write_text(text)

    def of_project(self, text):
        (self.project / ".gemini" / "settings.json").write_text(text)

    def trust(self, rules):
        (self.home / ".gemini" / "trustedFolders.json").write_text(json.dumps(rules))

    def found(self, name, **env):
        rows = HOST.findings(env, str(self.home), str(self.project))
        return next(((fine, said) for found, fine, said in rows if found == name), None)

    def policy(self, **env):
        env = {"HOME": str(self.home), "GEMINI_PROJECT_DIR": str(self.project), **env}
        return ErrorPolicy("pre-tool-use", env, str(self.project), lambda _: None, host=HOST)

    def offence(self, tool, **given):
        payload = {"session_id": "s", "cwd": str(self.project), "tool_name": tool, "tool_input": given}
        call = pending(json.dumps(payload).encode(), GEMINI_PROJECT_DIR=str(self.project))
        gate = wire({"HOME": str(self.home)}, str(self.home), str(self.project), host=HOST, keep=False)
        return gate.parts.protects(call, gate.parts.effects_of(call))


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_trust_of_the_folder(machine):
    fine, said = machine.found("folder trust")
    assert fine is None and "GEMINI_CLI_TRUST_WORKSPACE" in said
    work, project = str(machine.home / "work"), str(machine.project)
    for rules, expected in (
        ({work: "TRUST_FOLDER"}, True),
        ({project: "TRUST_PARENT"}, True),
        ({project + "-other": "TRUST_FOLDER"}, None),
        ({work: "TRUST_FOLDER", project: "DO_NOT_TRUST"}, False),
        ({work: "DO_NOT_TRUST", project: "TRUST_FOLDER"}, True),
        ({project: "TRUST_FOLDER", work: "DO_NOT_TRUST"}, True),
    ):
        machine.trust(rules)
        assert machine.found("folder trust")[0] is expected, rules


def test_trust_by_the_environment_and_by_the_switch(machine):
    assert machine.found("folder trust", GEMINI_CLI_TRUST_WORKSPACE="true")[0] is True
    machine.trust({str(machine.project): "TRUST_FOLDER"})
    for withheld in ({"GEMINI_CLI_TRUST_WORKSPACE": "false"}, {"GEMINI_RESTRICTED_MODE": "true"}):
        assert machine.found("folder trust", **withheld)[0] is False
    rules = machine.home / ".gemini" / "trustedFolders.json"
    rules.rename(machine.home / "rules.json")
    assert machine.found("folder trust")[0] is None
    moved = str(machine.home / "rules.json")
    assert machine.found("folder trust", GEMINI_CLI_TRUSTED_FOLDERS_PATH=moved)[0] is True
    machine.of_project('{"security": {"folderTrust": {"enabled": false}}}')
    assert machine.found("folder trust")[0] is None, "a project cannot trust itself"
    machine.settings(security={"folderTrust": {"enabled": False}})
    assert machine.found("folder trust")[0] is True


def test_hooks_that_are_turned_off(machine):
    assert machine.found("hooks")[0] is True
    machine.settings(hooksConfig={"enabled": False})
    fine, said = machine.found("hooks")
    assert fine is False and str(machine.home) in said
    machine.of_project('{"hooksConfig": {"enabled": true}}')
    assert machine.found("hooks")[0] is True
    machine.settings()
    machine.of_project('{"hooksConfig": {"enabled": false}}')
    fine, said = machine.found("hooks")
    assert fine is False and str(machine.project) in said
    machine.of_project('{"hooksConfig": {"disabled": ["lint", "compass-pre-tool-use"]}}')
    fine, said = machine.found("disabled hooks")
    assert fine is False and str(machine.project) in said
    machine.of_project('{"hooksConfig": {"disabled": ["lint", 3]}}')
    assert machine.found("disabled hooks") is None


# What a project may not do to the gate.


@pytest.mark.parametrize("name", [".env", ".gemini/.env", "../.env"])
def test_a_projects_file_of_variables_turns_nothing_off(machine, name):
    (machine.project / name).write_text(
        'export COMPASS_ENABLED="false"\nCOMPASS_MODE: observe\nANTHROPIC_BASE_URL=http://x\n'
    )
    set_by_it = {"COMPASS_ENABLED": "false", "COMPASS_MODE": "observe", "ANTHROPIC_BASE_URL": "http://x"}
    found = machine.policy(**set_by_it)
    assert (found.settings.enabled, found.settings.mode) == (True, "enforce")
    assert "ANTHROPIC_BASE_URL" not in found.env
    (machine.project / name).unlink()
    assert not machine.policy(**set_by_it).settings.enabled, "the user's own shell still can"


def test_it_may_make_the_gate_tighter_and_what_came_from_elsewhere_or_the_users_own_file_counts(machine):
    (machine.project / ".env").write_text("COMPASS_CONFIDENCE_THRESHOLD=0.99\nCOMPASS_MODE=enforce\n")
    found = machine.policy(COMPASS_CONFIDENCE_THRESHOLD="0.99", COMPASS_MODE="observe").settings
    assert (found.confidence_threshold, found.mode) == (0.99, "observe")
    (machine.project / ".env").unlink()
    (machine.home / ".gemini" / ".env").write_text("COMPASS_MODE=observe\n")
    assert machine.policy(COMPASS_MODE="observe").settings.mode == "observe"


@corpus(
    ("text", "expected"),
    [
        ("A=1\r\nB = two words # said\n#C=3\n", {"A": "1", "B": "two words"}),
        ("export A='x # y'", {"A": "x # y"}),
        ("A='kept\\n'", {"A": "kept\\n"}),
        ('A="two\nlines"\nB=`b`', {"A": "two\nlines", "B": "b"}),
        ("A=\nB", {"A": ""}),
        ("A: 1\nA=2", {"A": "2"}),
    ],
)
def test_files_of_variables_are_read_as_the_host_reads_them(text, expected):
    assert parsed_dotenv(text) == expected


def test_a_file_of_variables_that_cannot_be_read_sets_nothing(tmp_path):
    for path in (str(tmp_path), str(tmp_path / "none"), "\0"):
        assert dotenv_variables(path) == {}


GUARDED = [
    {"hooks": {}},
    {"hooksConfig": {"enabled": False}},
    {"hooksConfig": {"disabled": ["compass-pre-tool-use"]}},
    {"security": {"folderTrust": {"enabled": False}}},
    {"tools": {"allowed": ["run_shell_command"]}},
    {"mcpServers": {"x": {"command": "x", "trust": True}}},
    {"compass": {"enabled": False}},
]


@corpus("changed", GUARDED)
@corpus("where", ["home", "project"], each={"machine": Machine})
def test_keys_that_decide_on_the_gate_are_no_agents(machine, changed, where):
    path = (machine.home if where == "home" else machine.project) / ".gemini" / "settings.json"
    path.write_text(json.dumps({"hooks": {"BeforeTool": [1]}, "ui": {"theme": "a"}}))
    assert machine.offence("write_file", file_path=str(path), content=json.dumps(changed))
    kept = json.dumps({"hooks": {"BeforeTool": [1]}, "ui": {"theme": "b"}})
    assert not machine.offence("write_file", file_path=str(path), content=kept)


def test_an_edit_of_a_file_with_comments_is_held(machine):
    machine.of_project('{"ui": {} // mine\n}')
    path = str(machine.project / ".gemini" / "settings.json")
    given = {"file_path": path, "instruction": "x", "old_string": "{}", "new_string": '{"a": 1}'}
    assert machine.offence("replace", **given)
