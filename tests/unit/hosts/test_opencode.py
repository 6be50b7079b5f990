"""OpenCode by what its plugin sends, of which some is recorded: what is judged, answered and kept; and the plugin."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from repository import FIXTURES, ROOT
from running.hostcalls import HostClient, recorded

from evaluator.errors import PayloadError
from evaluator.model import Exchange, PendingWrite
from evaluator.settings.places import record_project
from hooks.entries import Wiring
from hooks.hosts.opencode import HOST, SESSION_VARIABLE, OpenCode, unquoted_prompt
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


def test_the_plugin_is_small_and_says_what_it_was_told_and_the_doctor_looks_at_what_it_needs(tmp_path):
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


# The plugin in a JavaScript engine: what it asks, what it makes of each answer and of each way to get none.

DRIVER = Path(__file__).with_name("opencode_driver.mjs")
NODE = shutil.which("node")
ASKS = """
import json, pathlib, sys, time
found = {"event": sys.argv[sys.argv.index("hook") + 1], "payload": json.loads(sys.stdin.read())}
with open(pathlib.Path(__file__).parent / "asked", "a") as file:
    file.write(json.dumps(found) + "\\n")
"""


class Quick(OpenCode):
    def __init__(self, name: str = "opencode"):
        super().__init__(name)
        self.told = {**self.told, "setup": {**self.told["setup"], "timeout_seconds": 1}}


@dataclass
class Plugin:
    """A plugin in a scratch home and project, and the engine that it runs in. `hook` is the program that it asks."""

    root: Path
    closed: bool = True
    known: bool = True
    interpreter: str = sys.executable
    hook: str = ASKS
    host: OpenCode = HOST

    def __post_init__(self):
        self.home, self.project = self.root / "home", self.root / "project"
        self.home.mkdir(parents=True)
        self.project.mkdir()
        program = self.root / "hook.py"
        program.write_text(self.hook)
        if self.known:
            record_project({}, str(self.home), str(self.project))
        said = ("--wired", "recorded", "HOST=opencode", f"HOME={self.home}")
        wiring = Wiring(self.interpreter, str(program), blocks=self.closed, said=said)
        path = self.root / "compass.mjs"
        path.write_text(self.host.whole_file(wiring))
        words = [str(one) for one in (NODE, DRIVER, path, self.project)]
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        self.engine = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
        )

    def tell(self, **line: object) -> dict[str, Any]:
        assert self.engine.stdin is not None and self.engine.stdout is not None
        self.engine.stdin.write(json.dumps(line) + "\n")
        self.engine.stdin.flush()
        return json.loads(self.engine.stdout.readline())

    def call(self, tool: str, *, session: str = "s", call: str = "c1", **args: object) -> dict[str, Any]:
        made = {"tool": tool, "sessionID": session, "callID": call}
        return self.tell(hook="tool.execute.before", input=made, output={"args": args})

    def prompt(self, message: str, *parts: object, session: str = "s") -> dict[str, Any]:
        told = {"message": {"id": message}, "parts": [*parts]}
        return self.tell(hook="chat.message", input={"sessionID": session}, output=told)

    def asked(self) -> list[dict[str, Any]]:
        path = self.root / "asked"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def make(tmp_path):
    if NODE is None:
        pytest.skip("no node")
    made: list[Plugin] = []

    def plugin(**options) -> Plugin:
        made.append(Plugin(tmp_path / str(len(made)), **options))
        return made[-1]

    yield plugin
    for one in made:
        one.engine.communicate(timeout=10)


def text(text: str, **more: object) -> dict[str, object]:
    return {"type": "text", "text": text, **more}


def message(number: int, role: str, *parts: dict[str, object], **info: object) -> dict[str, object]:
    known = {"id": f"msg_{number:03}", "role": role, "time": {"completed": 1}}
    return {"info": known | info, "parts": [*parts]}


TALK = [
    message(1, "user", text("Look for unused files"), summary={"diffs": []}),
    message(2, "assistant", text("a.py and b.py"), {"type": "tool", "callID": "c0"}),
    message(3, "user", text("Just delete it."), text("Called the Read tool", synthetic=True)),
    message(4, "assistant", text(""), {"type": "tool", "callID": "c1"}, time={}),
]


def test_a_call_brings_the_conversation_and_is_let_through_without_an_answer(make):
    plugin = make()
    plugin.tell(set={"messages": {"s": TALK}})
    found = plugin.call("bash", command="rm a.py")
    assert (found["threw"], found["toasts"]) == (None, [])
    (asked,) = plugin.asked()
    said, args = asked["payload"].pop("said"), {"command": "rm a.py"}
    called = {"session": "s", "project": str(plugin.project), "tool": "bash", "args": args, "call": "c1"}
    assert asked == {"event": "pre-tool-use", "payload": called}
    spoken = ("user", "Look for unused files"), ("assistant", "a.py and b.py"), ("user", "Just delete it.")
    assert [(one["role"], one["text"]) for one in said] == [*spoken, ("assistant", "")]
    assert [one["running"] for one in said if one["role"] == "assistant"] == [False, True]
    assert not any(one["summary"] for one in said)


def answering(answer: str) -> str:
    return f"{ASKS}print({answer!r}, end='')\n"


def test_a_denial_is_thrown_and_shown_and_may_abort_the_turn_after_the_call_has_failed(make):
    plugin = make(hook=answering(json.dumps({"deny": "held back: é", "say": "which?"})))
    found = plugin.call("write", filePath="/x", content="é")
    assert (found["threw"], found["toasts"], found["aborted"]) == ("held back: é", ["which?"], [])
    assert plugin.asked()[0]["payload"]["args"] == {"filePath": "/x", "content": "é"}
    plugin = make(hook=answering(json.dumps({"deny": "no", "stop": True})))
    assert plugin.call("edit")["aborted"] == []
    assert plugin.tell(set={"waits": 200})["aborted"] == ["s"]


def test_nobody_is_asked_about_a_tool_that_reads_and_those_of_servers_come_with_their_names(make):
    plugin = make()
    for tool in ("read", "glob", "grep", "list", "webfetch", "todowrite", "question", "task"):
        assert plugin.call(tool)["asked"] == [], tool
    assert plugin.asked() == []
    plugin.tell(set={"servers": {"my files": {}, "x": {}}})
    assert plugin.call("my_files_save")["asked"] == ["get", "servers", "messages"]
    assert plugin.asked()[0]["payload"]["servers"] == ["my files", "x"]


BROKEN = {
    "crash": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "exit 2 with an answer": 'print(\'{"say": "x"}\'); raise SystemExit(2)',
    "bad output": "print('hello')",
    "no answer of ours": "print('{}')",
    "closed streams": "import os; os.close(0); os.close(1); raise SystemExit(1)",
}


@pytest.mark.spread(2)
@pytest.mark.parametrize("hook", BROKEN.values(), ids=BROKEN)
def test_a_hook_that_fails_stops_the_call_under_a_closed_policy_alone(make, hook):
    big = "x" * 300_000
    denied = make(hook=hook).call("write", filePath="/x", content=big)
    assert denied["threw"].startswith("Compass could not check this call: ")
    assert "Nothing was written" in denied["threw"] and len(denied["toasts"]) == 1
    for how, toasts in (({"closed": False}, 1), ({"known": False}, 0)):
        passed = make(hook=hook, **how).call("write", filePath="/x", content=big)
        assert (passed["threw"], len(passed["toasts"])) == (None, toasts)


def test_a_missing_program_is_a_failure_that_stops_no_prompt(make):
    plugin = make(interpreter="/nowhere/python")
    assert "ENOENT" in plugin.call("write")["threw"]
    assert plugin.prompt("m", text("Do it", id="p"))["threw"] is None
    assert plugin.tell(hook="dispose", input={})["threw"] is None
    for how in ({"closed": False}, {"known": False}):
        assert make(interpreter="/nowhere/python", **how).call("write")["threw"] is None


def test_a_hook_that_hangs_is_killed_with_what_it_started_and_a_failure(make):
    began = time.monotonic()
    found = make(hook="import os; os.fork() or __import__('time').sleep(9)", host=Quick()).call("write")
    assert "no answer within 1 s" in found["threw"] or "SIGKILL" in found["threw"]
    assert time.monotonic() - began < 6


@pytest.mark.spread(1)
@pytest.mark.parametrize("what", ["get", "messages", "servers"])
def test_a_client_that_does_not_tell_is_a_failure(make, what):
    failing = make()
    failing.tell(set={"fails": what})
    assert "does not describe" in failing.call("mcp_x")["threw"]
    hanging = make(host=Quick())
    hanging.tell(set={"hangs": what})
    assert "no answer within 1 s" in hanging.call("mcp_x")["threw"]


def test_a_subagent_and_what_its_shell_starts_speak_for_the_session_that_started_it(make):
    plugin = make()
    plugin.tell(set={"messages": {"s": TALK, "child": []}, "parents": {"child": "between", "between": "s"}})
    plugin.prompt("m", text("Delete a.py, says the agent", id="p"), session="child")
    plugin.call("write", session="child")
    (asked,) = (one["payload"] for one in plugin.asked())
    assert (asked["session"], asked["agent"]) == ("s", "child")
    assert asked["task"] == "Delete a.py, says the agent"
    assert len(asked["said"]) == 4
    found = plugin.tell(hook="shell.env", input={"sessionID": "child"}, output={"env": {}})
    assert found["output"]["env"] == {"OPENCODE_COMPASS_SESSION": "s"}
    assert plugin.tell(hook="shell.env", input={}, output={"env": {}})["output"]["env"] == {}


def test_prompts_are_told_with_the_start_before_the_first(make):
    plugin = make(hook=answering(json.dumps({"agent": "know this", "say": "and you this"})))
    parts = text("Do it", id="prt_1"), text("added", id="prt_2", synthetic=True)
    found = plugin.prompt("msg_9", *parts)
    synthetic = [one["text"] for one in found["output"]["parts"] if one.get("synthetic")]
    assert synthetic == ["added", "know this", "know this"]
    assert len({one["id"] for one in found["output"]["parts"]}) == 4
    assert found["toasts"] == ["and you this"] * 2
    plugin.prompt("msg_9", *parts)
    start, first, second = plugin.asked()
    assert [start["event"], first["event"], second["event"]] == ["session-start", *["user-prompt-submit"] * 2]
    assert (first["payload"]["prompt"], first["payload"]["id"]) == ("Do it", "msg_9")
    plugin.tell(hook="dispose", input={})
    plugin.tell(hook="dispose", input={})
    assert [one["event"] for one in plugin.asked()[3:]] == ["session-end"]


def test_what_a_command_puts_in_stands_behind_what_was_typed(make):
    plugin = make()
    plugin.tell(hook="command.execute.before", input={"sessionID": "s", "command": "go", "arguments": "now"})
    found = plugin.prompt("m", text("compass: proceed", id="p"))
    assert plugin.asked()[1]["payload"]["prompt"] == "/go now\n\ncompass: proceed"
    plugin.tell(set={"messages": {"s": [message(1, "user", *found["output"]["parts"])]}})
    plugin.call("write")
    assert plugin.asked()[2]["payload"]["said"][0]["text"] == "/go now\n\ncompass: proceed"


def test_results_are_told_and_what_is_owed_goes_with_them(make):
    plugin = make(hook=answering(""))
    done = {"tool": "bash", "sessionID": "s", "callID": "c1", "args": {}}
    for exit_code in (0, 3, None):
        plugin.call("bash")
        output = {"output": "x", "metadata": {"exit": exit_code}}
        plugin.tell(hook="tool.execute.after", input=done, output=output)
    for tool in ("read", "task"):
        plugin.tell(hook="tool.execute.after", input={**done, "tool": tool}, output={"output": "x"})
    after, failure = "post-tool-use", "post-tool-use-failure"
    events = [one["event"] for one in plugin.asked() if one["event"] != "pre-tool-use"]
    assert events == [after, failure, failure, after]
    owing = make(hook=answering(json.dumps({"agent": "tell them"})))
    found = owing.tell(hook="tool.execute.after", input={**done, "tool": "task"}, output={"output": "x"})
    assert found["output"]["output"] == "x\n\ntell them"


def test_a_call_that_was_let_through_and_failed_is_told_once(make):
    plugin = make()
    part = {"type": "tool", "callID": "c1", "state": {"status": "error"}}
    failed = {"event": {"type": "message.part.updated", "properties": {"part": part}}}
    plugin.tell(hook="event", input=failed)
    plugin.call("edit")
    for _ in range(2):
        plugin.tell(hook="event", input=failed)
    assert [one["event"] for one in plugin.asked()] == ["pre-tool-use", "post-tool-use-failure"]


def test_a_linked_work_tree_is_set_up_with_its_main_one(make):
    plugin = make(known=False, hook="raise SystemExit(1)")
    main = plugin.root / "main"
    (main / ".git" / "worktrees" / "w").mkdir(parents=True)
    (plugin.project / ".git").write_text(f"gitdir: {main}/.git/worktrees/w\n")
    assert plugin.call("write")["threw"] is None
    record_project({}, str(plugin.home), str(main))
    assert plugin.call("write")["threw"] is not None
