"""`compass init` and `compass doctor` in a home and a project of the test's own, with nothing of the real environment.

A test file takes the fixtures by name, as in `home, project = ownhome.home, ownhome.project`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compass.cli import main
from compass.composition.settings import load
from compass.install.consent import agent_marks
from evaluator.settings import layers
from hooks.entries import Wiring
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()
entries = SETUP.entries
merge = SETUP.merge

LOCAL = Path(".claude") / "settings.local.json"
DENY = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'
BY_POLICY = f"if b'Read' not in stdin: print('{DENY}')"
Doctor = Callable[[], dict[str, dict[str, Any]]]
Wire = Callable[..., Path]


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"]
    said = subprocess.check_output(["git", "-C", str(folder), *identity, *words], text=True)
    return str(said)


def state(home: Path) -> Path:
    return home / ".onlooker" / "compass"


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def loaded(home: Path, project: Path) -> layers.Loaded:
    return load({}, str(home), str(project))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty; `bin` beside it comes first on the PATH."""
    folder, programs = tmp_path / "home", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    ours = ("COMPASS_", "ONLOOKER_", "CLAUDE_", "ANTHROPIC_", "GIT_")
    for name in [name for name in os.environ if name.startswith(ours) or name in agent_marks()]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setitem(HOST.told["setup"], "managed_file", str(tmp_path / "managed-settings.json"))
    return folder


def entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "it's a $project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder.resolve()


@pytest.fixture
def project(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, without git."""
    return entered(tmp_path, monkeypatch)


@pytest.fixture
def repository(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is a git repository; a test file names it `project`."""
    folder = entered(tmp_path, monkeypatch)
    git(folder, "init", "-q", "-b", "main")
    return folder


class Initialized:
    """`compass init` in the folder that was entered last, and what it wrote."""

    def __init__(self, home: Path, project: Path, patch: pytest.MonkeyPatch, capsys: Any) -> None:
        self.home, self.project = home, project
        self._patch, self._capsys = patch, capsys

    def run(self, command: str, *words: str) -> Any:
        """The document of a command with --json."""
        return json.loads(self.said(command, "--json", *words)[0])

    def init(self, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = self.run("init", *words)
        return found

    def said(self, *words: str, code: int = 0) -> tuple[str, str]:
        """What a person is shown on stdout and on stderr."""
        self._capsys.readouterr()
        ended = main([*words])
        said = self._capsys.readouterr()
        assert ended == code, said.err
        return said.out, said.err

    def enter(self, name: str, *, repository: bool = True) -> Path:
        """Another project beside the first."""
        self.project = (self.home.parent / name).resolve()
        self.project.mkdir(exist_ok=True)
        self._patch.chdir(self.project)
        if repository:
            git(self.project, "init", "-q", "-b", "main")
        return self.project

    def put(self, text: str) -> Path:
        """The host's settings file of the project."""
        self.local.parent.mkdir(exist_ok=True)
        self.local.write_text(text)
        return self.local

    def files(self) -> dict[Path, bytes]:
        """Of home and project, without git's objects."""
        below = [*self.home.rglob("*"), *self.project.rglob("*")]
        return {path: path.read_bytes() for path in below if path.is_file() and "objects" not in path.parts}

    def wired_in(self, path: Path) -> dict[str, dict[str, Any]]:
        """Our handler of each event."""
        return {event: handler for event, _, handler in SETUP.own_handlers(read(path))}

    @property
    def wired(self) -> dict[str, dict[str, Any]]:
        return self.wired_in(self.local)

    @property
    def local(self) -> Path:
        return self.project / LOCAL

    @property
    def own(self) -> Path:
        """The user's settings for this project."""
        return Path(layers.user_project_file({}, str(self.home), str(self.project)))

    @property
    def state(self) -> str:
        return str(state(self.home))

    @property
    def loaded(self) -> layers.Loaded:
        return loaded(self.home, self.project)


@pytest.fixture
def here(
    home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Initialized:
    return Initialized(home, project, monkeypatch, capsys)


@pytest.fixture
def doctor(project: Path, capsys: pytest.CaptureFixture[str]) -> Doctor:
    """Runs the command; asserts that the exit code says whether all is well, gives findings by name."""

    def call() -> dict[str, dict[str, Any]]:
        capsys.readouterr()
        code = main(["doctor", "--json"])
        findings = json.loads(capsys.readouterr().out)
        assert all(set(item) == {"name", "ok", "warns", "detail"} for item in findings)
        assert code == (0 if all(item["ok"] for item in findings) else 1)
        return {item["name"]: item for item in findings}

    return call


@pytest.fixture
def wire(tmp_path: Path, project: Path) -> Wire:
    """Wires a stand-in for the hook, whose body is given, into the project; enables and enforces."""

    def call(body: str, *, blocks: bool = True, enforce: bool = True) -> Path:
        script = tmp_path / "a stand-in" / "compass" / "__main__.py"
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(f"import sys\nstdin = sys.stdin.buffer.read()\n{body}\n", encoding="utf-8")
        main(["init", "--enforce" if enforce else "--observe", "--json"])
        path = project / LOCAL
        settings = merge({}, entries(Wiring(sys.executable, str(script), blocks)))
        path.write_text(json.dumps(settings), encoding="utf-8")
        return path

    return call


def change(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**read(path), **values}), encoding="utf-8")
