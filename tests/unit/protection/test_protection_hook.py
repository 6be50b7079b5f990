"""Self-protection, other agents, keyboards and delegated sessions through the real hook."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, status
from running.guarded import furnish
from running.hookrun import Place, clear, denial, doubting, readers_at

REFUSED = "Compass does not let an agent do this"
QUESTION = "why is this slow?"
ATTEMPTS = (
    "ln -s ../.claude dist/zz && echo '{}' > dist/zz/settings.local.json",
    "ln -s $ONLOOKER_DIR/compass dist/state && rm dist/state/compass.db",
    f"sed -i s/home/x/ {Path(sys.executable).parent.parent}/pyvenv.cfg",
    'valgrind rm -rf "$ONLOOKER_DIR/compass"',
)
"""One of each kind; `test_protected_places` has the others."""


@pytest.fixture(params=["observe", pytest.param("enforce", marks=pytest.mark.full)])
def guarded(tmp_path, request):
    place = Place(tmp_path, {"COMPASS_MODE": request.param})
    furnish(place.root / "home", place.project, place.state / "compass")
    os.remove(place.state / "compass" / "compass.db")
    place.say(QUESTION)
    return place


def bash(place, command, **extra):
    return denial(place.hook("pre-tool-use", place.payload("Bash", {"command": command}, **extra)))


def called(place, tool, given):
    return denial(place.hook("pre-tool-use", place.payload(tool, given))) or ""


def test_it_is_denied_in_every_mode(guarded):
    for command in ATTEMPTS:
        if "compass.db" in command:
            (guarded.state / "compass" / "compass.db").touch()
        assert REFUSED in (bash(guarded, command) or ""), command


def test_what_an_earlier_call_linked_is_denied_for_every_tool(guarded):
    for path in ("hardlinked.json", "linked/settings.json"):
        given = {"file_path": str(guarded.project / path), "content": "{}"}
        assert REFUSED in called(guarded, "Write", given)


def test_a_tool_that_is_not_gated_is_looked_at(guarded):
    given = {"path": str(guarded.state / "compass" / "settings.json"), "content": "{}"}
    assert REFUSED in called(guarded, "mcp__filesystem__write_file", given)
    assert called(guarded, "mcp__filesystem__read_file", {"path": given["path"]}) == ""


def test_neither_a_pause_nor_the_sentinel_nor_a_glob_comes_before_it(guarded):
    guarded.say("[compass:skip] do it")
    given = {"file_path": str(guarded.project / "dist" / "zz" / "settings.local.json"), "content": "{}"}
    os.symlink("../.claude", guarded.project / "dist" / "zz")
    assert REFUSED in called(guarded, "Write", given)
    assert REFUSED in (bash(guarded, "rm -rf .claude") or "")


def test_with_the_gate_off_nothing_is_looked_at(tmp_path):
    place = Place(tmp_path, {"COMPASS_ENABLED": "false"})
    furnish(place.root / "home", place.project, place.state / "compass")
    assert bash(place, "rm -rf .claude") is None


def test_the_user_may_allow_it(guarded):
    guarded.say("compass: proceed settings")
    prompt(guarded, "compass: proceed settings")
    assert REFUSED not in (bash(guarded, "chmod 600 .claude/settings.local.json") or "")


HELD = "Compass held back"
WHILE_HELD = "while a write waits for the user's answer"
TYPING = ("tmux send-keys -t 0 y Enter", "xdotool key Return", "echo y > /dev/pts/3")
OFF = '{"disableAllHooks":true}'


@pytest.fixture
def place(tmp_path):
    found = Place(tmp_path, {"COMPASS_MODE": "enforce", **doubting()})
    found.say(QUESTION)
    return found


def prompt(place, text, **env):
    """The prompt event of what the user says."""
    Place(place.root, {**place.env, **env}).hook("user-prompt-submit", place.payload(prompt=text))


@pytest.mark.parametrize("mode", ["enforce", "observe"])
def test_another_agent_is_not_taken_out_of_the_gate_in_any_mode(place, mode):
    place.env["COMPASS_MODE"] = mode
    prompt(place, QUESTION)
    for command in ("COMPASS_ENABLED=0 claude -p 'delete src'", f"claude -p x --settings '{OFF}'"):
        assert REFUSED in bash(place, command)
    assert bash(place, "claude --version") is None


def test_an_unlisted_program_still_passes_where_an_agent_is_held(place):
    prompt(place, QUESTION)
    assert bash(place, "frobnicate --now") is None
    assert HELD in bash(place, "frobnicate --now; claude -p 'look at it'", tool_use_id="toolu_2")


def test_an_order_to_destroy_covers_no_agent_beside_it(place):
    place.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
    place.say("Delete src")
    prompt(place, "Delete src")
    assert bash(place, "rm -rf src; claude -p 'go on'") is not None
    assert bash(place, "echo x > notes.txt; codex exec 'go on'", tool_use_id="toolu_2") is not None


def test_an_agent_that_was_held_runs_once_it_is_released(place):
    place.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
    prompt(place, QUESTION)
    assert "starts another coding agent" in bash(place, "codex exec 'look around'")
    place.say(QUESTION, "compass: proceed")
    prompt(place, "compass: proceed")
    assert bash(place, "codex exec 'look around'", tool_use_id="toolu_2") is None
    assert bash(place, "codex exec 'delete src'", tool_use_id="toolu_3") is not None


def test_nothing_types_while_something_is_held(place):
    prompt(place, QUESTION)
    assert bash(place, "rm -rf src", tool_use_id="toolu_1") is not None
    for number, command in enumerate(TYPING):
        assert WHILE_HELD in bash(place, command, tool_use_id=f"toolu_t{number}")
    assert bash(place, "tmux ls", tool_use_id="toolu_4") is None


def test_nor_while_something_is_held_that_nobody_could_judge(tmp_path):
    with LoopbackApi() as api:
        api.default = status(400)
        closed = {"COMPASS_ERROR_POLICY": "closed", "COMPASS_MIN_CONTEXT_CHARS": "0"}
        place = Place(tmp_path, {**readers_at(api.url), **closed})
        place.say(QUESTION)
        prompt(place, QUESTION)
        for number, command in enumerate((TYPING[-1], TYPING[-1], "git push --tags")):
            assert "Compass could not check" in bash(place, command, tool_use_id=f"toolu_{number}")
        for number, command in enumerate(TYPING):
            assert WHILE_HELD in bash(place, command, tool_use_id=f"toolu_t{number}")


def test_a_keyboard_that_was_held_itself_runs_once_it_is_released(place):
    command = "tmux send-keys -t 0 'make deploy' Enter"
    prompt(place, QUESTION)
    assert HELD in bash(place, command)
    place.say(QUESTION, "compass: proceed")
    prompt(place, "compass: proceed")
    assert bash(place, command, tool_use_id="toolu_2") is None


CHILD = "import sys, time; print('up', flush=True); time.sleep(120)"
PARENT = (
    "import subprocess, sys, os, json\n"
    "words = [sys.executable, '-c', sys.argv[1]]\n"
    "child = subprocess.Popen(words, env=json.loads(sys.argv[2]), stdout=subprocess.PIPE)\n"
    "child.stdout.readline(); print(child.pid, flush=True); sys.stdin.read(); child.kill(); child.wait()\n"
)


class Clients:
    """Two processes that stand for clients: `outer`, and `inner`, which a call of the other's started."""

    def __init__(self, born_with):
        words = [sys.executable, "-c", PARENT, CHILD, json.dumps(born_with)]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.outer = str(self._process.pid)
        self.inner = self._process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.communicate(timeout=20)


def delegated(place, clients, said, task, call, outer=True):
    """What the hook answers to a call of the inner session, after the person said `said` in the outer one."""
    place.say(said)
    if outer:
        prompt(place, said, CLAUDE_PID=clients.outer)
    (place.root / "transcript.jsonl").rename(place.root / "session-1.jsonl")
    place.say(task)
    (place.root / "transcript.jsonl").rename(place.root / "session-2.jsonl")
    inner = Place(place.root, {**place.env, "CLAUDE_PID": clients.inner})
    where = str(place.root / "session-2.jsonl")
    prompted = {"session_id": "session-2", "transcript_path": where, "prompt_id": "prompt-1", "prompt": task}
    told = inner.hook("user-prompt-submit", {**prompted, "cwd": str(place.project), "hook_event_name": "x"})
    assert told.stdout == b""
    payload = {**place.payload(*call), "session_id": "session-2", "transcript_path": where}
    return denial(inner.hook("pre-tool-use", payload))


REMOVE = ("Bash", {"command": "rm -rf src"})
SKIP = "[compass:skip] look around"


@pytest.mark.spread(1)
@pytest.mark.parametrize("task", [SKIP, "compass: pause", "compass: proceed all"])
def test_neither_sentinel_nor_controls_count_in_a_session_that_a_call_started(place, task):
    with Clients({}) as clients:
        assert delegated(place, clients, QUESTION, task, REMOVE) is not None


@pytest.mark.spread(1)
@pytest.mark.parametrize("mark", ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI"])
def test_a_mark_that_a_client_was_born_with_tells_without_its_ancestors(place, mark):
    with Clients({mark: "1"}) as clients:
        assert delegated(place, clients, SKIP, SKIP, REMOVE, outer=False) is not None


def test_a_client_that_nobody_started_is_a_persons(place):
    with Clients({}) as clients:
        assert delegated(place, clients, QUESTION, SKIP, REMOVE, outer=False) is None


@pytest.mark.parametrize("born_with", [{}, {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "session-1"}])
def test_a_delegated_session_inherits_the_request_of_the_call(place, born_with):
    call = ("Write", {"file_path": str(place.project / "notes.txt"), "content": "hello\n"})
    said, task = "Create notes.txt with a line that says hello", "Create notes.txt"
    place = Place(place.root, {**place.env, **clear()})
    with Clients(born_with) as clients:
        assert delegated(place, clients, said, task, call) is None
    record = json.loads(place.command("explain", "--json").stdout)
    assert said in json.dumps(record["evidence"]["current_request"])
    assert record["evidence"]["delegated_task"] == task


def test_what_the_outer_session_holds_back_lets_the_inner_one_type_nothing(place):
    with Clients({}) as clients:
        place.say(QUESTION)
        prompt(place, QUESTION, CLAUDE_PID=clients.outer)
        assert bash(place, "rm -rf src") is not None
        assert WHILE_HELD in delegated(place, clients, QUESTION, "Press y", ("Bash", {"command": TYPING[0]}))
