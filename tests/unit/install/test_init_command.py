"""`compass init`: mode, policy, scope and backend, as told and as recorded; `test_init_files.py` has the files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from running import ownhome
from running.ownhome import LOCAL, Run, git, loaded, read, state

import compass
from compass.cli import main
from compass.composition.thresholds import standing_of
from compass.install.installation import read_interpreter
from evaluator.calibrated import Calibrated, as_dict
from evaluator.model import Thresholds
from evaluator.settings import layers
from hooks.hosts.claude_code.host import HOST

SETUP = HOST.setup()
EVENTS = {name: word for word, name in HOST.EVENTS.items()}
own_handlers = SETUP.own_handlers

SCRIPT = str(Path(compass.__file__).parent / "__main__.py")

home, project, run, init = ownhome.home, ownhome.repository, ownhome.run, ownhome.init


def test_a_first_init_wires_the_project_and_observes(home: Path, project: Path, init: Run) -> None:
    document = init()
    settings = read(project / LOCAL)
    assert {name for name, _, _ in own_handlers(settings)} == set(EVENTS)
    (gate,) = [handler for name, _, handler in own_handlers(settings) if name == "PreToolUse"]
    assert gate["onFailure"] == "continue"
    found = loaded(home, project)
    assert (found.settings.enabled, found.settings.mode) == (True, "observe")
    assert found.settings.evaluator.backend == "auto", "chosen again at the start of each session"
    assert document["backend"] == "embedded"
    assert found.problems == ()
    assert read_interpreter(str(state(home))) == (sys.executable, SCRIPT, "open")


@pytest.mark.parametrize(
    ("backend", "words", "mode"),
    [
        ("anthropic", ["--backend", "anthropic"], "enforce"),
        ("anthropic", ["--backend", "anthropic", "--observe"], "observe"),
        # Of other readers, and of rules, which block too much to begin with.
        ("anthropic", [], "observe"),
        ("embedded", [], "observe"),
    ],
)
def test_a_first_init_enforces_where_thresholds_of_hosted_readers_are_calibrated(
    home: Path,
    project: Path,
    init: Run,
    monkeypatch: pytest.MonkeyPatch,
    backend: str,
    words: list[str],
    mode: str,
) -> None:
    if "--backend" in words:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-not-a-key")
    found = loaded(home, project)
    now = standing_of(found.settings, backend)
    cuts = {now.n: {"reversible": Thresholds(0.7, 1.0, alpha=0.05)}}
    kept = Calibrated(now.backend, now.model, now.prompt, "2026-11-22T00:00:00Z", cuts)
    path = Path(layers.thresholds_file(found.clean.env, str(home), str(project)))
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(as_dict(kept)))
    document = init(*words)
    assert document["mode"] == loaded(home, project).settings.mode == mode
    told = any("thresholds of this project are calibrated" in note for note in document["notes"])
    assert told is (mode == "enforce")
    assert init()["mode"] == mode


def test_enforce_blocks_on_failure_and_stays_until_told_otherwise(
    home: Path, project: Path, init: Run
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


@pytest.mark.parametrize("folder", [".claude", ".compass"])
def test_a_project_that_enforces_by_its_own_settings_is_wired_so(
    project: Path, init: Run, folder: str
) -> None:
    (project / folder).mkdir()
    (project / folder / "settings.json").write_text('{"compass": {"mode": "enforce"}}', encoding="utf-8")
    document = init("--observe")
    (gate,) = [item for name, _, item in own_handlers(read(project / LOCAL)) if name == "PreToolUse"]
    assert gate["onFailure"] == "block"
    assert any("sets mode enforce" in note for note in document["notes"])


def test_a_folder_without_git_is_a_project_too(
    tmp_path: Path, home: Path, init: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    monkeypatch.chdir(bare)
    document = init()
    assert document["project_dir"] == str(bare.resolve())
    assert (bare / LOCAL).exists()
    assert document["notes"] == [note for note in document["notes"] if "exclude" not in note]
    assert loaded(home, bare.resolve()).settings.enabled is True


def test_user_scope_wires_the_users_own_file(home: Path, project: Path, init: Run) -> None:
    document = init("--user")
    assert document["settings_file"] == str(home / ".claude" / "settings.json")
    assert own_handlers(read(home / ".claude" / "settings.json"))
    assert not (project / ".claude").exists()
    assert init()["scope"] == "user", "a later init keeps the recorded scope"


def test_moving_to_another_scope_leaves_one_wiring(home: Path, project: Path, init: Run) -> None:
    exclude = (project / ".git" / "info" / "exclude").read_bytes()
    init("--enforce")
    init("--user")
    assert not (project / ".claude").exists()
    assert (project / ".git" / "info" / "exclude").read_bytes() == exclude
    assert own_handlers(read(home / ".claude" / "settings.json"))
    assert loaded(home, project).settings.mode == "enforce"


def test_plugin_scope_writes_no_hook_entry(home: Path, project: Path, init: Run) -> None:
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
    tmp_path: Path, home: Path, init: Run, monkeypatch: pytest.MonkeyPatch
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
    tmp_path: Path, home: Path, project: Path, init: Run, monkeypatch: pytest.MonkeyPatch
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


def test_onlooker_dir_moves_all_state(
    tmp_path: Path, home: Path, init: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "moved"))
    init()
    assert not (home / ".onlooker").exists()
    assert (tmp_path / "moved" / "compass" / "interpreter").exists()


def test_what_calibration_stored_survives(home: Path, project: Path, init: Run) -> None:
    init()
    own = Path(layers.user_project_file({}, str(home), str(project)))
    value = {**read(own), "confidence_threshold": 0.7, "evaluator": {"n": 7}}
    own.write_text(json.dumps(value), encoding="utf-8")
    init("--enforce")
    assert read(own) == {**value, "mode": "enforce"}


def test_the_plain_output_shows_the_diff_and_how_to_switch(
    project: Path, init: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init"]) == 0
    out = capsys.readouterr().out
    assert f"+++ {project / LOCAL}" in out.splitlines()
    assert "compass init --enforce" in out
    assert "\x1b" not in out
    assert main(["init", "--enforce"]) == 0
    assert "compass init --observe" in capsys.readouterr().out
