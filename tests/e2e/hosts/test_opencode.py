"""The real OpenCode client, its model a script on loopback, gated by our plugin."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from e2e.hosts.opencode_model import OpenCode, Says, calls

pytestmark = [pytest.mark.e2e]

FOUND = "I found two unused files: a.py and b.py."


@pytest.fixture
def opencode(tmp_path: Path) -> OpenCode:
    return OpenCode(tmp_path)


def test_smoke(opencode: OpenCode) -> None:
    t = time.monotonic()
    model, ended = opencode.run(
        "Create notes.txt that says hello.",
        calls("write", "Writing.", filePath=str(opencode.project / "notes.txt"), content="hello\n"),
        Says("All done."),
    )
    print(time.monotonic() - t, ended)
    assert (opencode.project / "notes.txt").read_text() == "hello\n"
    opencode.stage.file("a.py"), opencode.stage.file("b.py")
    t = time.monotonic()
    model, ended = opencode.run("Look for unused files", Says(FOUND), goes_on=True)
    print(time.monotonic() - t, ended)
    model, ended = opencode.run(
        "Just delete it.",
        calls("bash", "Deleting.", command="rm a.py", description="d"),
        Says("held"),
        goes_on=True,
    )
    print(ended, model.results())
    print(opencode.stage.checks())
    assert (opencode.project / "a.py").exists()
    model, ended = opencode.run(
        "1", calls("bash", "Deleting.", command="rm a.py", description="d"), Says("done"), goes_on=True
    )
    print(ended, model.results())
    print(opencode.stage.checks()[-1])
    assert 0
