"""What holds of every host's adapter: odd payloads, the doctor's trial, sessions that are made up, answers as shown."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from corpora import corpus
from repository import FIXTURES
from running.hostcalls import recorded

from compass.composition.gate import wire
from compass.hook.entry import is_silent
from evaluator.errors import PayloadError
from evaluator.model import Exchange, KeptPrompt, Origin, Parent, PendingWrite
from evaluator.wire import REFUSAL
from hooks import registry
from hooks.entries import Wiring
from hooks.hosts.opencode import SESSION_VARIABLE
from hooks.registry import host_of_payload
from hooks.sessions import Called, Ended, Passed, Spoken

PRIOR = "I found two unused files: src/a.py and src/b.py."
RECORDED = {
    "chibi": ("context.jsonl", ("Look for dead code.", "grep_files ran", "Just delete it.", "Bash unknown"), PRIOR),
    "cursor": ("transcript.jsonl", ("Look for dead code.", "Grep unknown", "Just delete it.", "Bash unknown"), PRIOR),
    "codex": (
        "two-turns.jsonl", ("Please add a line.", "1", "apply_patch unknown"), "Which file: 1) notes.txt 2) plan.txt?",
    ),
    "copilot": (
        "held-and-answered.jsonl",
        ("Which files are unused?", "Just delete it.", "Bash held", "1", "Bash ran"), "Stopped.",
    ),
    "gemini": ("first.jsonl", ("Please add a line to the notes.", "Write ran"), ""),
}  # fmt: skip
"""{host: its recorded session, what was said and called there in order, and what was said before the last prompt}."""


@corpus("name", RECORDED)
def test_a_recorded_session_is_replayed_in_order_and_each_call_with_what_stood_in_the_file_then(name):
    file, story, prior = RECORDED[name]
    path, passed = str(FIXTURES / "hosts" / name / file), Passed()
    sessions = registry.host_of(name).sessions()
    then, kept, told = sessions.then(), list[KeptPrompt](), list[str]()
    found = list(sessions.session_moments(path, passed))
    for one in found:
        if isinstance(one, Spoken):
            told.append(one.text)
            kept.append(KeptPrompt(one.prompt_id, one.text, len(kept) + 1, len(kept)))
        elif isinstance(one, Called):
            told.append(f"{one.tool_name} {one.fate}")
            then.go_to(one.end)
            call = PendingWrite(name, "s", "Bash", {}, "/p", "/p", path, one.prompt_id)
            exchange = then.exchange(call, kept)
            assert (exchange.request, exchange.unwritten) == ((kept[-1].text,), ())
            assert [voice.text for voice in then.voices(call)] == [prompt.text for prompt in kept[::-1]]
    assert tuple(told) == story and exchange.prior_assistant_turn == prior and not passed.garbled
    assert [one.at for one in found] == sorted(one.at for one in found)
    ends = {one.fate == "ran" for one in found if isinstance(one, Called) and one.fate in ("ran", "held")}
    assert {one.succeeded for one in found if isinstance(one, Ended)} == ends


@corpus("name", [name for name in registry.HOSTS if name != "opencode"])
@corpus(
    "raw",
    [
        b"\xff\n[]\n",
        b'{"type": "response_item", "payload": 3}\n{"broken"',
        b'{"type": "user.message", "data": 3}\n"user.message"\n',
        b'{"$set": 3}\n{"$rewindTo": 3}\n{"id": 3, "type": "user"}\n{"id": "x"}\n',
    ],
)
def test_of_a_garbled_session_and_of_none_nothing_is_read(name, raw, tmp_path):
    source = registry.host_of(name).transcripts(None)
    (tmp_path / "x.jsonl").write_bytes(raw)
    for path in (tmp_path / "x.jsonl", tmp_path / "none", tmp_path):
        call = PendingWrite(name, "s", "Bash", {}, "/p", "/p", str(path))
        assert source.exchange(call, ()) == Exchange() and source.voices(call) == ()


def test_a_conversation_of_other_types_that_a_call_brings_is_an_empty_one():
    for said in (None, "x", [1, {}, {"role": 3}, {"role": "user", "text": 5}, {"running": True}]):
        call = opencode("bash", {"command": "ls"}, said=said)
        source = registry.host_of("opencode").transcripts(None)
        assert source.exchange(call, ()) == Exchange() and source.voices(call) == ()


def test_a_made_up_session_is_read_as_it_was_written(tmp_path):
    sessions = registry.default_host().sessions()
    path = tmp_path / "s1.jsonl"
    made = sessions.made_up(str(path), "s1")
    made.user("Delete src/a.py.", "p1")
    made.calls("Bash", {"command": "rm src/a.py"}, "t1")
    made.result("t1", "no such file", failed=True)
    made.says("It is gone.")
    made.user("Now src/b.py", "p2")
    made.calls("Bash", {"command": "rm src/b.py"}, "t2")
    made.result("t2", "done", failed=False)
    found = list(sessions.session_moments(str(path), Passed()))
    calls = [one for one in found if isinstance(one, Called)]
    assert [one.text for one in found if isinstance(one, Spoken)] == ["Delete src/a.py.", "Now src/b.py"]
    told = [(one.tool_name, one.tool_input["command"], one.fate) for one in calls]
    assert told == [("Bash", "rm src/a.py", "failed"), ("Bash", "rm src/b.py", "ran")]
    assert exchange_at(path, calls[-1].end) == Exchange(("Now src/b.py",), "It is gone.")
    whole = Exchange(("Just delete it.",), PRIOR)
    path.write_text(text := sessions.transcript(whole, "s1", "p2"))
    assert exchange_at(path, len(text.encode())) == whole


def exchange_at(path: Path, end: int) -> Exchange:
    then = registry.default_host().sessions().then()
    then.go_to(end)
    return then.exchange(PendingWrite(registry.DEFAULT, "s1", "Bash", {}, "/p", "/p", str(path), "p2"), ())


def test_what_becomes_of_an_answer_in_claude_code_and_the_person_reads_the_readings_once():
    host = registry.default_host()
    shown = host.sessions().shown
    found = shown(host.deny("Held: which one?", message="Which one?"))
    assert found.denied and "Held" in found.agent and found.person
    assert shown(host.tell("Look")).denied is shown(b"").denied is False
    with pytest.raises(ValueError, match="JSON"):
        shown(b"[]")
    told = "Compass held back: delete a.py; stop and wait for the user, who was asked which one they mean"
    whole = f"{told}: (1) delete a.py, (2) delete b.py."
    inner = json.loads(host.deny(whole, message="Which one?"))["hookSpecificOutput"]
    readings = "The user was asked which one they mean: (1) delete a.py, (2) delete b.py."
    assert (inner["permissionDecisionReason"], inner["additionalContext"]) == (f"{told}.", readings)
    inner = json.loads(host.deny(whole))["hookSpecificOutput"]
    assert inner["permissionDecisionReason"] == whole and "additionalContext" not in inner


@corpus("name", registry.HOSTS)
@corpus("raw", [b"", b"  ", b"[]", b"{", b"\xff", b'"x"', b"[" * 100_000])
def test_what_is_no_payload_is_refused_and_a_session_that_is_not_there_named(name, raw):
    with pytest.raises(PayloadError, match="no such transcript"):
        registry.host_of(name).sessions().find_transcripts(["/nowhere/none"])
    with pytest.raises(PayloadError):
        registry.host_of(name).pending_write(registry.host_of(name).parse(raw), {})


@corpus("name", registry.HOSTS)
@corpus("value", [None, 3, [], ""])
def test_a_call_without_a_session_a_tool_or_its_input_is_refused(name, value):
    host = registry.host_of(name)
    told = json.loads(host.setup().trial("/p", "s"))
    fields = {"session_id", "sessionId", "session", "parent", "conversation_id"} & told.keys()
    fields |= {"tool_name", "toolName", "tool", "tool_input", "toolArgs", "args", "data"} & told.keys()
    # Cursor's payloads without a name were seen, and a call that reads needs no input there.
    fields -= {"tool_name", "tool_input"} if name == "cursor" else set()
    assert fields
    for field in fields:
        with pytest.raises(PayloadError):
            host.pending_write(host.parse(json.dumps({**told, field: value}).encode()), {})


ANSWERS: dict[str, tuple[object, object, object, object]] = {
    "claude-code": (
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
         "permissionDecisionReason": "why"}, "continue": False, "stopReason": "why", "systemMessage": "you"},
        {"systemMessage": "down"},
        {"systemMessage": "you", "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "it"}},
        {"continue": False, "stopReason": "Paused."},
    ),
    "codex": (
        "why\n\nyou",
        {"systemMessage": "down"},
        {"systemMessage": "you", "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "it"}},
        None,
    ),
    "copilot": (
        {"permissionDecision": "deny", "permissionDecisionReason": "you\nwhy"},
        {"additionalContext": "Show the user this notice from Compass word for word:\ndown"},
        {"additionalContext": "it\n\nShow the user this notice from Compass word for word:\nyou"},
        None,
    ),
    "cursor": (
        {"permission": "deny", "user_message": "you", "agent_message": "why"},
        {"permission": "allow", "user_message": "down"},
        {"additional_context": "it"},
        None,
    ),
    "gemini": (
        {"decision": "deny", "reason": "why", "continue": False, "stopReason": "why", "systemMessage": "you"},
        {"systemMessage": "down"},
        {"systemMessage": "you", "hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "it"}},
        {"continue": False, "stopReason": "Paused."},
    ),
    "opencode": (
        {"deny": "why", "stop": True, "say": "you"},
        {"say": "down"},
        {"say": "you", "agent": "it\n\nShow this to the user word for word:\nyou"},
        None,
    ),
}  # fmt: skip
"""{host: a denial that ends the turn, a notice, what is told after a call, a prompt that is stopped}."""


@corpus("name", ANSWERS)
def test_answers_are_in_the_hosts_words_and_have_no_key_that_it_does_not_know(name):
    host, (denial, notice, told, stopped) = registry.host_of(name), ANSWERS[name]
    found = host.deny("why", ends_turn=True, message="you")
    by_stderr = found.startswith(REFUSAL)
    assert (found.removeprefix(REFUSAL).decode() if by_stderr else json.loads(found)) == denial
    assert json.loads(host.tell("down")) == notice
    assert json.loads(host.inform("post-tool-use", "it", "you")) == told
    assert host.STOPS_PROMPTS is (stopped is not None)
    if stopped:
        assert json.loads(host.stop_prompt("Paused.")) == stopped


@corpus("name", registry.HOSTS)
def test_the_call_that_the_doctor_tries_only_reads_and_a_denial_is_known(name):
    host = registry.host_of(name)
    raw = host.setup().trial('/p "q"', "s")
    assert is_silent("pre-tool-use", raw, lambda: host)
    call = host.pending_write(host.parse(raw), {"CHIBI_PROJECT_ROOT": '/p "q"'})
    assert call.tool_name in host.NEVER_WRITES and '/p "q"/README.md' in call.tool_input.values()
    assert call.cwd == '/p "q"' and call.session_id.endswith("s")
    denial = host.deny("no")
    by_stderr = denial.startswith(REFUSAL)
    ended = (2, b"", denial.removeprefix(REFUSAL)) if by_stderr else (0, denial, b"")
    assert host.setup().refuses(*ended)
    assert not host.setup().refuses(0, host.tell("x"), b"") and not host.setup().refuses(0, b"", b"")


PLACES = {
    "chibi": ("CHIBI_HOME", ".chibi/plugins/compass", "plugins/compass"),
    "codex": ("CODEX_HOME", ".codex/hooks.json", "hooks.json"),
    "copilot": ("COPILOT_HOME", ".copilot/hooks/compass.json", "hooks/compass.json"),
    "gemini": ("GEMINI_CLI_HOME", ".gemini/settings.json", ".gemini/settings.json"),
    "opencode": ("XDG_CONFIG_HOME", ".config/opencode/plugin/compass.js", "opencode/plugin/compass.js"),
}


@corpus("name", PLACES)
def test_the_file_that_init_writes_follows_the_hosts_folder_by_an_absolute_path_alone(name):
    variable, usual, moved = PLACES[name]
    where = registry.host_of(name).setup().user_file
    assert where({}, "/home/u") == where({variable: "there"}, "/home/u") == f"/home/u/{usual}"
    assert where({variable: "/other"}, "/home/u") == f"/other/{moved}"


LINT = {"type": "command", "command": "./lint.sh"}
OTHERS: dict[str, dict[str, object]] = {
    "claude-code": {
        "ui": 1, "hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [LINT]}], "Stop": [{"hooks": [LINT]}]},
    },
    "codex": {"hooks": {"PreToolUse": [{"hooks": [LINT]}], "Stop": [{"hooks": [LINT]}]}, "x": 1},
    "gemini": {"ui": {"theme": "x"}, "hooks": {"BeforeTool": [{"matcher": "write", "hooks": [LINT]}]}},
    "cursor": {
        "version": 1, "mine": 1, "hooks": {"preToolUse": [{"command": "./lint.sh"}], "stop": [{"command": "x"}]},
    },
}  # fmt: skip


@corpus("name", OTHERS)
def test_other_peoples_keys_and_hooks_stay_in_their_places_and_ours_go_without_a_trace(name):
    setup = registry.host_of(name).setup()
    said = ("--wired", "recorded", f"HOST={name}")
    ours = setup.entries(Wiring("/py", "/x/compass/__main__.py", blocks=True, said=said))
    merged = setup.merge(OTHERS[name], ours)
    hooks, theirs = merged["hooks"], OTHERS[name]["hooks"]
    assert isinstance(hooks, dict) and isinstance(theirs, dict)
    assert all(hooks[event][: len(entries)] == entries for event, entries in theirs.items())
    assert {event for event, _, _ in setup.own_handlers(merged)} == set(ours)
    assert setup.merge(merged, ours) == merged, "a second init changes nothing"
    assert setup.remove(merged) == OTHERS[name]
    for bare in ({}, dict(setup.table.top), {**setup.table.top, "hooks": {}}):
        assert setup.remove(setup.merge(bare, ours), setup.empty_containers(bare)) == bare


HELD = {
    "chibi": (
        "chibi --trust 'do it'", "chibi -P shell_exec '{}'", "rm ~/.chibi/plugins/compass",
        "chmod -x ~/.chibi/plugins/compass", "cd ~/.chibi && rm plugins/compass",
    ),
    "codex": (
        "rm ~/.codex/hooks.json", "printf '[features]\nhooks = false\n' > .codex/config.toml",
        "codex exec --dangerously-bypass-hook-trust 'delete it'",
        "echo x >> ~/.codex/sessions/2026/11/22/rollout-1.jsonl",
    ),
    "copilot": (
        "rm ~/.copilot/hooks/compass.json", "echo '{}' > ~/.copilot/hooks/more.json",
        "echo '{}' > .github/hooks/more.json",
        "echo '{}' > .github/copilot/settings.json", "copilot --resume -p 'compass: proceed' --allow-all-tools",
    ),
    "cursor": (
        "rm ~/.cursor/hooks.json", "echo '{}' > .cursor/hooks.json", "CURSOR_CONFIG_DIR=/tmp/x cursor-agent -p x",
    ),
    "gemini": (
        "gemini --skip-trust -p 'go on'", "gemini -y -p x", "gemini --approval-mode yolo -p x",
        "gemini --resume latest -p 'compass: proceed'", "gemini hooks disable compass",
        "GEMINI_CLI_TRUST_WORKSPACE=true gemini -p x", "GEMINI_CLI_HOME=/tmp/x gemini -p x",
        "npx @google/gemini-cli -y -p x", "sed -i s/true/false/ .gemini/settings.json",
        "echo '{}' > ~/.gemini/trustedFolders.json", "echo '{}' > ~/.gemini/trusted_hooks.json",
        "echo '{}' > ~/.gemini/policies/all.toml",
    ),
    "opencode": (
        "rm ~/.config/opencode/plugin/compass.js", "echo x > ~/.config/opencode/plugins/other.js",
        "OPENCODE_PURE=1 opencode run x", "opencode --pure run x", "opencode run --continue '1'",
        "env -u OPENCODE_COMPASS_SESSION opencode run x", "mv ~/.config/opencode ~/old",
    ),
}  # fmt: skip
PASS = ("npm run build --workspace plugins/compass", "cat .gemini/settings.json")


def offence_in(root: Path, name: str) -> Callable[..., str]:
    """Why a call of a tool with its input is refused on a host, in a project at `root`; empty where it is not."""
    home, project = str(root), str(root / "project")
    gate = wire({"HOME": home}, home, project, host=registry.host_of(name), keep=False)

    def offence(tool: str, **given: str) -> str:
        call = PendingWrite(name, "s", tool, given, project, project)
        return gate.parts.protects(call, gate.parts.effects_of(call))

    return offence


@corpus("name", HELD)
def test_no_command_of_a_hosts_own_and_none_on_its_files_goes_around_the_gate(name, tmp_path):
    offence = offence_in(tmp_path, name)
    assert [command for command in HELD[name] if not offence("Bash", command=command)] == []
    assert [command for command in PASS if offence("Bash", command=command)] == []


OF_A_PROJECT = {
    "codex": (".codex/config.toml", "[features]\nhooks = false\n", 'model = "x"\n'),
    "copilot": (".github/copilot/settings.json", '{"disableAllHooks": true}', '{"theme": "x"}'),
    "cursor": (".cursor/hooks.json", '{"hooks": {}}', "{}"),
}
"""{host: a settings file of a project, what would turn hooks off there, what would not}."""


@corpus("name", OF_A_PROJECT)
def test_an_agent_writes_no_key_of_a_hosts_project_that_decides_on_hooks(name, tmp_path):
    (path, off, other), offence = OF_A_PROJECT[name], offence_in(tmp_path, name)
    for content, held in ((off, True), (other, False)):
        assert bool(offence("Write", file_path=f"{tmp_path}/project/{path}", content=content)) is held


# A field in Compass's words beside the host's own says nothing of the call: the host does not read it.

PATCH = "*** Begin Patch\n*** Delete File: {}\n*** End Patch\n"


def pending(name, payload):
    host = registry.host_of(name)
    return host.pending_write(host.parse(json.dumps(payload).encode()), {"HOME": "/home/user"})


def copilot(tool, given):
    return pending("copilot", {"sessionId": "s", "cwd": "/project", "toolName": tool, "toolArgs": given})


def opencode(tool, args, **more):
    made = {"session": "s", "project": "/project", "tool": tool, "args": args, "call": "c"}
    return pending("opencode", made | more)


@pytest.mark.parametrize("decoy_first", [True, False])
def test_the_path_that_the_host_writes_is_the_one_that_is_judged(decoy_first):
    def ordered(real, decoy):
        return {**decoy, **real} if decoy_first else {**real, **decoy}

    decoy = {"file_path": "harmless.txt", "content": "x"}
    call = copilot("create", ordered({"path": "real.txt", "file_text": "y"}, decoy))
    assert (call.tool_input["file_path"], call.tool_input["content"]) == ("real.txt", "y")
    call = opencode("write", ordered({"filePath": "real.txt"}, {"file_path": "harmless.txt"}))
    assert call.tool_input["file_path"] == "real.txt"
    patched = ordered({"patchText": PATCH.format("real.txt")}, {"input": PATCH.format("harmless.txt")})
    assert opencode("apply_patch", patched).tool_input["input"] == PATCH.format("real.txt")


def test_a_list_of_edits_hides_no_edit_and_two_spellings_are_no_call_where_nobody_knows_which_is_read():
    for call in (
        copilot("edit", {"path": "a", "old_str": "b", "new_str": "c", "edits": []}),
        opencode("edit", {"filePath": "a", "oldString": "b", "newString": "c", "edits": []}),
    ):
        assert "edits" not in call.tool_input
        assert (call.tool_input["old_string"], call.tool_input["new_string"]) == ("b", "c")
    about = {"conversation_id": "s", "workspace_roots": ["/project"], "hook_event_name": "preToolUse"}
    given = {"path": "real.txt", "file_path": "real.txt", "contents": ""}
    same = pending("cursor", about | {"tool_name": "Write", "tool_input": given})
    assert same.tool_input["file_path"] == "real.txt"
    with pytest.raises(PayloadError, match="more than one"):
        pending("cursor", about | {"tool_name": "Write", "tool_input": given | {"file_path": "harmless.txt"}})


def test_a_client_that_an_agents_tool_started_comes_from_that_agents_call():
    gemini, opencode = map(registry.host_of, ("gemini", "opencode"))
    assert gemini.origin({}, None, "s", "") is opencode.origin({}, None, "s", "") is None
    assert gemini.origin({"GEMINI_CLI": "1"}, None, "s", "") == Origin()
    env = {SESSION_VARIABLE: "ses_1"}
    assert opencode.origin(env, None, "ses_2", "") == Origin((Parent("ses_1", ""),))
    assert opencode.origin(env, None, "ses_1", "") is None


SERVERS = {
    "copilot": {
        "my-files-write_file": "my-files__write_file", "server-look-": "server__look-", "report_intent": "",
        "github-mcp-server-create_or_update_file": "github-mcp-server__create_or_update_file",
        "notion-notion-create-pages": "notion__notion-create-pages", "some-server-look_at": "some-server__look_at",
    },
    "gemini": {
        "mcp_files_write_file": "files__write_file", "mcp_my_files_write_file": "my_files__write_file",
        "mcp_my_files_look": "my__files_look", "mcp_look_": "look_", "some_extension_tool": "",
        "discovered_tool_write_file": "discovered__write_file",
    },
}  # fmt: skip
"""{host: {its name of a tool: server and tool, empty for one of no server}}, where nothing else says of which it is."""


@corpus("host", SERVERS)
def test_a_tool_of_an_mcp_server_is_named_by_server_and_tool(host):
    for name, known in SERVERS[host].items():
        gemini = {"session_id": "s", "tool_name": name, "tool_input": {}}
        call = copilot(name, {}) if host == "copilot" else pending(host, gemini)
        assert call.tool_name == (f"mcp__{known}" if known else name)


# Every recorded payload of a call is known for its host's, and for no other's.


def payloads(host):
    for row in recorded(FIXTURES / "hosts" / host / "payloads.jsonl"):
        payload = row.get("payload", row.get("stdin", row))
        yield json.loads(payload) if isinstance(payload, str) else payload


def is_call(payload):
    """Of a call that is about to be made, by what every host but chibi calls its fields."""
    ended = {"tool_response", "toolResult", "tool_output", "error", "error_message"}
    named = not {"tool_name", "toolName", "tool", "tool_input"}.isdisjoint(payload)
    return (named or payload.get("hook") == "pre_tool") and ended.isdisjoint(payload)


@corpus("host", [name for name in registry.HOSTS if name != registry.DEFAULT])
def test_a_recorded_call_is_known_by_its_shape(host):
    calls = [payload for payload in payloads(host) if is_call(payload)]
    assert calls
    assert {host_of_payload(payload) for payload in calls} == {host}


def test_those_of_claude_code_are_taken_for_its_own_and_what_several_claim_or_none_for_no_others():
    found = [json.loads(path.read_text()) for path in FIXTURES.glob("claude-code/hooks/*/*PreToolUse*.json")]
    assert len(found) > 5
    assert {host_of_payload(payload.get("payload", payload)) for payload in found} == {registry.DEFAULT}
    both = {"cursor_version": "1", "hook_event_name": "BeforeTool"}
    for payload in ({}, both, {"hook_event_name": ["BeforeTool"]}):
        assert host_of_payload(payload) == registry.DEFAULT
