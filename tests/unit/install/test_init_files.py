"""`compass init` and the files it meets: foreign values kept, git kept clean, nothing half done."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from running import ownhome
from running.ownhome import LOCAL, Doctor, Initialized, git, read

from compass.install.installation import all_records, read_interpreter
from hooks import registry

home, project, here, doctor = ownhome.home, ownhome.repository, ownhome.here, ownhome.doctor


def test_a_second_init_changes_nothing_and_uninstall_restores_every_file_of_the_project(
    here: Initialized,
) -> None:
    before = here.files()
    here.init("--enforce")
    wired = here.files()
    assert here.init()["changed"] == [] and here.files() == wired
    assert git(here.project, "status", "--porcelain") == ""
    assert here.init("--uninstall")["enabled"] is False
    after = here.files()
    assert {path: text for path, text in after.items() if path.is_relative_to(here.project)} == before
    assert not (here.project / ".claude").exists()
    assert here.loaded.settings.enabled is False
    assert read_interpreter(here.state) is None and all_records(here.state) == []
    assert here.init("--uninstall")["changed"] == []
    assert here.files() == after


def test_what_others_wrote_keeps_its_value_its_order_and_its_mode(here: Initialized) -> None:
    hooks = '"hooks": {"Stop": [], "PreToolUse": []}, "n": 1e3}'
    text = f'{{"permissions":   {{"allow": ["Bash(ls:*)"]}},\n    {hooks}'
    here.put(text).chmod(0o640)
    here.init()
    assert list(read(here.local)) == ["permissions", "hooks", "n"]
    assert list(read(here.local)["hooks"])[:2] == ["Stop", "PreToolUse"]
    assert stat.S_IMODE(here.local.stat().st_mode) == 0o640
    here.init("--enforce")
    here.init("--uninstall")
    assert json.dumps(read(here.local)) == json.dumps(json.loads(text))
    assert '\n    "permissions": {' in here.local.read_text()


def test_what_was_added_to_a_file_of_ours_stays_and_stays_ignored(here: Initialized) -> None:
    here.init()
    here.put(json.dumps({**read(here.local), "model": "x"}))
    here.init("--uninstall")
    assert read(here.local) == {"model": "x"}
    assert git(here.project, "status", "--porcelain") == ""


def test_a_tracked_settings_file_is_refused(here: Initialized) -> None:
    here.put("{}")
    git(here.project, "add", str(LOCAL))
    assert "git rm --cached" in here.said("init", code=1)[1]
    assert here.local.read_text() == "{}"
    assert here.init("--user")["scope"] == "user"


def test_a_folder_below_the_repositorys_root_is_excluded_by_its_own_path(here: Initialized) -> None:
    root = here.project
    here.enter(f"{root.name}/pkg [1]*", repository=False)
    document = here.init()
    assert git(root, "status", "--porcelain") == ""
    assert any(str(root) in note and "started there" in note for note in document["notes"])


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n  // a comment\n  "model": "x"\n}', "line 2"),
        ("[]", "line 1"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1e999}', "1e999"),
        ('{"a": 1}\n{"b": 2}', "line 2"),
    ],
)
def test_a_settings_file_that_is_no_plain_json_is_left_alone(
    here: Initialized, text: str, where: str
) -> None:
    here.put(text)
    before = here.files()
    for words in ((), ("--uninstall",), ("--json",)):
        _, err = here.said("init", *words, code=1)
        assert str(here.local) in err and where in err
    assert here.files() == before


def test_a_byte_order_mark_and_windows_newlines_stay(here: Initialized) -> None:
    text = b'\xef\xbb\xbf{\r\n\t"model": "x"\r\n}\r\n'
    here.put("").write_bytes(text)
    here.init()
    wired = here.local.read_bytes()
    assert wired.startswith(b'\xef\xbb\xbf{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t')
    assert b"\n" not in wired.replace(b"\r\n", b"")
    here.init("--uninstall")
    assert here.local.read_bytes() == text


def test_a_link_stays_a_link(here: Initialized) -> None:
    dotfiles, link = here.home / "dotfiles.json", here.home / ".claude" / "settings.json"
    dotfiles.write_text('{"model": "x"}\n')
    link.parent.mkdir()
    link.symlink_to(dotfiles)
    here.init("--user")
    assert link.is_symlink() and here.wired_in(dotfiles)
    here.init("--user", "--uninstall")
    assert link.is_symlink() and read(dotfiles) == {"model": "x"}


def test_a_dry_run_shows_the_diff_and_writes_nothing(here: Initialized) -> None:
    before = here.files()
    document = here.init("--enforce", "--dry-run")
    assert f"+++ {here.local}" in document["diff"]
    assert '+            "onFailure": "block",' in document["diff"]
    assert here.files() == before
    assert not (here.project / ".claude").exists()


def test_state_is_private(here: Initialized) -> None:
    here.init()
    folder = here.home / ".onlooker" / "compass"
    for path in [folder, *folder.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


def test_what_cannot_be_written_is_named_and_nothing_is_left_behind(here: Initialized) -> None:
    state = here.home / ".onlooker"
    state.write_text("in the way")
    assert str(state) in here.said("init", code=1)[1]
    assert not (here.project / ".claude").exists()
    state.unlink()
    here.local.mkdir(parents=True)
    assert str(here.local) in here.said("init", code=1)[1]
    assert not list((here.project / ".claude").glob("*.tmp"))


def test_what_a_team_commits_beside_the_settings_is_named_and_not_read(
    here: Initialized, doctor: Doctor
) -> None:
    """Were one opened, the pipe would block."""
    (here.project / ".compass").mkdir()
    unread = ("glossary.md", "calibration.json", "thresholds.json")
    for name in unread:
        os.mkfifo(here.project / ".compass" / name)
    notes = here.init()["notes"]
    for name in unread:
        (note,) = [one for one in notes if f".compass/{name}" in one]
        assert "is in this project, but is not read" in note
    found = doctor()["shared policy"]
    assert found["ok"] and found["warns"]
    assert all(name in found["detail"] for name in unread)


@pytest.mark.spread(1)
@pytest.mark.parametrize("host", [host for host in registry.HOSTS if host != registry.DEFAULT])
def test_a_project_that_observes_leaves_the_entries_of_one_that_enforces(
    here: Initialized, host: str
) -> None:
    def wired(name: str, mode: str) -> str:
        here.enter(name)
        here.init("--host", host, "--backend", "embedded", "--yes", mode)
        return Path(registry.host_of(host).user_file({}, str(here.home))).read_text()

    closed = wired("one", "--enforce")
    assert wired("two", "--observe") == closed
    assert wired("one", "--observe") != closed
    assert wired("two", "--enforce") == closed
