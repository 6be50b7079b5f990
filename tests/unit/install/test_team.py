"""What a team commits with a project: an older program and unread files are named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from corpora import corpus
from running import ownhome
from running.hookrun import Place
from running.ownhome import Run, loaded

import compass
from compass.cli import main
from compass.composition import settings
from compass.composition.settings import lacking, numbers

home, project, run, init = ownhome.home, ownhome.repository, ownhome.run, ownhome.init

UNREAD = ("glossary.md", "calibration.json", "thresholds.json")


def put(project: Path, value: object, name: str = "settings.json") -> Path:
    path = project / ".compass" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


@corpus(
    ("asked", "wrong"),
    [
        ("0.1.0", ""),
        ("0.1", ""),
        (">=0.1", ""),
        (" >= 0.0.9 ", ""),
        ("0.1.0.0", ""),
        ("0.1.0.1", "is for Compass 0.1.0.1 or newer, and this is 0.1.0"),
        ("0.2", "is for Compass 0.2 or newer"),
        (">=10", "is for Compass 10 or newer"),
        ("latest", "must be a version"),
        ("<0.1", "must be a version"),
        ("", "must be a version"),
        ("9" * 5000, "must be a version"),
        (0.2, "must be a version"),
        (["0.2"], "must be a version"),
        (None, ""),
    ],
)
def test_the_least_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: object, wrong: str
) -> None:
    monkeypatch.setattr(settings, "__version__", "0.1.0")
    put(tmp_path, {"requires": asked})
    found = lacking(str(tmp_path))
    assert wrong in found if wrong else not found
    assert len(found) < 400


def test_a_build_between_two_releases_counts_as_the_one_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "__version__", "0.3.0.dev4+g1a2b3c")
    put(tmp_path, {"requires": "0.3"})
    assert not lacking(str(tmp_path))
    assert numbers("1.10") > numbers("1.9")  # type: ignore[operator]


def test_where_nothing_is_shared_nothing_is_said(tmp_path: Path) -> None:
    assert not lacking(str(tmp_path))
    put(tmp_path, "no JSON")
    assert not lacking(str(tmp_path)), "what is wrong with the file is said with the settings"


def test_init_and_doctor_say_that_the_program_is_too_old_and_what_to_do(
    home: Path, project: Path, init: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    put(project, {"requires": "99.1", "compass": {"confidence_threshold": 0.9}})
    (note,) = [one for one in init()["notes"] if "99.1" in one]
    assert "Install a newer one" in note and compass.__version__ in note
    capsys.readouterr()
    assert main(["doctor", "--json"]) == 1
    (found,) = [one for one in json.loads(capsys.readouterr().out) if one["name"] == "shared policy"]
    assert not found["ok"] and "99.1 or newer" in found["detail"]
    assert loaded(home, project).settings.confidence_threshold == 0.9, "what it knows there counts"
    assert loaded(home, project).problems == ()


def test_a_sessions_start_says_it_and_no_write_is_stopped_by_it(tmp_path: Path) -> None:
    place = Place(tmp_path, {"COMPASS_MODE": "enforce"})
    put(place.project, {"requires": "99.1"})
    place.say("Create notes.txt with a greeting in it")
    start = {"session_id": "session-1", "cwd": str(place.project), "hook_event_name": "SessionStart"}
    done = place.hook("session-start", {**start, "source": "startup"})
    assert "99.1 or newer" in json.loads(done.stdout)["systemMessage"]
    again = place.hook("session-start", {**start, "source": "compact"})
    assert b"99.1" not in again.stdout, "the same session goes on"
    assert place.hook("pre-tool-use", place.payload()).stdout == b""


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
        assert "is in this project and not read" in note
    capsys.readouterr()
    main(["doctor", "--json"])
    (found,) = [one for one in json.loads(capsys.readouterr().out) if one["name"] == "shared policy"]
    assert found["ok"] and found["warns"]
    assert all(name in found["detail"] for name in UNREAD)
