"""Hosts by their documents: Cursor by what its hooks.json would run, then chibi. Neither client was run."""

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from repository import FIXTURES
from running.hostcalls import HostClient, recorded
from running.processes import finished

from compass.composition.gate import wire
from evaluator.errors import PayloadError
from evaluator.intervention.messages import HeldThing, held
from evaluator.model import KeptPrompt
from hooks import registry
from hooks.host import Host
from hooks.hosts.chibi import HOST as CHIBI
from hooks.hosts.chibi import LATER
from hooks.hosts.cursor import HOST as CURSOR

SETUP = CURSOR.setup()
PAYLOADS = recorded(FIXTURES / "hosts/cursor/payloads.jsonl")
SESSION = PAYLOADS[0]["conversation_id"]
WORDS = {name: word for word, name in CURSOR.EVENTS.items()}


class Editor(HostClient):
    def __init__(self, root: Path, host: Host = CURSOR):
        super().__init__(root, host)

    def record(self, *lines: str, nested: bool = True) -> Path:
        """The session's file, where Cursor would have it."""
        slug = "".join(letter if letter.isalnum() else "-" for letter in str(self.project)).lstrip("-")
        folder = self.home / ".cursor" / "projects" / slug / "agent-transcripts" / (SESSION if nested else "")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{SESSION}.jsonl"
        path.write_text("\n".join(lines) + "\n")
        return path

    def hook(self, payload: dict[str, Any], prefix: bytes = b"") -> dict[str, Any] | None:
        return self.fire(WORDS[payload["hook_event_name"]], payload, prefix)

    def says(self, prompt: str) -> dict[str, Any] | None:
        return self.hook({**PAYLOADS[1], "prompt": prompt})

    def calls(self, tool: str, number: str = "t", **given: str) -> dict[str, Any] | None:
        return self.hook({**PAYLOADS[2], "tool_name": tool, "tool_use_id": number, "tool_input": given})


editor = pytest.fixture(lambda tmp_path: Editor(tmp_path), name="editor")  # noqa: PLW0108 - a fixture's name


def line(role: str, text: str) -> str:
    said = f"<timestamp>now</timestamp>\n<user_query>\n{text}\n</user_query>" if role == "user" else text
    return json.dumps({"role": role, "message": {"content": [{"type": "text", "text": said}]}})


TALK = (line("user", "Look for dead code."), line("assistant", "I found src/a.py and src/b.py, both unused."))


@corpus(
    ("at", "tool", "given"),
    [
        (2, "Bash", {"command": "rm src/a.py"}),
        (3, "Write", {"file_path": "PROJECT/src/new.py", "content": "x = 1\n"}),
        (4, "Edit", {"file_path": "PROJECT/src/a.py", "old_string": "x", "new_string": "y"}),
        (6, "mcp__my_files__write_file", {"path": "PROJECT/n.md", "content": "n"}),
        (7, "Write", {"file_path": "PROJECT/src/a.py", "content": "y"}),
    ],
)
def test_a_call_is_told_in_compass_words(editor, at, tool, given):
    pending = editor.pending(PAYLOADS[at])
    wanted = {name: editor.filled(text) for name, text in given.items()}
    assert (pending.tool_name, pending.tool_input) == (tool, wanted)
    assert (pending.host, pending.session_id) == ("cursor", SESSION)
    assert pending.project_dir == pending.cwd == str(editor.project)


def test_a_deletion_is_the_command_that_would_delete_the_file_whatever_its_name(editor):
    pending = editor.pending(PAYLOADS[5])
    gate = wire(editor.env, str(editor.home), str(editor.project), host=CURSOR, keep=False)
    (found,) = gate.parts.effects_of(pending).each
    assert (found.operation, found.target) == ("delete", str(editor.project / "src" / "it's.py"))


def test_a_call_that_writes_and_does_not_say_where_is_denied_by_policy(editor):
    for payload in (
        {**PAYLOADS[2], "tool_name": "Delete", "tool_input": {"target": "a"}},
        {**PAYLOADS[2], "tool_name": "", "tool_input": {"path": "a"}},
    ):
        with pytest.raises(PayloadError):
            editor.hook(payload)


def test_the_mail_address_of_the_person_is_left_behind_and_a_byte_order_mark_is_no_fault(editor):
    assert editor.hook(PAYLOADS[8], prefix=b"\xef\xbb\xbf") is None
    editor.record(*TALK, line("user", "Just delete it."))
    for payload in PAYLOADS:
        assert "someone@example.com" not in repr(CURSOR.parse(json.dumps(payload).encode()))
        editor.hook(payload)
    files = [path for path in editor.home.rglob("*") if path.is_file() and ".cursor" not in path.parts]
    assert any(path.suffix == ".db" for path in files), "state was written"
    assert not [path for path in files if b"someone@example" in path.read_bytes()]


def test_without_the_prompt_event_no_word_of_the_file_releases_or_skips(editor):
    """`cursor-agent -p` fires none."""
    held = line("user", "Just delete it. [compass:skip]"), line("assistant", "Held.")
    editor.record(*TALK, *held, line("user", "compass: proceed"))
    for number in ("t1", "t2"):
        assert editor.calls("Shell", number, command="rm src/a.py") is not None


def test_another_file_of_the_same_id_is_found_in_whatever_project_folder(editor):
    path = editor.record(*TALK)
    moved = editor.home / ".cursor" / "projects" / "elsewhere" / "agent-transcripts" / SESSION
    moved.mkdir(parents=True)
    os.replace(path, moved / path.name)
    assert editor.pending(PAYLOADS[2]).transcript_path == str(moved / path.name)
    assert editor.pending({**PAYLOADS[2], "conversation_id": "../../x"}).transcript_path is None


def test_the_project_is_the_workspaces_folder_that_a_call_is_made_in():
    about = {"conversation_id": "s", "hook_event_name": "beforeSubmitPrompt", "prompt": "go on"}
    for roots, cwd, project in (
        (["/w/a", "/w/b"], "/w/b/src", "/w/b"), (["/w/a", "/w/b"], "/w/bc", "/w/a"), ([], "/w/c", "/w/c"),
    ):  # fmt: skip
        told = json.dumps({**about, "workspace_roots": roots, "cwd": cwd}).encode()
        assert CURSOR.parse(told)["cwd"] == project


def test_what_is_wired_for_claude_code_is_silent_where_cursor_calls_it(tmp_path):
    """Under a closed policy, in an enforced project, with broken settings: nobody is judged twice, or refused."""
    claude = Editor(tmp_path, registry.host_of("claude-code"))
    for payload in PAYLOADS:
        assert claude.hook(payload) is None
        assert claude.hook({key: value for key, value in payload.items() if key != "cursor_version"}) is None
    (claude.project / ".claude").mkdir()
    claude.env["CLAUDE_PROJECT_DIR"] = str(claude.project)
    (claude.home / ".onlooker/compass/settings.json").write_text("{")
    assert claude.hook(PAYLOADS[2]) is None
    assert not list(claude.home.rglob("*.db")), "nothing was kept"
    own = {"session_id": "s", "tool_name": "Bash", "tool_input": {"cursor_version": "1"}, "cwd": "/"}
    assert registry.host_of("claude-code").parse(json.dumps(own).encode()) == own, "it is judged as before"


def run(editor: Editor, found: dict[str, Any], payload: object, *, by_shell: bool):
    words = found["command"] if by_shell else shlex.split(found["command"])
    env = {**editor.env, "PATH": os.environ["PATH"], "COMPASS_SERVICE__ENABLED": "false"}
    stdin = editor.filled(json.dumps(payload))
    return finished(words, stdin, shell=by_shell, env=env, cwd="/", text=True)


def test_where_compass_says_nothing_cursors_own_words_are_printed_and_a_denial_as_it_is(editor):
    for event, at, answer, by_shell in (
        ("pre-tool-use", 8, {"permission": "allow"}, True),
        ("pre-tool-use", 8, {"permission": "allow"}, False),
        ("user-prompt-submit", 1, {"continue": True}, True),
    ):
        ran = run(editor, CURSOR.entry(event, editor.wiring()), PAYLOADS[at], by_shell=by_shell)
        assert (ran.returncode, json.loads(ran.stdout)) == (0, answer), ran.stderr
    ran = run(editor, CURSOR.entry("pre-tool-use", editor.wiring()), PAYLOADS[2], by_shell=False)
    denial = json.loads(ran.stdout)
    assert (ran.returncode, denial["permission"]) == (0, "deny") and "src/a.py" in denial["agent_message"]


@pytest.mark.parametrize("blocks", [True, False])
def test_a_program_that_is_missing_or_dies_is_answered_by_policy(editor, tmp_path, blocks):
    dying = tmp_path / "dying"
    dying.write_text("#!/bin/sh\necho '{\"permission\":'; kill -9 $$\n")
    dying.chmod(0o755)
    for interpreter in (str(tmp_path / "none"), str(dying)):
        found = CURSOR.entry("pre-tool-use", editor.wiring(blocks=blocks, interpreter=interpreter))
        ran = run(editor, found, PAYLOADS[3], by_shell=True)
        assert ran.returncode == (2 if blocks else 0)
        assert not blocks or (ran.stdout == "" and "Compass did not answer" in ran.stderr)
    prompt = CURSOR.entry("user-prompt-submit", editor.wiring(interpreter=str(tmp_path / "none")))
    ran = run(editor, prompt, PAYLOADS[1], by_shell=True)
    assert (ran.returncode, json.loads(ran.stdout)) == (0, {"continue": True})


def test_only_the_gates_entry_fails_closed_and_the_doctor_knows_an_event_that_would_void_the_file(editor):
    for blocks, closed in ((True, ["preToolUse"]), (False, [])):
        entries = SETUP.entries(editor.wiring(blocks=blocks))
        assert [name for name, one in entries.items() if one.get("failClosed")] == closed
    file, home = editor.home / ".cursor" / "hooks.json", str(editor.home)
    file.parent.mkdir()
    file.write_text(json.dumps({"hooks": {"beforeEverything": []}}))
    ((name, fine, text),) = SETUP.findings({}, home, home)
    assert (name, fine) == ("events", None) and "beforeEverything" in text
    file.write_text(json.dumps(SETUP.merge({}, SETUP.entries(editor.wiring()))))
    assert list(SETUP.findings({}, home, home)) == []


# chibi by its documented payloads, in this process and by the plugin as chibi's source calls it. Not tried there.

CHIBI_SETUP = CHIBI.setup()
CHIBI_PAYLOADS = recorded(FIXTURES / "hosts/chibi/payloads.jsonl")
HOOKS = {hook: event for event, hook in reversed(list(CHIBI.EVENTS.items()))}
HOOKS |= {"pre_file_write": "pre-tool-use", "pre_shell_exec": "pre-tool-use"}
CHIBI_FOUND = ("default", "I found two unused files: src/a.py and src/b.py.")


class Client(HostClient):
    """One process of chibi."""

    def __init__(self, root: Path):
        super().__init__(root, CHIBI, PWD="PROJECT", CHIBI_PROJECT_ROOT="PROJECT")
        self.parent = "4711-99"

    def wrapped(self, hook: str, data: object) -> dict[str, object]:
        return {"hook": hook, "parent": self.parent, "data": data}

    def hook(self, hook: str, data: object) -> dict[str, Any] | None:
        return self.fire(HOOKS[hook], self.wrapped(hook, data))

    def call(self, at: int):
        return self.pending(self.wrapped(CHIBI_PAYLOADS[at]["hook"], CHIBI_PAYLOADS[at]["data"]))

    def says(self, prompt: str):
        assert self.hook("pre_message", {"prompt": prompt, "context_name": "default", "summary": ""}) is None

    def runs(self, command: str) -> str:
        """Why it is held; empty where it is not."""
        found = self.hook("pre_shell_exec", {"tool_name": "shell_exec", "command": command}) or {}
        assert not found or set(found) == {"denied", "reason", "block", "message"}
        assert found == {} or (found["denied"] is found["block"] is True)
        assert found.get("reason") == found.get("message")
        return found.get("reason", "")

    def record(self, *lines: tuple[str, str]):
        """The context's file; each line is who spoke, and what."""
        folder = self.home / ".chibi" / "contexts" / "default"
        folder.mkdir(parents=True, exist_ok=True)
        entries = [
            {"from": who, "to": "x", "content": text if who == "default" else f"[20260306-1234+0000] {text}"}
            for who, text in lines
        ]
        text = "".join(json.dumps({**entry, "entry_type": "message"}) + "\n" for entry in entries)
        (folder / "context.jsonl").write_text(text)


client = pytest.fixture(lambda tmp_path: Client(tmp_path), name="client")  # noqa: PLW0108 - a fixture's name


@corpus(
    ("at", "tool", "given"),
    [
        (5, "mcp__vfs__write_file", {"path": "vfs:///shared/notes.md", "content": "n"}),
        (6, "mcp__vfs__delete_file", {"path": "vfs:///shared/notes.md"}),
        (7, "mcp__filesystem__write_file", {"path": "/tmp/n.md", "content": "n"}),
        (8, "REPL", {"code": "(+ 1 2)"}),
        (10, "Write", {"file_path": "src/new.py", "content": "x = 1\n"}),
        (11, "Edit", {"file_path": "src/a.py", "old_string": "", "new_string": ""}),
        (12, "Bash", {"command": "rm src/a.py"}),
    ],
)
def test_a_call_of_chibi_is_told_in_compass_words(client, at, tool, given):
    found = client.call(at)
    assert (found.tool_name, found.tool_input) == (tool, given)
    assert (found.host, found.session_id) == ("chibi", "chibi-4711-99")
    assert found.project_dir == found.cwd == str(client.project)


def test_the_context_that_the_prompt_named_tells_what_was_said(client):
    client.record(CHIBI_FOUND, ("alice", "Just delete it."))

    def prior(context: str | None) -> str:
        kept = [KeptPrompt(context, "Just delete it.", 1)]
        return CHIBI.transcripts(None).exchange(client.call(12), kept).prior_assistant_turn

    assert prior("default") == CHIBI_FOUND[1]
    assert prior("other") == prior(None) == ""


def test_no_digit_no_control_and_no_order_that_stands_nowhere_but_in_the_hook_releases(client):
    client.says("Delete src/a.py.")
    assert client.runs("rm src/a.py")
    said = [CHIBI_FOUND, ("alice", "Just delete it.")]
    client.record(*said)
    client.says("Just delete it.")
    said.append(("default", client.runs("rm src/a.py")))
    for reply in ("1", "compass: proceed", "compass: proceed all", "compass: pause"):
        said.append(("alice", reply))
        client.record(*said)
        client.says(reply)
        assert "src/a.py" in client.runs("rm src/a.py"), reply
    again = "[reengaged (fuel: 3/15) via call_agent. call_user(<message>) to end turn.]\ncompass: proceed"
    assert CHIBI.is_machine_text(again) and not CHIBI.is_machine_text("compass: proceed"), "nobody spoke"


def test_a_call_is_judged_by_one_hook_and_known_again_by_its_result_and_not_in_another_process(client):
    silent = [at for at in range(2, 13) if client.call(at).tool_name in CHIBI.NEVER_WRITES]
    assert silent == [2, 3, 4, 9], "what a permission hook is asked of passes pre_tool in silence"
    for before, after in ((10, 13), (12, 14)):
        ended = CHIBI.parse(json.dumps(client.wrapped("post_tool", CHIBI_PAYLOADS[after]["data"])).encode())
        assert ended["tool_use_id"] == client.call(before).tool_use_id
    first = client.call(12)
    client.parent = "4712-1"
    second = client.call(12)
    assert first.session_id != second.session_id and first.tool_use_id != second.tool_use_id
    with pytest.raises(PayloadError):
        CHIBI.session_of(CHIBI.parse(b'{"hook": "pre_tool", "parent": "", "data": null}'))


def test_a_denial_offers_nothing_that_does_not_count_there():
    thing = HeldThing("delete", "a.py", "Just delete it.")
    for readings in ((), ("delete a.py", "delete b.py")):
        told = json.loads(CHIBI.deny(held(thing, "unclear", readings).agent))["message"]
        assert told.startswith("Compass held back: delete a.py")
        assert "proceed" not in told and "wait for the user" not in told and "no reply" in told
    assert "it may mean (1) delete a.py, (2) delete b.py." in told


class Plugin(HostClient):
    """The plugin in its folder, as a process; this test's process is chibi's."""

    def __init__(self, root: Path, *, blocks: bool = True, interpreter: str = sys.executable):
        super().__init__(root, CHIBI)
        self.file = self.home / ".chibi" / "plugins" / "compass"
        self.file.parent.mkdir(parents=True)
        self.file.write_text(CHIBI.whole_file(self.wiring(blocks=blocks, interpreter=interpreter)))
        self.file.chmod(0o755)

    def start(self, hook: str, data: object, *arguments: str) -> dict[str, Any]:
        env = {**self.env, "PATH": os.environ["PATH"], "COMPASS_SERVICE__ENABLED": "false"}
        env |= {"CHIBI_HOOK": hook} if hook else {}
        # As serde_json writes it: keys sorted, no spaces.
        stdin = json.dumps(data, sort_keys=True, separators=(",", ":"))
        ran = finished([self.file, *arguments], stdin, env=env, cwd=self.project, text=True)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    def hook(self, at: int) -> dict[str, Any]:
        return self.start(CHIBI_PAYLOADS[at]["hook"], CHIBI_PAYLOADS[at]["data"])


def test_it_answers_the_hooks_of_its_schema_and_what_one_process_tells_is_one_session(tmp_path):
    plugin = Plugin(tmp_path)
    found = plugin.start("", None, "--schema")
    assert (found["name"], set(found["hooks"])) == ("compass", set(HOOKS))
    assert isinstance(found["description"], str) and isinstance(found["parameters"], dict)
    assert plugin.hook(0) == plugin.hook(1) == {}
    answer = plugin.hook(12)
    assert answer["denied"] is answer["block"] is True and "src/a.py" in answer["reason"]
    assert plugin.hook(4) == {}, "it is judged once, by the other hook"
    plugin.start("pre_message", {**CHIBI_PAYLOADS[1]["data"], "prompt": "Create src/new.py with x = 1."})
    assert plugin.hook(10) == plugin.hook(13) == plugin.hook(16) == {}
    assert plugin.start("some_later_hook", {}) == {}


@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("how", ["missing", "dies"])
def test_a_program_that_fails_is_answered_by_the_plugin_itself(tmp_path, how, blocks):
    program = tmp_path / "program"
    if how == "dies":
        program.write_text("#!/bin/sh\ncat >/dev/null; echo '{\"half\":'; kill -9 $$\n")
        program.chmod(0o755)
    plugin = Plugin(tmp_path, blocks=blocks, interpreter=str(program))
    for at in (12, 6):
        answer = plugin.hook(at)
        assert (answer.get("denied"), answer.get("block")) == ((True, True) if blocks else (None, None))
    for at in (1, 9, 13, 16):
        assert plugin.hook(at) == {}, "reads and reports are never refused"


def test_what_only_reads_starts_no_program_and_nothing_passes_for_it(tmp_path):
    plugin = Plugin(tmp_path, interpreter=str(tmp_path / "missing"))
    for name in (*sorted(CHIBI.NEVER_WRITES - {LATER}), "shell_exec"):
        assert plugin.start("pre_tool", {"arguments": {"a": 1}, "tool_name": name}) == {}
    for data in (
        {"arguments": {"z": {"a": 1, "tool_name": "file_head"}}, "tool_name": "fs_delete_file"},
        {"arguments": {"text": ',"tool_name":"file_head"}'}, "tool_name": "fs_delete_file"},
    ):
        assert plugin.start("pre_tool", data).get("block") is True


def test_the_file_is_ours_and_lies_where_chibi_is_told_to_look(tmp_path):
    plugin = Plugin(tmp_path)
    assert CHIBI_SETUP.is_own_file(plugin.file.read_text()) and CHIBI_SETUP.table.executable
    assert CHIBI_SETUP.user_file({}, str(plugin.home)) == str(plugin.file)
    assert list(CHIBI_SETUP.findings({}, str(plugin.home), "")) == []
    plugin.file.chmod(0o644)
    assert [fine for _, fine, _ in CHIBI_SETUP.findings({}, str(plugin.home), "")] == [False]
    assert CHIBI_SETUP.silent(0, b"{}\n")
