"""`compass init --uninstall --purge`: nothing of Compass is left in a home, and nothing else is touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running.hookrun import MAIN, command

from hooks import registry


class Home:
    """A home with two projects, and commands that run there as processes."""

    def __init__(self, root: Path) -> None:
        self.home, self.first, self.second = root / "home", root / "first", root / "second"
        self.env = {"HOME": str(self.home), "PATH": os.defpath}
        for folder in (self.home, self.first, self.second):
            folder.mkdir()
        for project in (self.first, self.second):
            subprocess.run(["git", "init", "-q"], cwd=project, env=self.env, check=True)

    def run(self, *words: str, at: Path | None = None, code: int = 0) -> str:
        done = command(words, env=self.env, cwd=at or self.first)
        assert done.returncode == code, done
        return done.stdout + done.stderr

    def hook(self, event: str, **payload: Any) -> None:
        text = json.dumps({"session_id": "s", "cwd": str(self.first), **payload})
        called = [sys.executable, "-I", "-S", MAIN, "hook", event]
        subprocess.run(called, input=text.encode(), cwd=self.first, env=self.env, check=True)

    def files(self) -> set[str]:
        kept = (path for path in self.home.rglob("*") if path.is_file() or path.is_symlink())
        return {str(path.relative_to(self.home)) for path in kept}

    def pid(self) -> int | None:
        done = command(("serve", "--status", "--json"), env=self.env, cwd=self.first)
        found: int | None = json.loads(done.stdout)["pid"]
        return found


@pytest.fixture
def home() -> Iterator[Home]:
    """Under a short name: the address of a socket has a bound."""
    with tempfile.TemporaryDirectory(prefix="cp") as folder:
        yield Home(Path(folder))


OTHERS = [name for name in registry.HOSTS if name != registry.DEFAULT]


@pytest.mark.full
def test_it_leaves_no_file_and_no_process_of_any_host(home: Home) -> None:
    before = home.files()
    home.run("init", "--enforce", "--backend", "embedded", "--yes")
    home.run("init", "--user", "--backend", "embedded", "--yes", at=home.second)
    for name in OTHERS:
        home.run("init", "--host", name, "--backend", "embedded", "--yes")
    home.hook("session-start")
    home.hook("pre-tool-use", tool_name="Bash", tool_input={"command": "rm a.py"})
    end = time.monotonic() + 20
    while (pid := home.pid()) is None and time.monotonic() < end:
        time.sleep(0.1)
    assert pid is not None, "the hook started a service"
    assert len(home.files()) > 5 + len(OTHERS)
    told = home.run("init", "--uninstall", "--purge", "--yes")
    assert "settings.local.json" in told
    assert home.files() == before == set()
    assert not (home.first / ".claude").exists()
    end = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_what_others_wrote_stays(home: Home) -> None:
    settings = home.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    theirs = {"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    settings.write_text(json.dumps(theirs))
    log = home.home / ".onlooker" / "logs" / "onlooker-events.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text('{"plugin": "another"}\n')
    home.run("init", "--user", "--backend", "embedded", "--yes")
    assert json.loads(settings.read_text()) != theirs
    home.run("init", "--uninstall", "--purge", "--yes")
    assert json.loads(settings.read_text()) == theirs
    assert home.files() == {".claude/settings.json", ".onlooker/logs/onlooker-events.jsonl"}


@pytest.mark.full
def test_a_dry_run_names_what_would_go_and_changes_nothing(home: Home) -> None:
    home.run("init", "--backend", "embedded", "--yes")
    log = home.home / ".onlooker" / "logs" / "onlooker-events.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text('{"plugin": "compass"}\n')
    machine = home.home / ".onlooker" / "machine_id"
    machine.write_text("id\n")
    before = home.files()
    told = home.run("init", "--uninstall", "--purge", "--dry-run")
    assert "Dry run" in told and "would be" in told and " are " not in told
    listed = [Path(line.strip()) for line in told.splitlines() if line.startswith("  ")]
    assert home.home / ".onlooker" / "compass" in listed and {log, machine} <= set(listed)
    assert all(any((home.home / name).is_relative_to(path) for path in listed) for name in before)
    assert home.files() == before
    (home.home / ".onlooker" / "another").mkdir()
    assert str(machine) not in home.run("init", "--uninstall", "--purge", "--dry-run")
    assert "goes with --uninstall" in home.run("init", "--purge", code=1)


def test_without_a_terminal_it_needs_yes(home: Home) -> None:
    home.run("init", "--backend", "embedded", "--yes")
    before = home.files()
    told = home.run("init", "--uninstall", "--purge", code=1)
    assert ".onlooker/compass" in told and "--yes" in told
    assert home.files() == before


def test_an_agent_may_not(home: Home) -> None:
    home.run("init", "--backend", "embedded", "--yes")
    before = home.files()
    home.env["CLAUDECODE"] = "1"
    assert "only you may do this" in home.run("init", "--uninstall", "--purge", "--yes", code=1)
    assert home.files() == before


@pytest.mark.full
def test_a_file_with_comments_that_does_not_name_compass_is_no_hindrance(home: Home) -> None:
    theirs = home.home / ".gemini" / "settings.json"
    theirs.parent.mkdir()
    theirs.write_text('{\n  // mine\n  "theme": "dark"\n}\n')
    home.run("init", "--yes")
    home.run("init", "--uninstall", "--purge", "--yes")
    assert home.files() == {".gemini/settings.json"}
    assert theirs.read_text() == '{\n  // mine\n  "theme": "dark"\n}\n'


@pytest.mark.full
def test_what_init_wrote_in_a_moved_folder_goes_without_the_variable_too(home: Home) -> None:
    moved = home.home / "moved"
    home.env["COPILOT_HOME"] = str(moved)
    home.run("init", "--host", "copilot", "--yes")
    assert (moved / "hooks" / "compass.json").is_file()
    del home.env["COPILOT_HOME"]
    home.run("init", "--uninstall", "--purge", "--yes")
    assert home.files() == set()
