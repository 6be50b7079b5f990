"""The plugin's hook script under real shells: silent before init, by policy after the interpreter is gone."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from repository import ROOT
from running.hookrun import denial
from running.processes import finished

from hooks.hosts.claude_code.host import HOST
from hooks.hosts.claude_code.setup import TIMEOUT_SECONDS, matcher_of, matches

ANSWER_TOOLS = HOST.told["setup"]["heard_tools"][:2]
EVENTS = {name: word for word, name in HOST.EVENTS.items()}

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
    for event in {*EVENTS.values()} - {"session-start"}:
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
    for event in {*EVENTS.values()} - {"session-start"}:
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
    assert list(table) == list(EVENTS)
    for event, word in EVENTS.items():
        (group,) = table[event]
        (handler,) = group["hooks"]
        assert group.get("matcher") == matcher_of(event)
        assert handler["command"] == f'sh "${{CLAUDE_PLUGIN_ROOT}}/hooks/plugin.sh" {word}'
        assert handler["timeout"] == TIMEOUT_SECONDS
        assert handler.get("onFailure") == ("block" if event == "PreToolUse" else None)
    assert all(matches(table["PostToolUse"][0]["matcher"], tool) for tool in ANSWER_TOOLS)
