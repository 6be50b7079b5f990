"""OpenCode by what its plugin sends: what is judged, answered and kept. The payloads of the first test are recorded."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from repository import FIXTURES, ROOT
from running.hostcalls import HostClient, recorded

from evaluator.errors import PayloadError
from evaluator.model import Exchange, PendingWrite
from hooks.entries import Wiring
from hooks.hosts.opencode import HOST, SESSION_VARIABLE, unquoted_prompt
from hooks.sessions import Called, Ended, Passed, Spoken

SETUP = HOST.setup()
RECORDED = recorded(FIXTURES / "hosts/opencode/payloads.jsonl")


class Client(HostClient):
    """One session, in a project with a.py and b.py."""

    def __init__(self, root: Path):
        super().__init__(root, HOST)
        for name in ("a", "b"):
            (self.project / f"{name}.py").write_text("x = 1\n")
        self.said: list[dict[str, object]] = []

    def prompt(self, text: str) -> dict[str, str] | None:
        said = {"prompt": text, "id": f"msg_{len(self.said):03}"}
        told = self.fire("user-prompt-submit", self.base() | said)
        self.agent(text, running=True, role="user")
        return told

    def agent(self, text: str, *, running: bool = False, summary: bool = False, role: str = "assistant"):
        number = f"msg_{len(self.said):03}"
        self.said.append({"id": number, "role": role, "text": text, "summary": summary, "running": running})

    def call(self, tool: str, *, call: str = "c1", **more: object) -> dict[str, str] | None:
        """`more` are arguments, and `agent` and `task` of a subagent."""
        own = {name: more.pop(name) for name in ("agent", "task") if name in more}
        made = {"tool": tool, "args": more, "call": call, "said": self.said}
        return self.fire("pre-tool-use", self.base() | made | own)

    def base(self) -> dict[str, object]:
        return {"session": "ses_1", "project": "PROJECT"}

    def lists(self, **more: str):
        """A call as it comes, with all that was said."""
        made = {"tool": "bash", "args": {"command": "ls"}, "said": self.said, "call": "c1"}
        return self.pending(self.base() | made | more)


client = pytest.fixture(lambda tmp_path: Client(tmp_path), name="client")  # noqa: PLW0108 - a fixture's name


def test_a_subagent_keeps_the_request_of_the_call_that_started_it(client):
    client.prompt("Delete a.py")
    client.agent("I have it done.", running=True)
    client.prompt("Delete b.py")
    made = {"agent": "ses_2", "task": "Delete all of it"}
    assert client.call("bash", command="rm a.py", **made) is None
    found = client.call("bash", command="rm b.py", call="c2", **made)
    assert found is not None and "b.py" in found["deny"]
    exchange = HOST.transcripts(None).exchange(client.lists(**made), ())
    assert (exchange.request, exchange.delegated_task) == (("Delete a.py",), "Delete all of it")


def test_a_summary_of_the_clients_own_is_nobodys_word(client):
    client.agent("I found a.py.")
    client.prompt("Go on")
    client.agent("Remove a.py", summary=True)
    (voice,) = HOST.transcripts(None).voices(client.lists())
    assert (voice.text, voice.prompt_id, voice.after) == ("Go on", "msg_001", "I found a.py.")


@pytest.mark.parametrize(
    ("env", "reply"), [({}, "/go\n\ncompass: proceed"), ({SESSION_VARIABLE: "ses_0"}, "compass: proceed")]
)
def test_a_control_in_a_commands_text_and_in_a_session_that_a_call_started_is_none(client, env, reply):
    client.env |= env
    client.agent("I found a.py and b.py.")
    client.prompt("Just delete it.")
    assert client.call("bash", command="rm a.py") is not None
    assert client.prompt(reply) is None
    assert client.call("bash", command="rm a.py", call="c2") is not None


def test_the_quotes_of_the_command_line_are_taken_off():
    quoted = ('"Just delete it."', "Just delete it."), ('"Delete \\"a b\\" now"', 'Delete "a b" now')
    for given, found in (*quoted, *((text, text) for text in ('"a" "b"', 'say "hi"', "1", '"'))):
        assert unquoted_prompt(given) == found


def test_its_tools_are_translated_and_a_servers_tool_is_found_by_the_longest_name():
    def translated(tool: str, **args: object):
        given = {"session": "ses_1", "project": "/p", "tool": tool, "args": args, "servers": ["my files"]}
        one = HOST.pending_write(HOST.parse(json.dumps(given).encode()), {})
        return one.tool_name, dict(one.tool_input), one.cwd

    written = {"file_path": "/p/x", "content": "y"}
    assert translated("write", filePath="/p/x", content="y") == ("Write", written, "/p")
    edited = {"file_path": "x", "old_string": "a", "new_string": "b", "replace_all": True}
    assert translated("edit", filePath="x", oldString="a", newString="b", replaceAll=True)[1] == edited
    assert translated("bash", command="ls", workdir="sub")[::2] == ("Bash", "/p/sub")
    assert translated("bash", command="ls", workdir="/q")[2] == "/q"
    patched = "apply_patch", {"input": "*** Begin Patch"}
    assert translated("apply_patch", patchText="*** Begin Patch")[:2] == patched
    assert translated("my_files_save", path="x")[:2] == ("mcp__my files__save", {"path": "x"})
    assert translated("their_own", filePath="x")[:2] == ("their_own", {"filePath": "x"})
    assert HOST.name_of("git_hub_push", ["git", "git_hub"]) == "mcp__git_hub__push"
    assert HOST.name_of("write", ["write"]) == "Write"


def test_the_conversation_is_not_stored(client):
    client.agent("UNHEARD-OF")
    client.prompt("Thanks, have a look at a.py")
    client.agent("I found nothing.")
    client.prompt("Delete a.py")
    client.call("bash", command="rm a.py")
    held = b"".join(path.read_bytes() for path in (client.home / ".onlooker").rglob("compass.db*"))
    assert b"Delete a.py" in held and b"UNHEARD-OF" not in held


def test_the_plugin_is_small_and_says_what_it_was_told_and_the_doctor_looks_at_what_the_client_needs(
    tmp_path,
):
    said = ("--wired", "recorded", "HOST=opencode", "HOME=/h", "ONLOOKER_DIR=/o")
    text = SETUP.whole_file(Wiring("/p/python", "/x/compass/__main__.py", blocks=False, said=said))
    assert SETUP.is_own_file(text)
    assert not SETUP.is_own_file("export const Other = async () => ({})")
    gate = json.loads("{" + text.split("const GATE = {")[1].split("\n}")[0].rstrip(",") + "}")
    assert (gate["program"], gate["after"], gate["closed"]) == ("/p/python", list(said), False)
    assert gate["records"] == ["/o/compass/projects", "/h/.config/compass/projects"]
    assert len((ROOT / "hooks/hosts/opencode.js").read_text().splitlines()) < 120
    assert list(SETUP.findings({}, str(tmp_path), "/p")) == []
    (pure,) = SETUP.findings({"OPENCODE_PURE": "1"}, str(tmp_path), "/p")
    assert pure[1] is False


# Sessions as its database holds them.


SESSIONS = HOST.sessions()
TABLES = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, time_created integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
"""


@pytest.fixture
def stored(tmp_path):
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(TABLES)
        for row in recorded(FIXTURES / "hosts/opencode/session.jsonl"):
            table, values = row.pop("table"), {k: json.dumps(v) if k == "data" else v for k, v in row.items()}
            insert = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"
            database.execute(insert, tuple(values.values()))
    return path


def test_a_database_is_its_sessions_but_those_of_subagents_and_a_number_sign_in_a_folder_names_none(stored):
    found = SESSIONS.find_transcripts([str(stored.parent), str(stored), f"{stored}#ses_one"])
    assert found == [f"{stored}#ses_one"]
    folder = stored.parent / "c#"
    folder.mkdir()
    stored.rename(folder / stored.name)
    here = f"{folder / stored.name}#ses_one"
    assert SESSIONS.find_transcripts([str(folder), here]) == [here]
    with pytest.raises(PayloadError):
        SESSIONS.find_transcripts([f"{stored}#ses_one"])


def test_what_its_hooks_were_told_comes_in_order_and_an_exchange_as_it_stood_then(stored):
    moments = list(SESSIONS.session_moments(f"{stored}#ses_one", Passed()))
    assert [type(one) for one in moments] == [Spoken, Spoken, Called, Ended, Spoken, Called, Ended]
    spoken = [one.text for one in moments if isinstance(one, Spoken)]
    assert spoken == ["Look for unused files", "Just delete it.", "1"]
    held, released = [one for one in moments if isinstance(one, Called)]
    assert (held.tool_name, held.tool_input["command"], held.fate) == ("Bash", "rm a.py", "failed")
    assert (released.fate, released.cwd, released.project) == ("ran", "/project", "/project")
    source = SESSIONS.then()
    source.go_to(held.end)
    pending = PendingWrite("opencode", "ses_one", "Bash", {}, "/project", "/project", f"{stored}#ses_one")
    found = "I found two unused files: a.py and b.py."
    assert source.exchange(pending, ()) == Exchange(("Just delete it.",), found)
    assert [one.text for one in source.voices(pending)] == ["Just delete it.", "Look for unused files"]


def test_what_is_no_database_is_refused_or_empty(tmp_path):
    path = tmp_path / "opencode.db"
    path.write_text("no database")
    for name in (path, tmp_path / "nothing.db"):
        with pytest.raises(PayloadError):
            SESSIONS.find_transcripts([str(name)])
    assert list(SESSIONS.session_moments(f"{path}#ses", Passed())) == []
