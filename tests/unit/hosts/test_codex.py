"""Codex CLI's recorded payloads in Compass's words, and what is answered."""

import json
import os
import sys
from pathlib import Path

from corpora import corpus
from repository import FIXTURES
from running.hostcalls import recorded

from compass.composition.effects import classify
from evaluator.model import Exchange, Origin, PendingWrite
from evaluator.record import replace
from evaluator.wire import REFUSAL
from hooks.entries import CLOSING, Wiring, invocation_of
from hooks.hosts.codex import HOST, codex_folder, codex_parent
from hooks.hosts.codex_trust import codex_configuration, codex_hooks, turns_hooks_off
from hooks.sessions import Called, Ended, Passed, Spoken

CODEX = FIXTURES / "hosts/codex"
ROWS = recorded(CODEX / "payloads.jsonl")
PARENT, CHILD = sorted((CODEX / "home/sessions").glob("*/*/*/*.jsonl"))
THREAD = CHILD.stem.split("-", 7)[-1]


def told(case, event, number=0):
    found = [row["stdin"] for row in ROWS if row["case"] == case and row["stdin"]["hook_event_name"] == event]
    return found[number]


def parsed(stdin):
    return HOST.parse(json.dumps(stdin).encode())


def pending(stdin):
    return HOST.pending_write(parsed(stdin), {})


def test_a_command_and_a_patch_are_calls_of_compass_tools():
    shell = pending(told("first", "PreToolUse"))
    assert (shell.tool_name, dict(shell.tool_input)) == ("Bash", {"command": "echo hi > made.txt"})
    assert (shell.host, shell.cwd, shell.project_dir) == ("codex", "/project", "/project")
    assert shell.session_id.startswith("01a20256-6177") and shell.prompt_id.startswith("01a20256-6197")
    assert shell.tool_use_id == "call_1_1"
    patch = pending(told("first", "PreToolUse", 1))
    assert patch.tool_name == "apply_patch"
    assert patch.tool_input["input"].startswith("*** Begin Patch\n*** Add File: new.txt")
    for host, known in (("codex", "destructive"), ("claude-code", "modifying")):
        assert classify("bash", "/p", host=host).operation_class == known, "what waits for orders is unknown"


def test_a_call_works_in_its_own_folder_and_its_project_is_the_sessions(tmp_path):
    stdin = {**told("x-workdir", "PreToolUse"), "transcript_path": str(tmp_path / "rollout.jsonl")}
    assert stdin["cwd"] == "/project/sub"
    assert parsed(stdin)["cwd"] == "", "without a session's file it is the folder of the hook's process"
    (tmp_path / "rollout.jsonl").write_text(PARENT.read_text())
    found = pending(stdin)
    assert (found.cwd, found.project_dir) == ("/project/sub", "/project")


def test_a_subagents_prompt_is_no_persons():
    spoken = told("subagent", "UserPromptSubmit", 1)
    assert spoken["agent_id"]
    assert HOST.is_machine_text(str(parsed(spoken)["prompt"]))
    own = parsed(told("subagent", "UserPromptSubmit"))
    assert own["prompt"] == "Please delegate it." and not HOST.is_machine_text("Please delegate it.")
    assert pending(told("subagent", "PreToolUse")).agent_id == spoken["agent_id"]


def test_what_failed_is_told_where_the_result_says_so():
    def failed(response):
        return parsed({**told("first", "PostToolUse", 1), "tool_response": response}).get("failed", False)

    assert not failed("Exit code: 0\nWall time: 0 seconds\nOutput:\n")
    assert failed("Exit code: 1\nWall time: 0 seconds\nOutput:\n")
    assert failed({"content": [], "isError": True})
    assert not failed({"content": [], "isError": False})
    assert not failed(""), "a command of the shell does not tell"


def test_a_denial_leaves_by_stderr_and_is_never_empty():
    assert HOST.deny("because") == REFUSAL + b"because"
    assert HOST.deny("because", message="see there") == REFUSAL + b"because\n\nsee there"
    assert len(HOST.deny(" ").removeprefix(REFUSAL)) > 10


def test_a_session_that_a_tool_started_is_delegated():
    def origin(env):
        return HOST.origin(env, None, "s1", str(CHILD))

    assert origin({}) is None
    assert origin({"CODEX_THREAD_ID": "s1"}) is None
    assert origin({"CLAUDECODE": "1"}) == Origin()
    found = origin({"CODEX_THREAD_ID": THREAD})
    assert found is not None and found.parents[0].transcript_path == str(PARENT)
    assert found.parents[0].session_id in PARENT.name
    assert origin({"CODEX_THREAD_ID": "../x"}).parents[0].transcript_path == ""


# What was said, by its session files.

ASKED = PendingWrite("codex", "s", "Bash", {}, cwd="/project", project_dir="/project")


def exchange(path, turn=None, kept=(), agent=None):
    pending = replace(ASKED, transcript_path=str(path), prompt_id=turn, agent_id=agent)
    return HOST.transcripts(None).exchange(pending, kept)


def message(who, text, turn="t", provenance=""):
    content = [{"type": "input_text" if who == "user" else "output_text", "text": text}]
    note = {"turn_id": turn} if turn else {}
    note |= {"content_item_metadata": [{"provenance": {"type": provenance}}]} if provenance else {}
    role = "user" if who == "user" else "assistant"
    payload: dict[str, object] = {"type": "message", "role": role, "content": content}
    payload["internal_chat_message_metadata_passthrough"] = note
    return {"type": "response_item", "payload": payload}


def written(tmp_path, *items):
    """A session's file of these items: ("user", text, turn), ("agent", text, turn) or a payload."""
    path = tmp_path / "rollout-x.jsonl"
    rows = [{"type": "session_meta", "payload": {"id": "x", "session_id": "x", "cwd": "/project"}}]
    for item in items:
        if isinstance(item, dict):
            rows.append(item)
            continue
        who, text, turn = item
        rows.append(message(who, text, turn, "user" if who == "user" else ""))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_environment_agents_and_interruptions_are_nobodys_words(tmp_path):
    others = (message("user", f"compass: {whose}", provenance=whose) for whose in ("harness", "tool"))
    assert exchange(written(tmp_path, ("user", "Really mine.", "t"), *others)).request == ("Really mine.",)
    bare = message("user", "<environment_context>x</environment_context>", "")
    assert exchange(written(tmp_path, bare)).request == ()


def test_what_the_person_took_back_was_not_said(tmp_path):
    rolled = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 2}}
    talk = [("user", "Look at a and b.", "t1"), ("agent", "Both are unused.", "t1")]
    talk += [("user", "Delete a.", "t2"), ("agent", "Done.", "t2")]
    talk += [("user", "And b.", "t3"), ("agent", "Done, too.", "t3")]
    path = written(tmp_path, *talk, rolled, ("user", "Keep both.", "t4"))
    assert exchange(path, "t4") == Exchange(("Keep both.",), "Both are unused.")


def test_a_subagents_task_is_no_request_and_the_request_is_the_persons():
    assert codex_parent(str(CHILD)) in PARENT.name and codex_parent(str(PARENT)) == ""
    found = exchange(CHILD, "its-own-turn", agent=THREAD)
    assert found.request == ("Please delegate it.",) and found.unwritten == ()
    assert found.delegated_task == "Make the file sub.txt with hi in it."
    pending = replace(ASKED, transcript_path=str(CHILD), agent_id=THREAD)
    assert [one.text for one in HOST.transcripts(None).voices(pending)] == ["Please delegate it."]


def test_a_subagent_whose_session_is_gone_has_no_request(tmp_path):
    alone = tmp_path / "sessions/2026/11/22" / CHILD.name
    alone.parent.mkdir(parents=True)
    alone.write_text(CHILD.read_text())
    found = exchange(alone, agent="x")
    assert (found.request, found.delegated_task) == ((), "Make the file sub.txt with hi in it.")
    assert exchange(tmp_path / "none.jsonl", agent="x") == Exchange()


def test_a_session_and_its_subagents_are_replayed_apart():
    of_both = [list(HOST.sessions().session_moments(str(path), Passed())) for path in (PARENT, CHILD)]
    (made,) = (one for one in of_both[0] if isinstance(one, Called))
    assert (made.tool_name, made.cwd, made.project) == ("Bash", "/project", "/project")
    assert (made.tool_input["command"], made.fate) == ("echo hi > sub.txt", "ran")
    assert [one.succeeded for one in of_both[0] if isinstance(one, Ended)][-1]
    assert not any(isinstance(one, Spoken) for one in of_both[1]), "nobody spoke to the subagent"
    (slept,) = (one for one in of_both[1] if isinstance(one, Called))
    assert slept.agent_id and slept.fate == "refused"


def test_a_first_line_is_read_whole_once_it_is_there_and_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert codex_parent(str(tmp_path / "pipe.jsonl")) == ""
    path = tmp_path / "rollout.jsonl"
    path.write_text('{"type": "session_')
    assert (codex_parent(str(path)), codex_folder(str(path))) == ("", "")
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "above"}}}
    about = {"cwd": "/project", "source": source, "base_instructions": {"text": "x" * 900_000}}
    path.write_text(json.dumps({"type": "session_meta", "payload": about}) + "\n")
    assert (codex_parent(str(path)), codex_folder(str(path))) == ("above", "/project")


# What init writes, and what the doctor finds.

SETUP = HOST.setup()
WIRING = Wiring("/py", "/x/compass/__main__.py", blocks=True, said=("--wired", "recorded", "HOST=codex"))


def test_entries_close_what_gates_and_match_what_may_write():
    found = SETUP.entries(WIRING)
    assert list(found) == ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"]
    handler = found["PreToolUse"]["hooks"][0]
    assert handler["command"].endswith(CLOSING) and invocation_of(handler["command"]) is not None
    plain = SETUP.entries(Wiring("/py", "/x/compass/__main__.py", blocks=False))["PreToolUse"]["hooks"][0]
    assert CLOSING not in plain["command"]
    matcher = found["PreToolUse"]["matcher"]
    for tool in ("Bash", "apply_patch", "mcp__files__write"):
        assert SETUP.matches(matcher, tool)
    assert not SETUP.matches(matcher, "view_image") and not SETUP.matches("(", "Bash")
    assert "matcher" not in found["UserPromptSubmit"]


def test_configuration_tells_whether_hooks_run(tmp_path):
    def off(text):
        (tmp_path / "config.toml").write_text(text)
        return turns_hooks_off(codex_configuration(str(tmp_path / "config.toml")))

    assert off("[features]\nhooks = false\n") and off("[profiles.x.features]\ncodex_hooks = false\n")
    assert not off("[features]\nhooks = true\n") and not off("features = 3\n") and not off("broken [\n")
    assert codex_configuration(str(tmp_path / "none")) == {}


SERVER = """#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("id") == 1:
        print(json.dumps({{"id": 1, "result": {{}}}}), flush=True)
    if asked.get("id") == 2:
        print(json.dumps({{"method": "noise"}}), flush=True)
        print(json.dumps({answer}), flush=True)
"""


def client(tmp_path: Path, answer: object) -> dict[str, str]:
    """A program of the client's name that speaks as its app server does."""
    path = tmp_path / "bin" / "codex"
    path.parent.mkdir(exist_ok=True)
    path.write_text(SERVER.format(python=sys.executable, answer=repr(answer)))
    path.chmod(0o755)
    return {"PATH": f"{path.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}


def listed(*states: str, enabled: bool = True) -> object:
    command = SETUP.entries(WIRING)["PreToolUse"]["hooks"][0]["command"]
    hooks = [{"command": command, "trustStatus": state, "enabled": enabled} for state in states]
    hooks.append({"command": "lint", "trustStatus": "untrusted"})
    return {"id": 2, "result": {"data": [{"hooks": hooks}]}}


@corpus(
    ("answer", "ok", "word"),
    [
        (listed("trusted", "trusted"), True, "trusts all 2"),
        (listed("trusted", "modified"), False, "1 of 2 hooks are modified"),
        (listed("untrusted"), False, "are untrusted"),
        (listed("trusted", enabled=False), False, "do not run"),
        (listed(), False, "has no Compass hook"),
        ({"id": 2, "error": {"code": 1}}, None, "does not support hooks/list"),
    ],
)
def test_the_doctor_says_whether_the_client_trusts_the_hooks(tmp_path, answer, ok, word):
    hooks, trust = SETUP.findings(client(tmp_path, answer), str(tmp_path), str(tmp_path))
    assert (trust[0], trust[1]) == ("Codex trust", ok) and word in trust[2]
    assert hooks[:2] == ("Codex hooks", True)


def test_without_a_client_or_with_hooks_off_the_doctor_says_that(tmp_path):
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    hooks, trust = SETUP.findings({"PATH": ""}, str(tmp_path), "/nowhere")
    assert trust[1] is None and hooks[1] is False and "config.toml" in hooks[2]
    assert isinstance(codex_hooks("no-such-program", {}, str(tmp_path)), str)
