"""Sessions of several agents on one project: one state, and nothing of one request in another's."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from played.hosts.payload import payload_of
from running import forked
from running.hookrun import MAIN, command

from hooks import registry

HOSTS = sorted(registry.HOSTS)


class Project:
    """A home in which every agent is wired, and calls of each as its entry makes them."""

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        for folder in (self.home, self.project):
            folder.mkdir()
        self.env = {
            "HOME": str(self.home),
            "PATH": os.defpath,
            "COMPASS_SERVICE__ENABLED": "false",
            "COMPASS_EVALUATOR__BACKEND": "embedded",
        }
        subprocess.run(["git", "init", "-q"], cwd=self.project, env=self.env, check=True)
        for name in ("a.py", "b.py"):
            (self.project / name).write_text("x = 1\n")
        self.compass("init", "--enforce", "--backend", "embedded", "--yes")

    def compass(self, *words: str) -> str:
        done = command(words, env=self.env, cwd=self.project)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def holds(self, name: str, session: str) -> bool:
        """Whether a delete is held that no request asks for."""
        setup = registry.host_of(name).setup()
        payload = payload_of(name, "Bash", {"command": "rm a.py"}, str(self.project), session)
        words = () if name == registry.DEFAULT else ("--wired", "recorded", f"HOST={name}")
        called = ("hook", "pre-tool-use", *words)
        done = forked.run(MAIN, called, payload, env=self.env, cwd=self.project, timeout=60, site=False)
        assert b"Traceback" not in done.stderr
        return setup.refuses(done.returncode, done.stdout, done.stderr)

    def checks(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.compass("log", "--json", "-n", "50").splitlines()]

    def events(self) -> list[dict[str, Any]]:
        log = self.home / ".onlooker" / "logs" / "onlooker-events.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    found = Project(tmp_path_factory.mktemp("shared"))
    for name in HOSTS:
        assert found.holds(name, f"session-of-{name}"), name
    return found


@pytest.mark.full
def test_a_denial_of_one_agent_is_not_remembered_in_another(project: Project) -> None:
    """The very same call, made in each in turn, was judged anew each time."""
    reasons = {check["reason"] for check in project.checks()}
    assert len(project.checks()) == len(HOSTS)
    assert "denied_before" not in reasons


def test_the_second_time_it_is(project: Project) -> None:
    first = len(project.checks())
    assert project.holds("codex", "session-of-codex")
    assert project.checks()[first:][-1]["reason"] == "denied_before"


def test_each_event_names_its_agent(project: Project) -> None:
    named = {(event["runtime"], event["adapter_id"]) for event in project.events()}
    known = {"claude-code", "cursor", "copilot", "gemini"}
    assert named == {(name if name in known else "custom", name) for name in HOSTS}


def test_they_share_one_state(project: Project) -> None:
    databases = list(project.home.rglob("compass.db"))
    assert len(databases) == 1


@pytest.mark.full
def test_what_turns_the_gate_off_does_so_for_all(project: Project) -> None:
    settings = project.home / ".onlooker" / "compass" / "settings.json"
    project.compass("config", "set", "mode", "observe")
    try:
        assert [name for name in HOSTS if project.holds(name, f"other-{name}")] == []
    finally:
        project.compass("config", "set", "mode", "enforce")
    assert not settings.exists()


# Two projects of one user on one host: neither breaks the other, and one may leave alone.


class Home:
    def __init__(self, root: Path) -> None:
        self.home, self.one, self.two = root / "home", root / "one", root / "two"
        for folder in (self.home, self.one, self.two):
            folder.mkdir()
        self.env = {"HOME": str(self.home), "PATH": os.defpath, "COMPASS_SERVICE__ENABLED": "false"}
        for project in (self.one, self.two):
            subprocess.run(["git", "init", "-q"], cwd=project, env=self.env, check=True)

    def run(self, at: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return command(words, env=self.env, cwd=at)

    def init(self, at: Path, *words: str) -> dict[str, Any]:
        done = self.run(at, "init", "--host", "codex", "--backend", "embedded", "--yes", "--json", *words)
        assert done.returncode == 0, done
        return json.loads(done.stdout)

    def doctor(self, at: Path, *words: str) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in json.loads(self.run(at, "doctor", *words, "--json").stdout)}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.full
def test_a_project_leaves_and_the_hooks_of_the_other_stay(home: Home) -> None:
    home.init(home.two, "--enforce")
    home.init(home.one, "--observe")
    file = home.home / ".codex" / "hooks.json"
    gone = home.run(home.one, "init", "--host", "codex", "--uninstall", "--yes", "--json")
    assert str(home.two) in "".join(json.loads(gone.stdout)["notes"])
    assert "compass/__main__.py" in file.read_text()
    assert json.loads(home.run(home.one, "status", "--json").stdout)["mode"] == "off"
    assert home.doctor(home.two, "--host", "codex")["hooks wired"]["ok"]
    home.run(home.two, "init", "--host", "codex", "--uninstall", "--yes")
    assert not file.exists()


@pytest.mark.full
def test_a_moved_folder_is_looked_into(home: Home) -> None:
    home.env["CODEX_HOME"] = str(home.home / "moved")
    home.init(home.one, "--enforce")
    found = home.doctor(home.one, "--host", "codex")
    assert found["hook runs"]["ok"] and found["hook fails by policy"]["ok"]
    del home.env["CODEX_HOME"]
    home.run(home.one, "init", "--host", "codex", "--uninstall", "--yes")
    assert not (home.home / "moved" / "hooks.json").exists(), "the record knows where init wrote"


def test_doctor_without_a_host_looks_at_the_one_that_is_wired(home: Home) -> None:
    home.init(home.one)
    found = home.doctor(home.one)
    assert found["hooks wired"]["ok"] and "promises" in found
    assert "compass init --host codex" in found["gate"]["detail"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_what_cannot_be_written_changes_nothing(home: Home) -> None:
    folder = home.home / ".codex"
    folder.mkdir(mode=0o500)
    done = home.run(home.one, "init", "--host", "codex", "--backend", "embedded", "--yes")
    assert done.returncode == 1 and "Nothing was changed" in done.stderr
    assert json.loads(home.run(home.one, "status", "--json").stdout)["mode"] == "off"


@pytest.mark.full
def test_what_is_open_keeps_the_doctor_from_saying_that_the_gate_holds(home: Home) -> None:
    home.init(home.one, "--enforce")
    told = home.run(home.one, "doctor", "--host", "codex").stdout
    assert "it is unknown whether it trusts the hooks" in " ".join(told.split())
    assert "No check fails, but" in told and "The gate works" not in told
