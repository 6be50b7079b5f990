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


def test_each_check_and_each_event_names_its_agent(project: Project) -> None:
    counted = json.loads(project.compass("status", "--json"))["hosts"]
    assert set(counted) == set(HOSTS)
    told = "".join(project.compass("status").splitlines())
    assert "by host" in told
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
