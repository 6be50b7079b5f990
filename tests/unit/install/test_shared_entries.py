"""Entries that all projects share: what one project's policy needs, another project's `init` does not take away."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from running.hookrun import command

FILES = {
    "codex": ".codex/hooks.json",
    "copilot": ".copilot/hooks/compass.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/plugin/compass.js",
    "chibi": ".chibi/plugins/compass",
}


@pytest.mark.spread(1)
@pytest.mark.parametrize("host", FILES)
def test_a_project_that_observes_leaves_the_entries_of_one_that_enforces(tmp_path: Path, host: str) -> None:
    home, one, two = tmp_path / "home", tmp_path / "one", tmp_path / "two"
    for folder in (home, one, two):
        folder.mkdir()
    env = {"HOME": str(home), "PATH": os.defpath}
    written = home / FILES[host]

    def init(project: Path, *words: str) -> str:
        said = ("init", "--host", host, "--backend", "embedded", "--yes", *words)
        assert command(said, env=env, cwd=project).returncode == 0
        return written.read_text()

    for project in (one, two):
        subprocess.run(["git", "init", "-q"], cwd=project, env=env, check=True)
    closed = init(one, "--enforce")
    assert init(two, "--observe") == closed
    assert init(one, "--observe") != closed
    assert init(two, "--enforce") == closed
