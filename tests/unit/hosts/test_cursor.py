"""Cursor by its documented payloads and by what its hooks.json would run. The client itself was not run."""

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest
from corpora import corpus
from repository import FIXTURES
from running.hostcalls import HostClient, recorded
from running.processes import finished

from compass.composition.gate import wire
from evaluator.errors import PayloadError
from hooks import registry
from hooks.host import Host
from hooks.hosts.cursor import HOST

SETUP = HOST.setup()
PAYLOADS = recorded(FIXTURES / "hosts/cursor/payloads.jsonl")
SESSION = PAYLOADS[0]["conversation_id"]
WORDS = {name: word for word, name in HOST.EVENTS.items()}


class Editor(HostClient):
    def __init__(self, root: Path, host: Host = HOST):
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
    gate = wire(editor.env, str(editor.home), str(editor.project), host=HOST, keep=False)
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
        assert "someone@example.com" not in repr(HOST.parse(json.dumps(payload).encode()))
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
        assert HOST.parse(told)["cwd"] == project


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
        ran = run(editor, HOST.entry(event, editor.wiring()), PAYLOADS[at], by_shell=by_shell)
        assert (ran.returncode, json.loads(ran.stdout)) == (0, answer), ran.stderr
    ran = run(editor, HOST.entry("pre-tool-use", editor.wiring()), PAYLOADS[2], by_shell=False)
    denial = json.loads(ran.stdout)
    assert (ran.returncode, denial["permission"]) == (0, "deny") and "src/a.py" in denial["agent_message"]


@pytest.mark.parametrize("blocks", [True, False])
def test_a_program_that_is_missing_or_dies_is_answered_by_policy(editor, tmp_path, blocks):
    dying = tmp_path / "dying"
    dying.write_text("#!/bin/sh\necho '{\"permission\":'; kill -9 $$\n")
    dying.chmod(0o755)
    for interpreter in (str(tmp_path / "none"), str(dying)):
        found = HOST.entry("pre-tool-use", editor.wiring(blocks=blocks, interpreter=interpreter))
        ran = run(editor, found, PAYLOADS[3], by_shell=True)
        assert ran.returncode == (2 if blocks else 0)
        assert not blocks or (ran.stdout == "" and "Compass did not answer" in ran.stderr)
    prompt = HOST.entry("user-prompt-submit", editor.wiring(interpreter=str(tmp_path / "none")))
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
