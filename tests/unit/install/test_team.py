"""What a team commits with a project: `init --team` writes it, and an older program or unread files are named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from corpora import corpus
from running import ownhome
from running.hookrun import Place, command
from running.ownhome import Run, loaded, read

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


def user_says(home: Path, **values: object) -> None:
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "settings.json").write_text(json.dumps({"compass": values}), encoding="utf-8")


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
        assert "is not read" in note
    capsys.readouterr()
    main(["doctor", "--json"])
    (found,) = [one for one in json.loads(capsys.readouterr().out) if one["name"] == "shared policy"]
    assert found["ok"] and found["warns"]
    assert all(name in found["detail"] for name in UNREAD)


def team(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, object]:
    capsys.readouterr()
    assert main(["init", "--team", "--json", *words]) == code
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


def test_init_team_writes_what_is_tighter_and_no_path_of_the_machine(
    home: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    user_says(
        home,
        confidence_threshold=0.8,
        stddev_threshold=0.5,
        skip_globs=["**/*.lock"],
        evaluator={"backend": "openai", "base_url": "http://127.0.0.1:1", "n": 7},
        sanitization={"strip_sequences": [f"{home}/secret"]},
        gate={"mcp_tools": {"mcp__notes__save": "path"}},
    )
    document = team(capsys)
    path = project / ".compass" / "settings.json"
    assert document["changed"] == [str(path)]
    found = read(path)
    assert list(found) == ["requires", "compass"]
    assert found["requires"] == settings.ours() and not lacking(str(project))
    section = found["compass"]
    assert section["confidence_threshold"] == 0.8 and section["skip_globs"] == ["**/*.lock"]
    assert section["evaluator"] == {"n": 7}, "who reads is each person's own"
    assert "stddev_threshold" not in section and "mode" not in section and "enabled" not in section
    assert str(home) not in path.read_text() and "/tmp" not in path.read_text()
    assert not (project / ".claude").exists(), "it wires nothing"
    assert loaded(home, project).problems == ()


def test_what_is_written_counts_for_another_of_the_team_without_trust(
    home: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    user_says(home, confidence_threshold=0.8, max_checks_per_turn=5, coverage={"max_calls": 2})
    team(capsys, "--enforce")
    (home / ".claude" / "settings.json").write_text("{}")
    found = loaded(home, project)
    assert found.problems == () and not found.clean.trusted
    settings = found.settings
    assert (settings.confidence_threshold, settings.max_checks_per_turn) == (0.8, 5)
    assert (settings.coverage.max_calls, settings.mode) == (2, "enforce")


def test_what_stands_in_the_file_stays_and_a_second_run_changes_nothing(
    home: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    user_says(home, confidence_threshold=0.8, evaluator={"n": 7})
    path = put(
        project, {"compass": {"confidence_threshold": 0.7, "evaluator": 5, "x": 1}, "requires": "0.0.1"}
    )
    team(capsys, "--dry-run")
    assert read(path)["compass"] == {"confidence_threshold": 0.7, "evaluator": 5, "x": 1}
    team(capsys)
    found = read(path)
    assert (found["requires"], found["compass"]["confidence_threshold"]) == ("0.0.1", 0.7)
    before = path.read_bytes()
    assert team(capsys)["changed"] == []
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [["--plugin"], ["--uninstall"], ["--observe"], ["--backend", "embedded"], ["--http"], ["--statusline"]],
)
def test_it_goes_with_nothing_that_wires(
    project: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert "goes with" in str(team(capsys, *words, code=1)["error"])
    assert not (project / ".compass").exists()


def test_a_file_that_cannot_be_kept_whole_is_left(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("{,}", "[]", '{"compass": 3}'):
        path = put(project, text)
        assert team(capsys, code=1)["error"]
        assert path.read_text() == text


def test_an_ignored_file_is_said_to_be(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".gitignore").write_text(".compass/\n")
    assert any("git ignores" in str(note) for note in team(capsys)["notes"])  # type: ignore[attr-defined]


def test_an_agent_may_not(project: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(project), "CLAUDECODE": "1"}
    done = command(("init", "--team", "--yes"), env=env, cwd=project)
    assert done.returncode != 0 and "an agent started it" in done.stderr
    assert not (project / ".compass").exists()
