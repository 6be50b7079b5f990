"""The plugin in a JavaScript engine: what it asks, what it makes of each answer and of each way to get none."""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluator.settings.places import record_project
from hooks.entries import Wiring
from hooks.hosts.opencode import HOST, OpenCode

DRIVER = Path(__file__).with_name("opencode_driver.mjs")
NODE = shutil.which("node")
ASKS = """
import json, pathlib, sys, time
found = {"event": sys.argv[sys.argv.index("hook") + 1], "payload": json.loads(sys.stdin.read())}
with open(pathlib.Path(__file__).parent / "asked", "a") as file:
    file.write(json.dumps(found) + "\\n")
"""

pytestmark = pytest.mark.skipif(NODE is None, reason="no node")


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
        words, env = (str(NODE), str(DRIVER), str(path), str(self.project)), {"PATH": os.environ["PATH"]}
        self.engine = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env | {"HOME": str(self.home)},
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
