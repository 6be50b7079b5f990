"""`compass init` in real git repositories, with a home and a state folder of its own."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import compass
from compass.cli import main
from compass.install import EVENTS, is_own, own_handlers
from compass.install_record import all_records, read_interpreter
from evaluator import config

LOCAL = Path(".claude") / "settings.local.json"
SCRIPT = str(Path(compass.__file__).parent / "__main__.py")
Init = Callable[..., dict[str, Any]]


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"]
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *words], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    for name in list(os.environ):
        if name.startswith(("COMPASS_", "ONLOOKER_", "CLAUDE_", "ANTHROPIC_", "GIT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


@pytest.fixture
def project(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "it's a $project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    monkeypatch.chdir(folder)
    return folder.resolve()


@pytest.fixture
def init(project: Path, capsys: pytest.CaptureFixture[str]) -> Init:
    """Runs the command with --json; asserts exit code 0 and gives the document."""

    def call(*words: str) -> dict[str, Any]:
        code = main(["init", "--json", *words])
        out = capsys.readouterr()
        assert code == 0, out.err
        document: dict[str, Any] = json.loads(out.out)
        return document

    return call


def state(home: Path) -> Path:
    return home / ".onlooker" / "compass"


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "objects" not in path.parts
    }


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def loaded(home: Path, project: Path) -> config.Loaded:
    return config.load({}, str(home), str(project))


def test_a_first_init_wires_the_project_and_observes(home: Path, project: Path, init: Init) -> None:
    document = init()
    settings = read(project / LOCAL)
    assert {name for name, _, _ in own_handlers(settings)} == set(EVENTS)
    (gate,) = [handler for name, _, handler in own_handlers(settings) if name == "PreToolUse"]
    assert gate["onFailure"] == "continue"
    found = loaded(home, project)
    assert (found.settings.enabled, found.settings.mode) == (True, "observe")
    assert found.settings.evaluator.backend == "embedded" == document["backend"]
    assert found.problems == ()
    assert read_interpreter(str(state(home))) == (sys.executable, SCRIPT, "open")


def test_enforce_blocks_on_failure_and_stays_until_told_otherwise(
    home: Path, project: Path, init: Init
) -> None:
    for words, mode, policy in (
        (["--enforce"], "enforce", "block"),
        ([], "enforce", "block"),
        (["--observe"], "observe", "continue"),
        ([], "observe", "continue"),
    ):
        assert init(*words)["mode"] == mode
        (gate,) = [item for name, _, item in own_handlers(read(project / LOCAL)) if name == "PreToolUse"]
        assert gate["onFailure"] == policy
        recorded = read_interpreter(str(state(home)))
        assert recorded is not None
        assert recorded[2] == ("closed" if policy == "block" else "open")


def test_an_open_error_policy_never_blocks_on_failure(home: Path, project: Path, init: Init) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"compass": {"error_policy": "open"}}', encoding="utf-8")
    init("--enforce")
    (gate,) = [item for name, _, item in own_handlers(read(project / LOCAL)) if name == "PreToolUse"]
    assert gate["onFailure"] == "continue"


def test_a_project_that_enforces_by_its_own_settings_is_wired_so(project: Path, init: Init) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text('{"compass": {"mode": "enforce"}}', encoding="utf-8")
    document = init("--observe")
    (gate,) = [item for name, _, item in own_handlers(read(project / LOCAL)) if name == "PreToolUse"]
    assert gate["onFailure"] == "block"
    assert any("sets mode enforce" in note for note in document["notes"])


def test_a_second_init_changes_nothing(home: Path, project: Path, init: Init) -> None:
    init("--enforce")
    before = files_below(home) | files_below(project)
    assert init()["changed"] == []
    assert files_below(home) | files_below(project) == before


def test_uninstall_restores_every_file_of_the_project(home: Path, project: Path, init: Init) -> None:
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


def test_uninstall_leaves_what_others_wrote_to_the_letter(project: Path, init: Init) -> None:
    path = project / LOCAL
    path.parent.mkdir()
    text = (
        '{"permissions":   {"allow": ["Bash(ls:*)"]},\n    "hooks": {"Stop": [], "PreToolUse": []}, "n": 1e3}'
    )
    path.write_text(text, encoding="utf-8")
    path.chmod(0o640)
    init()
    assert path.read_text(encoding="utf-8").startswith(
        '{"permissions":   {"allow": ["Bash(ls:*)"]},\n    "hooks"'
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    init("--enforce")
    init("--uninstall")
    assert path.read_text(encoding="utf-8") == text


def test_after_an_uninstall_a_new_installation_observes_again(init: Init) -> None:
    init("--enforce")
    init("--uninstall")
    assert init()["mode"] == "observe"


def test_what_was_added_to_a_file_of_ours_stays_and_stays_ignored(project: Path, init: Init) -> None:
    init()
    settings = read(project / LOCAL)
    (project / LOCAL).write_text(json.dumps({**settings, "model": "x"}), encoding="utf-8")
    init("--uninstall")
    assert read(project / LOCAL) == {"model": "x"}
    assert git(project, "status", "--porcelain") == ""


def test_uninstall_without_any_installation_changes_nothing(home: Path, project: Path, init: Init) -> None:
    before = files_below(home) | files_below(project)
    document = init("--uninstall")
    assert files_below(home) | files_below(project) == before
    assert document["changed"] == []


def test_the_settings_file_is_kept_out_of_git_by_the_clone_itself(project: Path, init: Init) -> None:
    document = init()
    assert git(project, "check-ignore", str(LOCAL)).strip() == str(LOCAL)
    assert any("info/exclude" in note for note in document["notes"])
    assert git(project, "status", "--porcelain") == ""


def test_an_ignored_settings_file_needs_no_line_of_ours(project: Path, init: Init) -> None:
    (project / ".gitignore").write_text("settings.local.json\n", encoding="utf-8")
    before = (project / ".git" / "info" / "exclude").read_bytes()
    init()
    assert (project / ".git" / "info" / "exclude").read_bytes() == before


def test_a_tracked_settings_file_is_refused(
    project: Path, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".claude").mkdir()
    (project / LOCAL).write_text("{}", encoding="utf-8")
    git(project, "add", str(LOCAL))
    assert main(["init"]) == 1
    assert "git rm --cached" in capsys.readouterr().err
    assert (project / LOCAL).read_text(encoding="utf-8") == "{}"
    assert init("--user")["scope"] == "user"


def test_a_folder_below_the_repositorys_root_is_excluded_by_its_own_path(
    project: Path, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = project / "pkg [1]*"
    below.mkdir()
    monkeypatch.chdir(below)
    document = init()
    assert git(project, "status", "--porcelain") == ""
    assert any(str(project) in note and "started there" in note for note in document["notes"])


def test_a_work_tree_uses_the_exclude_file_that_git_reads(
    tmp_path: Path, project: Path, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "commit", "-q", "--allow-empty", "-m", "one")
    git(project, "worktree", "add", "-q", str(tmp_path / "tree"))
    monkeypatch.chdir(tmp_path / "tree")
    init()
    assert git(tmp_path / "tree", "status", "--porcelain") == ""


def test_a_folder_without_git_is_a_project_too(
    tmp_path: Path, home: Path, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    monkeypatch.chdir(bare)
    document = init()
    assert document["project_dir"] == str(bare.resolve())
    assert (bare / LOCAL).exists()
    assert document["notes"] == [note for note in document["notes"] if "exclude" not in note]
    assert loaded(home, bare.resolve()).settings.enabled is True


def test_a_host_started_elsewhere_names_the_project(
    tmp_path: Path, project: Path, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    monkeypatch.chdir(tmp_path)
    assert init()["project_dir"] == str(project)
    assert (project / LOCAL).exists()


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{\n  // a comment\n  "model": "x"\n}', "line 2"),
        ('{"a": 1,}', "line 1"),
        ("[]", "line 1"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1}\n{"b": 2}', "line 2"),
    ],
)
def test_a_settings_file_that_is_no_plain_json_is_left_alone(
    home: Path, project: Path, init: Init, capsys: pytest.CaptureFixture[str], text: str, where: str
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
    project: Path, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".claude").mkdir()
    (project / LOCAL).write_bytes(b'{\n "caf\xe9": 1}')
    assert main(["init"]) == 1
    assert "line 2" in capsys.readouterr().err


def test_a_byte_order_mark_and_windows_newlines_stay(project: Path, init: Init) -> None:
    (project / ".claude").mkdir()
    text = b'\xef\xbb\xbf{\r\n\t"model": "x"\r\n}\r\n'
    (project / LOCAL).write_bytes(text)
    init()
    wired = (project / LOCAL).read_bytes()
    assert wired.startswith(b'\xef\xbb\xbf{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t')
    assert b"\n" not in wired.replace(b"\r\n", b"")
    init("--uninstall")
    assert (project / LOCAL).read_bytes() == text


def test_a_link_stays_a_link(tmp_path: Path, home: Path, init: Init) -> None:
    dotfiles = tmp_path / "dotfiles.json"
    dotfiles.write_text('{"model": "x"}\n', encoding="utf-8")
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").symlink_to(dotfiles)
    init("--user")
    assert (home / ".claude" / "settings.json").is_symlink()
    assert own_handlers(read(dotfiles))
    init("--user", "--uninstall")
    assert dotfiles.read_text(encoding="utf-8") == '{"model": "x"}\n'


def test_a_dry_run_shows_the_diff_and_writes_nothing(home: Path, project: Path, init: Init) -> None:
    before = files_below(home) | files_below(project)
    document = init("--enforce", "--dry-run")
    assert f"+++ {project / LOCAL}" in document["diff"]
    assert '+            "onFailure": "block",' in document["diff"]
    assert files_below(home) | files_below(project) == before
    assert not (project / ".claude").exists()


def test_user_scope_wires_the_users_own_file(home: Path, project: Path, init: Init) -> None:
    document = init("--user")
    assert document["settings_file"] == str(home / ".claude" / "settings.json")
    assert own_handlers(read(home / ".claude" / "settings.json"))
    assert not (project / ".claude").exists()
    assert init()["scope"] == "user", "a later init keeps the recorded scope"


def test_moving_to_another_scope_leaves_one_wiring(home: Path, project: Path, init: Init) -> None:
    exclude = (project / ".git" / "info" / "exclude").read_bytes()
    init("--enforce")
    init("--user")
    assert not (project / ".claude").exists()
    assert (project / ".git" / "info" / "exclude").read_bytes() == exclude
    assert own_handlers(read(home / ".claude" / "settings.json"))
    assert loaded(home, project).settings.mode == "enforce"


def test_a_wiring_that_stays_elsewhere_is_named(home: Path, init: Init) -> None:
    init("--user")
    document = init("--project")
    assert any("also wired in" in note and "init --user --uninstall" in note for note in document["notes"])


def test_plugin_scope_writes_no_hook_entry(home: Path, project: Path, init: Init) -> None:
    document = init("--plugin", "--enforce")
    assert document["settings_file"] is None
    assert not (project / ".claude").exists()
    assert not (home / ".claude").exists()
    assert loaded(home, project).settings.enabled is True
    assert read_interpreter(str(state(home))) == (sys.executable, SCRIPT, "closed")
    init("--uninstall")
    assert loaded(home, project).settings.enabled is False
    assert read_interpreter(str(state(home))) is None


def test_the_plugins_policy_is_closed_while_any_project_needs_it(
    tmp_path: Path, home: Path, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    init("--enforce")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    init("--observe")
    recorded = read_interpreter(str(state(home)))
    assert recorded is not None
    assert recorded[2] == "closed"


def test_taking_one_clone_out_leaves_the_other_clone_enabled(
    tmp_path: Path, home: Path, project: Path, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clones of one origin share the project key, and so the user's settings for it."""
    git(project, "remote", "add", "origin", "https://example.com/x.git")
    clone = tmp_path / "clone"
    clone.mkdir()
    git(clone, "init", "-q")
    git(clone, "remote", "add", "origin", "https://example.com/x.git")
    init()
    monkeypatch.chdir(clone)
    init()
    document = init("--uninstall")
    assert document["enabled"] is True
    assert not (clone / ".claude").exists()
    assert own_handlers(read(project / LOCAL))
    assert loaded(home, project).settings.enabled is True


def test_state_is_private(home: Path, init: Init) -> None:
    init()
    for path in [state(home), *state(home).rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


def test_onlooker_dir_moves_all_state(
    tmp_path: Path, home: Path, init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "moved"))
    init()
    assert not (home / ".onlooker").exists()
    assert (tmp_path / "moved" / "compass" / "interpreter").exists()


def test_auto_takes_the_hosted_readers_when_a_credential_is_set(
    init: Init, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
    assert init()["backend"] == "anthropic"
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert init()["backend"] == "anthropic", "resolved once"
    assert init("--backend", "auto")["backend"] == "embedded"
    assert init("--backend", "claude-cli")["backend"] == "claude-cli"


def test_what_calibration_stored_survives(home: Path, project: Path, init: Init) -> None:
    init()
    own = Path(config.user_project_file({}, str(home), str(project)))
    value = {**read(own), "confidence_threshold": 0.7}
    value["evaluator"]["n"] = 7
    own.write_text(json.dumps(value), encoding="utf-8")
    init("--enforce")
    assert read(own) == {**value, "mode": "enforce"}


def test_a_state_folder_that_cannot_be_made_wires_nothing(
    home: Path, project: Path, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".onlooker").write_text("in the way", encoding="utf-8")
    assert main(["init"]) == 1
    assert str(home / ".onlooker") in capsys.readouterr().err
    assert not (project / ".claude").exists()


def test_a_failed_write_leaves_no_temporary_file(
    home: Path, project: Path, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / LOCAL).mkdir(parents=True)
    assert main(["init"]) == 1
    assert str(project / LOCAL) in capsys.readouterr().err
    assert not list((project / ".claude").glob("*.tmp"))


def test_the_plain_output_shows_the_diff_and_how_to_switch(
    project: Path, init: Init, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    out = capsys.readouterr().out
    assert f"+++ {project / LOCAL}" in out.splitlines()
    assert "compass init --enforce" in out
    assert "\x1b" not in out
    assert main(["init", "--enforce"]) == 0
    assert "compass init --observe" in capsys.readouterr().out


def test_the_command_in_the_settings_is_ours_and_runs_by_this_interpreter(project: Path, init: Init) -> None:
    init()
    commands = [handler["command"] for _, _, handler in own_handlers(read(project / LOCAL))]
    assert all(is_own({"command": command}) for command in commands)
    assert all(str(command).startswith(sys.executable) for command in commands)
