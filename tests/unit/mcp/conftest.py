"""A project with a state of its own, for this process and for the server's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from running.mcpserving import Stage

PRIVATE = ("COMPASS_", "ONLOOKER_", "ANTHROPIC_", "OPENAI_", "CLAUDE", "CODEX")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    from compass.composition import process

    for name in [name for name in os.environ if name.startswith(PRIVATE)]:
        monkeypatch.delenv(name)
    for name in ("home", "state", "project/src"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path / "project")
    env = {name: os.environ[name] for name in ("HOME", "ONLOOKER_DIR", "PATH")}
    yield Stage(tmp_path, env)
    process.close()
