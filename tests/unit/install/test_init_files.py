"""`compass init` and the files it meets: foreign values kept, git kept clean, nothing half done."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest
from running import ownhome
from running.ownhome import LOCAL, Run, git, loaded, read, state

from compass.cli import main
from compass.install.installation import all_records, read_interpreter
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()
is_own = HOST.setup().is_own
own_handlers = SETUP.own_handlers

home, project, run, init = ownhome.home, ownhome.repository, ownhome.run, ownhome.init


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


def test_uninstall_without_any_installation_changes_nothing(home: Path, project: Path, init: Run) -> None:
    before = files_below(home) | files_below(project)
    document = init("--uninstall")
    assert files_below(home) | files_below(project) == before
    assert document["changed"] == []


def test_the_settings_file_is_kept_out_of_git_by_the_clone_itself(project: Path, init: Run) -> None:
    document = init()
    assert git(project, "check-ignore", str(LOCAL)).strip() == str(LOCAL)
    assert any("info/exclude" in note for note in document["notes"])
    assert git(project, "status", "--porcelain") == ""


def test_an_ignored_settings_file_needs_no_line_of_ours(project: Path, init: Run) -> None:
    (project / ".gitignore").write_text("settings.local.json\n", encoding="utf-8")
    before = (project / ".git" / "info" / "exclude").read_bytes()
    init()
    assert (project / ".git" / "info" / "exclude").read_bytes() == before


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


def test_a_work_tree_uses_the_exclude_file_that_git_reads(
    tmp_path: Path, project: Path, init: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "commit", "-q", "--allow-empty", "-m", "one")
    git(project, "worktree", "add", "-q", str(tmp_path / "tree"))
    monkeypatch.chdir(tmp_path / "tree")
    init()
    assert git(tmp_path / "tree", "status", "--porcelain") == ""


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


def test_a_settings_file_in_another_encoding_names_the_line(
    project: Path, init: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".claude").mkdir()
    (project / LOCAL).write_bytes(b'{\n "caf\xe9": 1}')
    assert main(["init"]) == 1
    assert "line 2" in capsys.readouterr().err


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


def test_the_command_in_the_settings_is_ours_and_runs_by_this_interpreter(project: Path, init: Run) -> None:
    init()
    commands = [handler["command"] for _, _, handler in own_handlers(read(project / LOCAL))]
    assert all(is_own({"command": command}) for command in commands)
    assert all(str(command).startswith(sys.executable) for command in commands)
