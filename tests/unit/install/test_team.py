"""What a team commits with a project: unread files are named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from running import ownhome
from running.ownhome import Run

from compass.cli import main

home, project, run, init = ownhome.home, ownhome.repository, ownhome.run, ownhome.init

UNREAD = ("glossary.md", "calibration.json", "thresholds.json")


def test_what_lies_beside_the_settings_is_named_and_not_read(
    home: Path, project: Path, init: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """Were one opened, the pipe would block."""
    (project / ".compass").mkdir()
    for name in UNREAD:
        os.mkfifo(project / ".compass" / name)
    notes = init()["notes"]
    for name in UNREAD:
        (note,) = [one for one in notes if f".compass/{name}" in one]
        assert "is in this project, but is not read" in note
    capsys.readouterr()
    main(["doctor", "--json"])
    (found,) = [one for one in json.loads(capsys.readouterr().out) if one["name"] == "shared policy"]
    assert found["ok"] and found["warns"]
    assert all(name in found["detail"] for name in UNREAD)
