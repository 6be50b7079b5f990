"""Cursor by its documented payloads: what is judged, answered and kept. The client itself was not run."""

import json
import os
from pathlib import Path

import pytest
from corpora import corpus

from compass.composition.gate import wire
from compass.hook.dispatch import ErrorPolicy, handle
from evaluator.errors import PayloadError
from hooks import registry
from hooks.hosts.cursor import HOST

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "cursor"
PAYLOADS = [json.loads(line) for line in (FIXTURES / "payloads.jsonl").read_text().splitlines()]
SESSION = PAYLOADS[0]["conversation_id"]
WORDS = {name: word for word, name in HOST.EVENTS.items()}
HOLDS = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}


class Editor:
    """A home with the gate turned on for every project, and a project; hooks are called in process."""

    def __init__(self, root: Path, host=HOST) -> None:
        self.home, self.project, self.host = root / "home", root / "some.project", host
        settings = self.home / ".onlooker" / "compass" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(HOLDS))
        (self.project / "src").mkdir(parents=True)
        for name in ("a", "b"):
            (self.project / "src" / f"{name}.py").write_text("x = 1\n")
        self.env = {"HOME": str(self.home)}
        self.said: list[str] = []

    def record(self, *lines: str, nested: bool = True) -> Path:
        """The session's file, where Cursor would have it."""
        slug = "".join(letter if letter.isalnum() else "-" for letter in str(self.project)).lstrip("-")
        folder = self.home / ".cursor" / "projects" / slug / "agent-transcripts" / (SESSION if nested else "")
        folder.mkdir(parents=True)
        path = folder / f"{SESSION}.jsonl"
        path.write_text("\n".join(lines) + "\n")
        return path

    def filled(self, payload: dict) -> bytes:
        return json.dumps(payload).replace("PROJECT", str(self.project)).encode()

    def hook(self, payload: dict, prefix: bytes = b"") -> dict | None:
        """None where nothing is printed."""
        event = WORDS[payload["hook_event_name"]]
        policy = ErrorPolicy(event, self.env, "/", self.said.append, host=self.host)
        raw = handle(
            event,
            prefix + self.filled(payload),
            policy,
            "/",
            lambda: wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host),
        )
        return json.loads(raw) if raw else None

    def says(self, prompt: str) -> dict | None:
        return self.hook({**PAYLOADS[1], "prompt": prompt})

    def calls(self, tool: str, number: str = "t", **given: str) -> dict | None:
        return self.hook({**PAYLOADS[2], "tool_name": tool, "tool_use_id": number, "tool_input": given})

    def pending(self, payload: dict):
        return self.host.pending_write(self.host.parse(self.filled(payload)), self.env)


def new_editor(tmp_path: Path) -> Editor:
    return Editor(tmp_path)


editor = pytest.fixture(new_editor, name="editor")


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
    each={"editor": new_editor},
)
def test_a_call_is_told_in_compass_words(editor: Editor, at: int, tool: str, given: dict) -> None:
    pending = editor.pending(PAYLOADS[at])
    wanted = {name: text.replace("PROJECT", str(editor.project)) for name, text in given.items()}
    assert (pending.tool_name, pending.tool_input) == (tool, wanted)
    assert (pending.host, pending.session_id) == ("cursor", SESSION)
    assert pending.project_dir == pending.cwd == str(editor.project)


def test_a_deletion_is_the_command_that_would_delete_the_file_whatever_its_name(editor: Editor) -> None:
    pending = editor.pending(PAYLOADS[5])
    gate = wire(editor.env, str(editor.home), str(editor.project), host=HOST, keep=False)
    found = gate.parts.effects_of(pending)
    assert found is not None
    assert [(one.operation, one.target) for one in found.each] == [
        ("delete", str(editor.project / "src" / "it's.py"))
    ]


def test_a_call_that_writes_and_does_not_say_where_is_denied_by_policy(editor: Editor) -> None:
    for payload in (
        {**PAYLOADS[2], "tool_name": "Delete", "tool_input": {"target": "a"}},
        {**PAYLOADS[2], "tool_name": "", "tool_input": {"path": "a"}},
    ):
        with pytest.raises(PayloadError):
            editor.hook(payload)


def test_the_mail_address_of_the_person_is_left_behind(editor: Editor) -> None:
    editor.record(*TALK, line("user", "Just delete it."))
    for payload in PAYLOADS:
        assert "someone@example.com" not in repr(HOST.parse(editor.filled(payload)))
        editor.hook(payload)
    files = [path for path in editor.home.rglob("*") if path.is_file() and ".cursor" not in path.parts]
    assert any(path.suffix == ".db" for path in files), "state was written"
    assert not [path for path in files if b"someone@example" in path.read_bytes()]


def test_a_byte_order_mark_is_no_fault(editor: Editor) -> None:
    assert editor.hook(PAYLOADS[8], prefix=b"\xef\xbb\xbf") is None


@pytest.mark.parametrize("nested", [True, False])
def test_an_ambiguous_deletion_is_held_by_what_the_session_file_tells(editor: Editor, nested: bool) -> None:
    editor.record(*TALK, line("user", "Just delete it."), nested=nested)
    editor.says("Just delete it.")
    found = editor.calls("Shell", command="rm src/a.py")
    assert found is not None and found["permission"] == "deny"
    assert set(found) == {"permission", "user_message", "agent_message"}
    assert "src/a.py" in found["agent_message"] and found["user_message"]


def test_a_clear_call_gets_no_answer_of_the_adapter(editor: Editor) -> None:
    editor.record(*TALK, line("user", "Delete src/a.py."))
    editor.says("Delete src/a.py.")
    assert editor.calls("Shell", command="rm src/a.py") is None
    assert editor.says("Create src/new.py with x = 1.") is None


def test_a_digit_releases_what_was_held(editor: Editor) -> None:
    path = editor.record(*TALK, line("user", "Just delete it."))
    editor.says("Just delete it.")
    first = editor.calls("Delete", "t1", path="src/a.py")
    assert first is not None and "(1)" in first["agent_message"]
    listed = first["user_message"].splitlines()
    number = next(text.strip()[0] for text in listed if text.strip()[:2] in ("1.", "2.") and "a.py" in text)
    path.write_text(
        "\n".join(
            [
                *TALK,
                line("user", "Just delete it."),
                line("assistant", first["agent_message"]),
                line("user", number),
            ]
        )
        + "\n"
    )
    editor.says(number)
    assert editor.calls("Delete", "t2", path="src/a.py") is None


def test_without_the_prompt_event_no_word_of_the_file_releases_or_skips(editor: Editor) -> None:
    """`cursor-agent -p` fires none."""
    editor.record(
        *TALK,
        line("user", "Just delete it. [compass:skip]"),
        line("assistant", "Held."),
        line("user", "compass: proceed"),
    )
    assert editor.calls("Shell", "t1", command="rm src/a.py") is not None
    assert editor.calls("Shell", "t2", command="rm src/a.py") is not None


def test_an_order_that_stands_nowhere_but_in_the_hook_destroys_nothing(editor: Editor) -> None:
    editor.says("Delete src/a.py.")
    found = editor.calls("Shell", command="rm src/a.py")
    assert found is not None and found["permission"] == "deny"


def test_another_file_of_the_same_id_is_found_in_whatever_project_folder(editor: Editor) -> None:
    path = editor.record(*TALK)
    moved = editor.home / ".cursor" / "projects" / "elsewhere" / "agent-transcripts" / SESSION
    moved.mkdir(parents=True)
    os.replace(path, moved / path.name)
    assert editor.pending(PAYLOADS[2]).transcript_path == str(moved / path.name)
    assert editor.pending({**PAYLOADS[2], "conversation_id": "../../x"}).transcript_path is None


def test_the_session_file_of_the_fixtures(editor: Editor) -> None:
    pending = editor.pending({**PAYLOADS[2], "transcript_path": str(FIXTURES / "transcript.jsonl")})
    found = HOST.transcripts(None).exchange(pending, ())
    assert found.request == ("Just delete it.",)
    assert found.prior_assistant_turn == "I found two unused files: src/a.py and src/b.py."


def test_what_is_wired_for_claude_code_is_silent_where_cursor_calls_it(tmp_path: Path) -> None:
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


def test_a_payload_of_claude_codes_own_is_judged_as_before(tmp_path: Path) -> None:
    claude = registry.host_of("claude-code")
    own = {"session_id": "s", "tool_name": "Bash", "tool_input": {"cursor_version": "1"}, "cwd": "/"}
    assert claude.parse(json.dumps(own).encode()) == own
