"""A program's place: a home of its own, a project as working directory, and none of this machine's settings."""

import os

import pytest

PRIVATE = ("COMPASS_", "ONLOOKER_", "ANTHROPIC_", "OPENAI_", "CLAUDE", "CODEX")
KEPT = "COMPASS_TESTED"
"""Where the installed package lies that is to be tested, if another than the checkout."""


@pytest.fixture
def project(tmp_path, monkeypatch):
    from compass.composition import process

    for name in [name for name in os.environ if name.startswith(PRIVATE) and name != KEPT]:
        monkeypatch.delenv(name)
    for name in ("home", "state", "project/src"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path / "project")
    yield tmp_path / "project"
    process.close()
