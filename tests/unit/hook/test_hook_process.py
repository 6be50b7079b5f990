"""The hook as a process: bad input, faults, and a project that is hostile; and the plugin's script that starts it."""

import json
import os
import shutil
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from corpora import corpus
from repository import ROOT
from running.hookrun import Place, deletion, denial
from running.processes import finished

from evaluator.processes import process_of
from evaluator.state.store import open_store
from hooks.entries import EVENTS
from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.setup import TIMEOUT_SECONDS, matcher_of, matches


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


CLEAR = "Create notes.txt with a line that says hello"
BAD_STDIN = [
    b"", b"{oops", b"[1, 2]", b"null", b"[" * 100_000, b"\xff\xfe\x00{}", b'{"session_id": "s", "cwd": "/"}',
    b'{"session_id": "s", "tool_name": 3, "tool_input": {}}',
    b'{"session_id": "s", "tool_name": "Write", "tool_input": "x"}',
    b'{"session_id": {}, "tool_name": "Write", "tool_input": {}}', b'{"tool_name": "Write", "tool_input": {}}',
]  # fmt: skip


@corpus("raw", BAD_STDIN, ids=lambda raw: raw[:60], each={"place": Place})
def test_bad_stdin_is_denied_under_the_closed_policy_and_named(place, raw):
    done = place.hook("pre-tool-use", raw)
    reason = denial(done)
    assert reason is not None and "could not check" in reason
    assert b"compass: pre-tool-use:" in done.stderr
    assert "pre-tool-use" in (place.state / "compass" / "faults.log").read_text()


def test_bad_stdin_passes_where_the_policy_is_open_and_too_much_is_denied_where_it_is_not(place):
    reason = denial(place.hook("pre-tool-use", b" " * (64 * 1024 * 1024 + 1)))
    assert reason is not None and "too large" in reason
    for name, value in (("ERROR_POLICY", "open"), ("MODE", "observe"), ("ENABLED", "false")):
        place.env = {f"COMPASS_{name}": value}
        assert denial(place.hook("pre-tool-use", b"{oops")) is None


OTHERS = [*(event for event in EVENTS if event != "pre-tool-use"), "pre-flight"]


@corpus("event", OTHERS, each={"place": Place})
def test_other_events_and_unknown_ones_never_print_whatever_they_are_given(place, event):
    for raw in (b"", b"{oops", b"{}", b'{"session_id": 3}'):
        done = place.hook(event, raw)
        assert (done.returncode, done.stdout) == (0, b"")


@corpus(
    "identifier",
    ["../../etc/passwd", "a\nb", "nul\x00", "x" * 1_000_000, "\ud800", "'; drop table checks; --"],
    each={"place": Place},
)
def test_ids_from_outside_are_data(place, identifier):
    place.say(CLEAR)
    ids = dict.fromkeys(("session_id", "prompt_id", "tool_use_id", "agent_id"), identifier)
    for event in EVENTS:
        done = place.hook(event, place.payload(prompt=CLEAR, **ids))
        assert done.returncode == 0 and b"Error" not in done.stderr, done.stderr
    outside = {path.name for path in place.root.iterdir()}
    assert outside == {"home", "project", "state", "transcript.jsonl"}


def test_a_transcript_that_cannot_be_used_still_gets_an_answer(place):
    half = b'{"type":"user","message":{"role":"user","content":"half'
    broken = [b"", b"\x00" * 1000, b"{\n[\nnull\n", b"\xff" * 4096, half]
    files = [place.root / f"{number}.jsonl" for number in range(len(broken))]
    for file, content in zip(files, broken, strict=True):
        file.write_bytes(content)
    for path in (*map(str, files), str(place.root), str(place.root / "nowhere.jsonl"), "\x00", ""):
        done = place.hook("pre-tool-use", place.payload(transcript_path=path))
        denial(done)
        assert b"Error" not in done.stderr, path


def test_a_project_cannot_put_its_own_modules_before_ours(tmp_path):
    place = Place(tmp_path, forked=False)
    for name in ("json", "sqlite3", "hooks", "compass", "evaluator", "sitecustomize"):
        (place.project / f"{name}.py").write_text("raise SystemExit('hijacked')\n")
    place.env["PYTHONPATH"] = str(place.project)
    place.env["PYTHONSTARTUP"] = str(place.project / "json.py")
    place.say(CLEAR)
    done = place.hook("pre-tool-use", place.payload())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert [event["event_type"] for event in place.events()] == ["compass.check.skipped"]
    reason = denial(place.hook("pre-tool-use", deletion(place)))
    assert reason is not None and "src/old_auth.py" in reason
    assert [event["event_type"] for event in place.events()][1:] == ["compass.check.failed"]


def test_a_prompt_that_is_not_in_the_transcript_yet_is_the_one_kept_and_a_machines_is_not(place):
    prompt = {"session_id": "session-1", "cwd": str(place.project), "prompt_id": "prompt-1", "prompt": CLEAR}
    place.hook("user-prompt-submit", prompt)
    note = {**prompt, "prompt": "<task-notification>\ndone\n</task-notification>"}
    place.hook("user-prompt-submit", {**note, "prompt_id": "prompt-2"})
    assert denial(place.hook("pre-tool-use", place.payload())) is None
    record = json.loads(place.command("explain", "--json").stdout)
    assert record["current_request"] == CLEAR


@corpus(
    "path",
    ["a\0b.txt", "a\ud800.txt", "x/" * 20_000 + "a.txt", "../" * 5000 + "a.txt"],
    ids=["NUL", "lone surrogate", "long", "many steps up"],
    each={"place": Place},
)
def test_a_path_that_no_system_takes_is_judged_as_data(place, path):
    """It is no fault of Compass: a verdict is given, and no cause of a failure is told."""
    place.say("Why is the parser slow?")
    done = place.hook("pre-tool-use", place.payload(given={"file_path": path, "content": "x"}))
    reason = denial(done)
    assert done.stderr == b""
    assert reason is None or "could not check" not in reason


# Whose hook may stay out as our own reader's: the token's, and only below the process that issued it.


def nested(place, token):
    place.env["COMPASS_NESTED"] = token
    place.say("What does this do?")
    return place.hook("pre-tool-use", place.payload("Bash", {"command": "rm -rf src"}))


def issued(place, pid):
    """A token that the process `pid` holds, as the state has it."""
    found = process_of(str(pid))
    assert found is not None
    with closing(open_store(str(place.state / "compass"), now=time.time()).store) as store:
        return store.issue_token(time.time(), 3600.0, found.name)


def test_a_token_holds_for_hooks_below_its_issuer_alone(tmp_path):
    place = Place(tmp_path, forked=False)
    done = nested(place, issued(place, os.getpid()))
    assert (done.returncode, done.stdout) == (0, b"")
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            assert denial(nested(place, issued(place, other.pid)))
        finally:
            other.kill()
    assert "a reader process's token" in (denial(nested(place, "warm")) or "")


# The plugin's hook script under real shells: silent before init, by policy after the interpreter is gone.

WORDS = {name: word for word, name in HOST.EVENTS.items()}

PLUGIN = ROOT / "hooks" / "plugin.sh"
SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox") if shutil.which(shell)]
FAKE = 'printf "args: %s\\nplugin: %s\\n" "$*" "$COMPASS_VIA_PLUGIN"\ncat'
BIG_PAYLOAD = b'{"x": "' + b"a" * 300_000 + b'"}'


@pytest.fixture(params=SHELLS)
def shell(request):
    """By its path: it need not lie in the script's PATH."""
    return [str(shutil.which(request.param)), *(["sh"] if request.param == "busybox" else [])]


def run(shell: list[str], home: Path, event="pre-tool-use", stdin=b"{}", **env: str):
    env = {"PATH": os.environ["PATH"], "HOME": str(home)} | env
    return finished([*shell, str(PLUGIN), event], stdin, env=env, timeout=20)


def executable(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def record(folder: Path, interpreter: Path, script: Path, policy: str):
    (folder / "compass").mkdir(parents=True, exist_ok=True)
    (folder / "compass" / "interpreter").write_text(f"{interpreter}\n{script}\n{policy}\n", encoding="utf-8")


def program(folder: Path, body: str = FAKE) -> tuple[Path, Path]:
    interpreter, script = executable(folder / "python", body), folder / "__main__.py"
    script.write_text("", encoding="utf-8")
    return interpreter, script


def bare_path(folder: Path, *more: str) -> str:
    """A PATH with what the script itself needs, and stand-ins of the programs named `more`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("cat", "tr", "sed", "dirname"):
        (folder / name).symlink_to(str(shutil.which(name)))
    for name in more:
        executable(folder / name, "echo never run >&2\nexit 9")
    return str(folder)


def assert_silent(done: subprocess.CompletedProcess[bytes]):
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def told(done: subprocess.CompletedProcess[bytes]) -> str:
    """What the person reads; the answer decides nothing."""
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout)
    assert list(answer) == ["systemMessage"]
    return str(answer["systemMessage"])


INSTALLS = [((), "pipx install "), (("uv",), "uv tool install "), (("uv", "pipx"), "pipx install ")]


@pytest.mark.parametrize(("programs", "line"), INSTALLS)
def test_before_init_a_missing_program_is_named_with_its_line_of_install(shell, tmp_path, programs, line):
    path = bare_path(tmp_path / "bin", *programs)
    said = told(run(shell, tmp_path, "session-start", stdin=BIG_PAYLOAD, PATH=path))
    assert said.splitlines()[0].startswith("Compass: ")
    assert f"  {line}'{ROOT}'" in said.splitlines()
    assert "compass init --plugin" in said
    for event in {*WORDS.values()} - {"session-start"}:
        assert_silent(run(shell, tmp_path, event, stdin=BIG_PAYLOAD, PATH=path))
    executable(tmp_path / ".local" / "bin" / "compass", "")
    assert_silent(run(shell, tmp_path, "session-start", PATH=path))


@pytest.mark.parametrize("policy", ["closed", "open", "", "nonsense"])
def test_after_init_the_start_of_a_session_says_that_the_interpreter_is_gone(shell, tmp_path, policy):
    """Only the gate itself denies, and only under a closed policy."""
    record(tmp_path / ".onlooker", tmp_path / "gone", tmp_path / "gone.py", policy)
    said = told(run(shell, tmp_path, "session-start"))
    does = "every write is blocked" if policy == "closed" else "writes pass unchecked"
    assert str(tmp_path / "gone") in said and does in said and "install " in said
    for event in {*WORDS.values()} - {"session-start"}:
        if (event, policy) != ("pre-tool-use", "closed"):
            done = run(shell, tmp_path, event, stdin=BIG_PAYLOAD)
            assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize(("policy", "folder"), [("closed", "plain"), ("open", 'it\'s "$HOME" `id` \\n')])
def test_it_runs_the_recorded_interpreter_isolated(shell, tmp_path, policy, folder):
    interpreter, script = program(tmp_path / folder)
    record(tmp_path / "moved", interpreter, script, policy)
    work = {"ONLOOKER_DIR": str(tmp_path / "moved"), "CLAUDE_PROJECT_DIR": str(tmp_path / "work")}
    done = run(shell, tmp_path, stdin=b'{"a": 1}', **work)
    ran = [f"args: -I -S {script} hook pre-tool-use", "plugin: 1", '{"a": 1}']
    assert (done.returncode, done.stdout.decode().splitlines()) == (0, ran)


@pytest.mark.parametrize("value", ["{project}/state", "state", "{project}"])
def test_a_project_cannot_name_the_interpreter(shell, tmp_path, value):
    """Its `env` block may set ONLOOKER_DIR; what lies inside of the project is not believed."""
    project = tmp_path / "work"
    evil, script = program(project / "evil", "echo evil")
    for folder in (project / "state", project):
        record(folder, evil, script, "open")
    good, good_script = program(tmp_path / "venv")
    record(tmp_path / ".onlooker", good, good_script, "closed")
    done = run(shell, tmp_path, ONLOOKER_DIR=value.format(project=project), CLAUDE_PROJECT_DIR=str(project))
    assert done.stdout.startswith(f"args: -I -S {good_script}".encode())


@pytest.mark.parametrize("missing", ["python", "__main__.py"])
def test_a_closed_policy_denies_when_the_interpreter_is_gone(shell, tmp_path, missing):
    home = tmp_path / 'the "home" \\ of'
    interpreter, script = program(tmp_path / "venv")
    record(home / ".onlooker", interpreter, script, "closed")
    (tmp_path / "venv" / missing).unlink()
    done = run(shell, home, stdin=BIG_PAYLOAD)
    reason = denial(done) or ""
    assert "compass init" in reason and str(home / ".onlooker" / "compass" / "interpreter") in reason


@pytest.mark.parametrize(("policy", "code", "stdout"), [("closed", 3, b"{half"), ("open", 0, b"")])
def test_a_hook_that_breaks_fails_only_under_a_closed_policy(shell, tmp_path, policy, code, stdout):
    """The hook table blocks on failure, so an open policy must not fail."""
    interpreter, script = program(tmp_path / "venv", "cat >/dev/null\nprintf '{half'\nexit 3")
    record(tmp_path / ".onlooker", interpreter, script, policy)
    done = run(shell, tmp_path)
    assert (done.returncode, done.stdout) == (code, stdout)


def test_the_plugins_table_says_what_init_would_write():
    table = json.loads((ROOT / "hooks" / "hooks.json").read_text(encoding="utf-8"))["hooks"]
    assert list(table) == list(WORDS)
    for event, word in WORDS.items():
        (group,) = table[event]
        (handler,) = group["hooks"]
        assert group.get("matcher") == matcher_of(event)
        assert handler["command"] == f'sh "${{CLAUDE_PLUGIN_ROOT}}/hooks/plugin.sh" {word}'
        assert handler["timeout"] == TIMEOUT_SECONDS
        assert handler.get("onFailure") == ("block" if event == "PreToolUse" else None)
    assert all(
        matches(table["PostToolUse"][0]["matcher"], tool) for tool in HOST.told["setup"]["heard_tools"][:2]
    )
