"""`compass init` and the files it meets: foreign values kept, git kept clean, nothing half done."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from running import ownhome
from running.ownhome import LOCAL, Doctor, Run, git, loaded, read, state

from compass.cli import main
from compass.install.installation import all_records, read_interpreter
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()
own_handlers = SETUP.own_handlers

home, project, run, init, doctor = (
    ownhome.home, ownhome.repository, ownhome.run, ownhome.init, ownhome.doctor,
)  # fmt: skip


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "objects" not in path.parts
    }


def test_a_second_init_changes_nothing(home: Path, project: Path, init: Run) -> None:
    init("--enforce")
    before = files_below(home) | files_below(project)
    assert init()["changed"] == []
    assert files_below(home) | files_below(project) == before


def test_uninstall_restores_every_file_of_the_project(home: Path, project: Path, init: Run) -> None:
    before = files_below(project)
    init("--enforce")
    assert git(project, "status", "--porcelain") == ""
    document = init("--uninstall")
    assert document["enabled"] is False
    assert files_below(project) == before
    assert not (project / ".claude").exists()
    assert loaded(home, project).settings.enabled is False
    assert read_interpreter(str(state(home))) is None
    assert all_records(str(state(home))) == []


def test_what_others_wrote_keeps_its_value_its_order_and_its_mode(project: Path, init: Run) -> None:
    path = project / LOCAL
    path.parent.mkdir()
    text = (
        '{"permissions":   {"allow": ["Bash(ls:*)"]},\n    "hooks": {"Stop": [], "PreToolUse": []}, "n": 1e3}'
    )
    path.write_text(text, encoding="utf-8")
    path.chmod(0o640)
    init()
    assert list(read(path)) == ["permissions", "hooks", "n"]
    assert list(read(path)["hooks"])[:2] == ["Stop", "PreToolUse"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    init("--enforce")
    init("--uninstall")
    assert json.dumps(read(path)) == json.dumps(json.loads(text))
    assert '\n    "permissions": {' in path.read_text(encoding="utf-8")


def test_what_was_added_to_a_file_of_ours_stays_and_stays_ignored(project: Path, init: Run) -> None:
    init()
    settings = read(project / LOCAL)
    (project / LOCAL).write_text(json.dumps({**settings, "model": "x"}), encoding="utf-8")
    init("--uninstall")
    assert read(project / LOCAL) == {"model": "x"}
    assert git(project, "status", "--porcelain") == ""


def test_a_tracked_settings_file_is_refused(
    project: Path, init: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".claude").mkdir()
    (project / LOCAL).write_text("{}", encoding="utf-8")
    git(project, "add", str(LOCAL))
    assert main(["init"]) == 1
    assert "git rm --cached" in capsys.readouterr().err
    assert (project / LOCAL).read_text(encoding="utf-8") == "{}"
    assert init("--user")["scope"] == "user"


def test_a_folder_below_the_repositorys_root_is_excluded_by_its_own_path(
    project: Path, init: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = project / "pkg [1]*"
    below.mkdir()
    monkeypatch.chdir(below)
    document = init()
    assert git(project, "status", "--porcelain") == ""
    assert any(str(project) in note and "started there" in note for note in document["notes"])


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n  // a comment\n  "model": "x"\n}', "line 2"),
        ('{"a": 1,}', "line 1"),
        ("[]", "line 1"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1e999}', "1e999"),
        ('{"a": 1}\n{"b": 2}', "line 2"),
    ],
)
def test_a_settings_file_that_is_no_plain_json_is_left_alone(
    home: Path, project: Path, init: Run, capsys: pytest.CaptureFixture[str], text: str, where: str
) -> None:
    (project / ".claude").mkdir()
    (project / LOCAL).write_text(text, encoding="utf-8")
    before = files_below(home) | files_below(project)
    for words in (["init"], ["init", "--uninstall"], ["init", "--json"]):
        assert main(words) == 1
        err = capsys.readouterr().err
        assert str(project / LOCAL) in err
        assert where in err
    assert files_below(home) | files_below(project) == before


def test_a_byte_order_mark_and_windows_newlines_stay(project: Path, init: Run) -> None:
    (project / ".claude").mkdir()
    text = b'\xef\xbb\xbf{\r\n\t"model": "x"\r\n}\r\n'
    (project / LOCAL).write_bytes(text)
    init()
    wired = (project / LOCAL).read_bytes()
    assert wired.startswith(b'\xef\xbb\xbf{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t')
    assert b"\n" not in wired.replace(b"\r\n", b"")
    init("--uninstall")
    assert (project / LOCAL).read_bytes() == text


def test_a_link_stays_a_link(tmp_path: Path, home: Path, init: Run) -> None:
    dotfiles = tmp_path / "dotfiles.json"
    dotfiles.write_text('{"model": "x"}\n', encoding="utf-8")
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").symlink_to(dotfiles)
    init("--user")
    assert (home / ".claude" / "settings.json").is_symlink()
    assert own_handlers(read(dotfiles))
    init("--user", "--uninstall")
    assert (home / ".claude" / "settings.json").is_symlink()
    assert read(dotfiles) == {"model": "x"}


def test_a_dry_run_shows_the_diff_and_writes_nothing(home: Path, project: Path, init: Run) -> None:
    before = files_below(home) | files_below(project)
    document = init("--enforce", "--dry-run")
    assert f"+++ {project / LOCAL}" in document["diff"]
    assert '+            "onFailure": "block",' in document["diff"]
    assert files_below(home) | files_below(project) == before
    assert not (project / ".claude").exists()


def test_state_is_private(home: Path, init: Run) -> None:
    init()
    for path in [state(home), *state(home).rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


def test_a_state_folder_that_cannot_be_made_wires_nothing(
    home: Path, project: Path, init: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".onlooker").write_text("in the way", encoding="utf-8")
    assert main(["init"]) == 1
    assert str(home / ".onlooker") in capsys.readouterr().err
    assert not (project / ".claude").exists()


def test_a_failed_write_leaves_no_temporary_file(
    home: Path, project: Path, init: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / LOCAL).mkdir(parents=True)
    assert main(["init"]) == 1
    assert str(project / LOCAL) in capsys.readouterr().err
    assert not list((project / ".claude").glob("*.tmp"))


def test_what_a_team_commits_beside_the_settings_is_named_and_not_read(
    project: Path, init: Run, doctor: Doctor
) -> None:
    """Were one opened, the pipe would block."""
    (project / ".compass").mkdir()
    unread = ("glossary.md", "calibration.json", "thresholds.json")
    for name in unread:
        os.mkfifo(project / ".compass" / name)
    notes = init()["notes"]
    for name in unread:
        (note,) = [one for one in notes if f".compass/{name}" in one]
        assert "is in this project, but is not read" in note
    found = doctor()["shared policy"]
    assert found["ok"] and found["warns"]
    assert all(name in found["detail"] for name in unread)


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
def test_a_project_that_observes_leaves_the_entries_of_one_that_enforces(
    home: Path, project: Path, tmp_path: Path, init: Run, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    two = tmp_path / "two"
    two.mkdir()
    git(two, "init", "-q")

    def wired(folder: Path, mode: str) -> str:
        monkeypatch.chdir(folder)
        init("--host", host, "--backend", "embedded", "--yes", mode)
        return (home / FILES[host]).read_text()

    closed = wired(project, "--enforce")
    assert wired(two, "--observe") == closed
    assert wired(project, "--observe") != closed
    assert wired(two, "--enforce") == closed
