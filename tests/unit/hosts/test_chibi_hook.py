"""chibi by its documented payloads, as the plugin wraps them: what is judged, answered and kept. Not tried there."""

import json
from pathlib import Path

import pytest
from corpora import corpus

from compass.composition.effects import explain, join_programs
from compass.composition.gate import wire
from compass.hook.dispatch import ErrorPolicy, handle
from compass.hook.entry import is_silent
from evaluator.errors import PayloadError
from hooks.hosts.chibi import HOOKS, HOST

FIXTURES = Path(__file__).parents[3] / "fixtures" / "hosts" / "chibi"
PAYLOADS = [json.loads(line) for line in (FIXTURES / "payloads.jsonl").read_text().splitlines()]
HOLDS = {"compass": {"enabled": True, "mode": "enforce", "evaluator": {"backend": "embedded"}}}


class Client:
    """A home with the gate turned on, a project, and one process of chibi, whose hooks are called in this one."""

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        settings = self.home / ".onlooker" / "compass" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(HOLDS))
        (self.project / "src").mkdir(parents=True)
        for name in ("a", "b"):
            (self.project / "src" / f"{name}.py").write_text("x = 1\n")
        self.env = {
            "HOME": str(self.home),
            "PWD": str(self.project),
            "CHIBI_PROJECT_ROOT": str(self.project),
        }
        self.parent = "4711-99"

    def wrapped(self, hook: str, data: object) -> bytes:
        text = json.dumps({"hook": hook, "parent": self.parent, "data": data})
        return text.replace("PROJECT", str(self.project)).replace("HOME", str(self.home)).encode()

    def hook(self, hook: str, data: object, event: str = "") -> dict | None:
        """None where nothing is printed."""
        event = event or HOOKS[hook]
        policy = ErrorPolicy(event, self.env, "/", lambda _: None, host=HOST)
        raw = handle(
            event,
            self.wrapped(hook, data),
            policy,
            str(self.project),
            lambda: wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host),
        )
        return json.loads(raw) if raw else None

    def says(self, prompt: str) -> None:
        assert self.hook("pre_message", {"prompt": prompt, "context_name": "default", "summary": ""}) is None

    def runs(self, command: str) -> dict | None:
        return self.hook("pre_shell_exec", {"tool_name": "shell_exec", "command": command})

    def record(self, *lines: tuple[str, str]) -> None:
        """The context's file; each line is who spoke, and what."""
        folder = self.home / ".chibi" / "contexts" / "default"
        folder.mkdir(parents=True, exist_ok=True)
        entries = [
            {"from": who, "to": "x", "content": text if who == "default" else f"[20260306-1234+0000] {text}"}
            for who, text in lines
        ]
        text = "".join(json.dumps({**entry, "entry_type": "message"}) + "\n" for entry in entries)
        (folder / "context.jsonl").write_text(text)


def new_client(tmp_path: Path) -> Client:
    return Client(tmp_path)


client = pytest.fixture(new_client, name="client")


FOUND = ("default", "I found two unused files: src/a.py and src/b.py.")


def pending(client: Client, at: int):
    found = PAYLOADS[at]
    return HOST.pending_write(HOST.parse(client.wrapped(found["hook"], found["data"])), client.env)


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
    each={"client": new_client},
)
def test_a_call_is_told_in_compass_words(client: Client, at: int, tool: str, given: dict) -> None:
    found = pending(client, at)
    assert (found.tool_name, found.tool_input) == (tool, given)
    assert (found.host, found.session_id) == ("chibi", "chibi-4711-99")
    assert found.project_dir == found.cwd == str(client.project)


def test_no_call_is_judged_by_two_hooks(client: Client) -> None:
    """What a permission hook is asked of passes pre_tool in silence, and is judged there."""
    judged = {at: pending(client, at).tool_name not in HOST.NEVER_WRITES for at in range(2, 13)}
    assert [at for at, does in judged.items() if not does] == [2, 3, 4, 9]


def test_an_ambiguous_deletion_is_denied_in_the_words_of_both_kinds_of_hooks(client: Client) -> None:
    client.record(("alice", "Look for dead code."), FOUND, ("alice", "Just delete it."))
    client.says("Just delete it.")
    found = client.runs("rm src/a.py")
    assert found is not None and set(found) == {"denied", "reason", "block", "message"}
    assert found["denied"] is found["block"] is True
    assert found["reason"] == found["message"] and "src/a.py" in found["reason"]


def test_a_clear_call_is_let_through(client: Client) -> None:
    client.record(("alice", "Delete src/a.py."))
    client.says("Delete src/a.py.")
    assert client.runs("rm src/a.py") is None
    client.says("Create src/new.py with x = 1.")
    assert client.hook("pre_file_write", PAYLOADS[10]["data"]) is None
    assert client.hook("post_tool", PAYLOADS[13]["data"]) is None


def test_no_digit_and_no_control_releases(client: Client) -> None:
    client.record(FOUND, ("alice", "Just delete it."))
    client.says("Just delete it.")
    first = client.runs("rm src/a.py")
    assert first is not None
    said: list[tuple[str, str]] = [FOUND, ("alice", "Just delete it."), ("default", first["reason"])]
    for reply in ("1", "compass: proceed", "compass: proceed all", "compass: pause"):
        said.append(("alice", reply))
        client.record(*said)
        client.says(reply)
        assert client.runs("rm src/a.py") is not None, reply


def test_an_order_that_stands_nowhere_but_in_the_hook_destroys_nothing(client: Client) -> None:
    client.says("Delete src/a.py.")
    assert client.runs("rm src/a.py") is not None


def test_the_context_that_the_prompt_named_tells_what_was_said(client: Client) -> None:
    folder = client.home / ".chibi" / "contexts" / "default"
    folder.mkdir(parents=True)
    (folder / "context.jsonl").write_text((FIXTURES / "context.jsonl").read_text())
    client.says("Just delete it.")
    gate = wire(client.env, str(client.home), str(client.project), host=HOST)
    kept = gate.store.prompts("chibi-4711-99")
    found = HOST.transcripts(None).exchange(pending(client, 12), kept)
    gate.close()
    assert found.request == ("Just delete it.",), "and nothing of the inbox"
    assert found.prior_assistant_turn == FOUND[1]
    assert found.unwritten == ()


def test_where_the_agent_goes_on_by_itself_nobody_spoke(client: Client) -> None:
    again = "[reengaged (fuel: 3/15) via call_agent. call_user(<message>) to end turn.]\ncompass: proceed all"
    client.says(again)
    gate = wire(client.env, str(client.home), str(client.project), host=HOST)
    assert gate.store.prompts("chibi-4711-99") == ()
    gate.close()


def test_calls_of_two_processes_are_two_sessions(client: Client) -> None:
    first = pending(client, 12)
    client.parent = "4712-1"
    second = pending(client, 12)
    assert first.session_id != second.session_id and first.tool_use_id != second.tool_use_id
    with pytest.raises(PayloadError):
        HOST.session_of(HOST.parse(b'{"hook": "pre_tool", "parent": "", "data": null}'))


def test_a_call_is_known_again_by_its_result(client: Client) -> None:
    for before, after in ((10, 13), (12, 14)):
        ended = HOST.parse(client.wrapped("post_tool", PAYLOADS[after]["data"]))
        assert ended["tool_use_id"] == pending(client, before).tool_use_id


def test_a_tool_that_reads_is_silent(client: Client) -> None:
    assert client.hook("pre_tool", PAYLOADS[9]["data"]) is None
    assert is_silent("pre-tool-use", client.wrapped("pre_tool", PAYLOADS[9]["data"]), lambda: HOST)
    assert not is_silent("pre-tool-use", client.wrapped("pre_tool", PAYLOADS[6]["data"]), lambda: HOST)


def test_its_programs_are_known_to_the_shell(client: Client) -> None:
    join_programs()
    assert "bypassed" in explain("chibi --trust 'do it'", str(client.project)).offence
    assert "bypassed" in explain("chibi -P shell_exec '{}'", str(client.project)).offence
    assert explain("chibi 'do it'", str(client.project)).effects.each[0].kind == "agent"


def test_its_plugin_is_guarded(client: Client) -> None:
    client.record(("alice", "Remove the plugin."))
    client.says("Remove the plugin.")
    for command in ("rm ~/.chibi/plugins/compass", "chmod -x ~/.chibi/plugins/compass"):
        found = client.runs(command)
        assert found is not None and "Compass does not let an agent do this" in found["reason"], command


def test_a_folder_of_that_name_in_a_project_is_nobodys_plugin(client: Client) -> None:
    client.record(("alice", "Build the workspace."))
    client.says("Build the workspace.")
    found = client.runs("npm run build --workspace plugins/compass")
    assert found is None or "Compass does not let an agent do this" not in found["reason"]
    found = client.runs(f"cd {client.home}/.chibi && rm plugins/compass")
    assert found is not None and "Compass does not let an agent do this" in found["reason"]


def test_a_denial_offers_nothing_that_does_not_count_there() -> None:
    from evaluator.intervention.telling import HeldThing, held

    thing = HeldThing("delete", "a.py", "Just delete it.")
    for readings in ((), ("delete a.py", "delete b.py")):
        told = json.loads(HOST.deny(held(thing, "unclear", readings).agent))["message"]
        assert told.startswith("Compass held back: delete a.py")
        assert "proceed" not in told and "wait for the user" not in told and "no reply" in told
    assert "it may mean (1) delete a.py, (2) delete b.py." in told
