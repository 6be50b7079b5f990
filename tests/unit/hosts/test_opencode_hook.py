"""OpenCode by what its plugin sends: what is judged, answered and kept. The payloads of the first test are recorded."""

import json
from pathlib import Path

import pytest
from corpora import corpus
from repository import FIXTURES
from running.hostcalls import HostClient, recorded

from compass.hook.entry import is_silent
from evaluator.errors import PayloadError
from evaluator.model import Origin, Parent
from hooks import hosts
from hooks.entries import Wiring
from hooks.hosts.opencode import HOST, RELAY, SESSION_VARIABLE, unquoted

SETUP = HOST.setup()
READS = [name for name, known in HOST.NAMES.items() if known in HOST.NEVER_WRITES]
WRITES = [name for name, known in HOST.NAMES.items() if known not in HOST.NEVER_WRITES]
RECORDED = recorded(FIXTURES / "hosts/opencode/payloads.jsonl")


class Client(HostClient):
    """One session, in a project with a.py and b.py."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, HOST)
        for name in ("a", "b"):
            (self.project / f"{name}.py").write_text("x = 1\n")
        self.said: list[dict[str, object]] = []

    def prompt(self, text: str) -> dict[str, str] | None:
        told = self.fire(
            "user-prompt-submit", self.base() | {"prompt": text, "id": f"msg_{len(self.said):03}"}
        )
        self._say("user", text, running=True)
        return told

    def agent(self, text: str, *, running: bool = False, summary: bool = False) -> None:
        self._say("assistant", text, running=running, summary=summary)

    def _say(self, role: str, text: str, *, running: bool, summary: bool = False) -> None:
        number = f"msg_{len(self.said):03}"
        self.said.append({"id": number, "role": role, "text": text, "summary": summary, "running": running})

    def call(self, tool: str, *, call: str = "c1", **more: object) -> dict[str, str] | None:
        """`more` are arguments, and `agent` and `task` of a subagent."""
        own = {name: more.pop(name) for name in ("agent", "task") if name in more}
        made = {"tool": tool, "args": more, "call": call, "said": self.said}
        return self.fire("pre-tool-use", self.base() | made | own)

    def base(self) -> dict[str, object]:
        return {"session": "ses_1", "project": "PROJECT"}


def new_client(tmp_path: Path) -> Client:
    return Client(tmp_path)


client = pytest.fixture(new_client, name="client")


def pending(payload: dict[str, object], env: dict[str, str] | None = None):
    return HOST.pending_write(HOST.parse(json.dumps(payload).encode()), env or {})


def test_a_recorded_session_is_held_and_answered_by_its_digit(client: Client) -> None:
    answers = [client.fire(row["event"], row["payload"]) for row in RECORDED]
    assert [row["event"] for row in RECORDED] == ["user-prompt-submit"] * 2 + [
        "pre-tool-use",
        "user-prompt-submit",
        "pre-tool-use",
    ]
    assert answers[:2] == [None, None]
    assert "(1) delete a.py, (2) delete b.py" in answers[2]["deny"]
    assert "1. delete a.py\n  2. delete b.py" in answers[2]["say"]
    assert answers[3:] == [None, None]


def test_a_subagent_keeps_the_request_of_the_call_that_started_it(client: Client) -> None:
    client.prompt("Delete a.py")
    client.agent("I have it done.", running=True)
    client.prompt("Delete b.py")
    made = {"agent": "ses_2", "task": "Delete all of it", "call": "c1"}
    assert client.call("bash", command="rm a.py", **made) is None
    found = client.call("bash", command="rm b.py", **{**made, "call": "c2"})
    assert found is not None
    assert "b.py" in found["deny"]
    one = pending({**client.base(), "tool": "bash", "args": {"command": "ls"}, "said": client.said, **made})
    exchange = HOST.transcripts(None).exchange(one, ())
    assert (exchange.request, exchange.delegated_task) == (("Delete a.py",), "Delete all of it")


def test_a_summary_of_the_clients_own_is_nobodys_word(client: Client) -> None:
    client.agent("I found a.py.")
    client.prompt("Go on")
    client.agent("Remove a.py", summary=True)
    one = pending({**client.base(), "tool": "bash", "args": {"command": "ls"}, "said": client.said})
    (voice,) = HOST.transcripts(None).voices(one)
    assert (voice.text, voice.prompt_id, voice.after) == ("Go on", "msg_001", "I found a.py.")


def test_controls_release_and_what_the_person_is_shown_is_passed_on(client: Client) -> None:
    client.agent("I found a.py and b.py.")
    client.prompt("Just delete it.")
    client.agent("", running=True)
    assert client.call("bash", command="rm a.py") is not None
    client.said[-1]["running"] = False
    found = client.prompt("compass: proceed")
    assert found is not None
    assert found["agent"].endswith(f"{RELAY}\n{found['say']}")
    client.agent("", running=True)
    assert client.call("bash", command="rm a.py", call="c2") is None


def test_a_control_in_a_commands_text_is_none(client: Client) -> None:
    client.agent("I found a.py and b.py.")
    client.prompt("Just delete it.")
    assert client.call("bash", command="rm a.py") is not None
    assert client.prompt("/go\n\ncompass: proceed") is None
    assert client.call("bash", command="rm a.py", call="c2") is not None


@corpus(
    ("given", "found"),
    [
        ('"Just delete it."', "Just delete it."),
        ('"Delete \\"a b\\" now"', 'Delete "a b" now'),
        ('"compass: proceed"', "compass: proceed"),
        ('"a" "b"', '"a" "b"'),
        ('say "hi"', 'say "hi"'),
        ("1", "1"),
        ('"', '"'),
    ],
)
def test_the_quotes_of_the_command_line_are_taken_off(given: str, found: str) -> None:
    assert unquoted(given) == found


def test_its_tools_are_translated(client: Client) -> None:
    def translated(tool: str, **args: object):
        one = pending({**client.base(), "project": "/p", "tool": tool, "args": args, "servers": ["my files"]})
        return one.tool_name, dict(one.tool_input), one.cwd

    assert translated("write", filePath="/p/x", content="y") == (
        "Write",
        {"file_path": "/p/x", "content": "y"},
        "/p",
    )
    assert translated("edit", filePath="x", oldString="a", newString="b", replaceAll=True)[1] == {
        "file_path": "x",
        "old_string": "a",
        "new_string": "b",
        "replace_all": True,
    }
    assert translated("bash", command="ls", workdir="sub")[::2] == ("Bash", "/p/sub")
    assert translated("bash", command="ls", workdir="/q")[2] == "/q"
    assert translated("apply_patch", patchText="*** Begin Patch")[:2] == (
        "apply_patch",
        {"input": "*** Begin Patch"},
    )
    assert translated("my_files_save", path="x")[:2] == ("mcp__my files__save", {"path": "x"})
    assert translated("their_own", filePath="x")[:2] == ("their_own", {"filePath": "x"})


def test_tools_that_read_are_let_through_before_any_setting_is_read() -> None:
    for tool in (*READS, *WRITES, "their_own"):
        raw = json.dumps({"session": "s", "project": "/p", "tool": tool, "args": {}}).encode()
        assert is_silent("pre-tool-use", raw, lambda: HOST) is (tool in READS), tool


def test_a_servers_tool_is_found_by_the_longest_name() -> None:
    assert HOST.name_of("git_hub_push", ["git", "git_hub"]) == "mcp__git_hub__push"
    assert HOST.name_of("write", ["write"]) == "Write"


@pytest.mark.parametrize(
    "said", [None, "x", [1, {}, {"role": 3}, {"role": "user", "text": 5}, {"running": True}]]
)
def test_a_conversation_of_other_types_is_an_empty_one(said: object) -> None:
    one = pending({"session": "s", "project": "/p", "tool": "bash", "args": {"command": "ls"}, "said": said})
    assert HOST.transcripts(None).exchange(one, ()).request == ()
    assert HOST.transcripts(None).voices(one) == ()
    for payload in ({"tool": "bash", "args": {}}, {"session": 1, "tool": "bash", "args": {}}):
        with pytest.raises(PayloadError):
            pending(payload)


def test_a_client_that_an_agents_shell_started_works_for_that_agent() -> None:
    env = {SESSION_VARIABLE: "ses_1"}
    assert HOST.origin(env, None, "ses_2", "") == Origin((Parent("ses_1", ""),))
    assert HOST.origin(env, None, "ses_1", "") is None
    assert HOST.origin({}, None, "ses_2", "") is None


def test_a_session_that_a_call_started_takes_no_word_for_the_persons(client: Client) -> None:
    client.env[SESSION_VARIABLE] = "ses_0"
    client.agent("I found a.py and b.py.")
    client.prompt("Just delete it.")
    assert client.call("bash", command="rm a.py") is not None
    assert client.prompt("compass: proceed") is None
    assert client.call("bash", command="rm a.py", call="c2") is not None


def test_the_conversation_is_not_stored(client: Client) -> None:
    client.agent("UNHEARD-OF")
    client.prompt("Thanks, have a look at a.py")
    client.agent("I found nothing.")
    client.prompt("Delete a.py")
    client.call("bash", command="rm a.py")
    held = b"".join(path.read_bytes() for path in (client.home / ".onlooker").rglob("compass.db*"))
    assert b"Delete a.py" in held
    assert b"UNHEARD-OF" not in held


@corpus(
    "command",
    [
        "rm ~/.config/opencode/plugin/compass.js",
        "echo x > ~/.config/opencode/plugins/other.js",
        "OPENCODE_PURE=1 opencode run x",
        "opencode --pure run x",
        "opencode run --continue '1'",
        "env -u OPENCODE_COMPASS_SESSION opencode run x",
        "mv ~/.config/opencode ~/old",
    ],
    each={"client": new_client},
)
def test_an_agent_does_not_take_the_plugin_out(client: Client, command: str) -> None:
    client.prompt(command)
    client.agent("", running=True)
    path = str(client.home / ".config" / "opencode" / "plugin" / "compass.js")
    for found in (client.call("bash", command=command), client.call("write", filePath=path, content="")):
        assert found is not None and "does not let an agent" in found["deny"]


def test_the_plugin_is_small_and_says_what_it_was_told() -> None:
    said = ("--wired", "recorded", "HOST=opencode", "HOME=/h", "ONLOOKER_DIR=/o")
    text = SETUP.whole_file(Wiring("/p/python", "/x/compass/__main__.py", blocks=False, said=said))
    assert SETUP.is_own_file(text)
    assert not SETUP.is_own_file("export const Other = async () => ({})")
    gate = json.loads("{" + text.split("const GATE = {")[1].split("\n}")[0].rstrip(",") + "}")
    assert (gate["program"], gate["after"], gate["closed"]) == ("/p/python", list(said), False)
    assert gate["records"] == ["/o/compass/projects", "/h/.config/compass/projects"]
    template = (Path(hosts.__file__).with_name("opencode.js")).read_text()
    assert len(template.splitlines()) < 120


def test_the_doctor_looks_at_what_the_client_needs(tmp_path: Path) -> None:
    assert list(SETUP.findings({}, str(tmp_path), "/p")) == []
    (pure,) = SETUP.findings({"OPENCODE_PURE": "1"}, str(tmp_path), "/p")
    assert pure[1] is False
