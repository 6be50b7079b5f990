"""Two projects of one user on one host: neither breaks the other, and one may leave alone."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from running.hookrun import command


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
    assert "nobody can tell whether it trusts the hooks" in " ".join(told.split())
    assert "No check fails, but" in told and "The gate holds" not in told
