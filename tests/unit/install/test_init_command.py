"""`compass init`: mode, policy, scope and backend, as told and as recorded; `test_init_files.py` has the files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from running import ownhome
from running.ownhome import LOCAL, Initialized, git, read

import compass
from compass.composition.thresholds import readers_now
from compass.install.installation import read_interpreter
from evaluator.model import Thresholds
from evaluator.verdict.calibrated_thresholds import Calibrated, calibrated_as_dict
from hooks.hosts.claude_code.host import HOST

EVENTS = {name: word for word, name in HOST.EVENTS.items()}
SCRIPT = str(Path(compass.__file__).parent / "__main__.py")

home, project, here = ownhome.home, ownhome.repository, ownhome.here


def test_a_first_init_wires_the_project_and_observes(here: Initialized) -> None:
    document = here.init()
    assert set(here.wired) == set(EVENTS)
    assert here.wired["PreToolUse"]["onFailure"] == "continue"
    found = here.loaded
    assert (found.settings.enabled, found.settings.mode) == (True, "observe")
    assert found.settings.evaluator.backend == "auto", "chosen again at the start of each session"
    assert (document["backend"], found.problems) == ("embedded", ())
    assert read_interpreter(here.state) == (sys.executable, SCRIPT, "open")
    assert all(str(handler["command"]).startswith(sys.executable) for handler in here.wired.values())


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
    here: Initialized, monkeypatch: pytest.MonkeyPatch, backend: str, words: list[str], mode: str
) -> None:
    if words:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-not-a-key")
    now = readers_now(here.loaded.settings, backend)
    cuts = {now.n: {"reversible": Thresholds(0.7, 1.0, alpha=0.05)}}
    kept = Calibrated(now.backend, now.model, now.prompt, "2026-11-22T00:00:00Z", cuts)
    path = here.own.with_name("thresholds.json")
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(calibrated_as_dict(kept)))
    document = here.init(*words)
    assert document["mode"] == here.loaded.settings.mode == mode
    told = any("this project's thresholds are calibrated" in note for note in document["notes"])
    assert told is (mode == "enforce")
    assert here.init()["mode"] == mode


def test_enforce_blocks_on_failure_and_stays_until_told_otherwise(here: Initialized) -> None:
    for words, mode in (
        (("--enforce",), "enforce"),
        ((), "enforce"),
        (("--observe",), "observe"),
        ((), "observe"),
    ):
        assert here.init(*words)["mode"] == mode
        assert here.wired["PreToolUse"]["onFailure"] == ("block" if mode == "enforce" else "continue")
        recorded = read_interpreter(here.state)
        assert recorded is not None and recorded[2] == ("closed" if mode == "enforce" else "open")
    here.init("--enforce")
    here.enter("other", repository=False)
    here.init("--observe")
    recorded = read_interpreter(here.state)
    assert recorded is not None and recorded[2] == "closed", "the plugin's is while any project needs it"


@pytest.mark.parametrize("folder", [".claude", ".compass"])
def test_a_project_that_enforces_by_its_own_settings_is_wired_so(here: Initialized, folder: str) -> None:
    (here.project / folder).mkdir()
    (here.project / folder / "settings.json").write_text('{"compass": {"mode": "enforce"}}')
    document = here.init("--observe")
    assert here.wired["PreToolUse"]["onFailure"] == "block"
    assert any("sets mode enforce" in note for note in document["notes"])


def test_a_folder_without_git_is_a_project_too(here: Initialized) -> None:
    bare = here.enter("bare", repository=False)
    document = here.init()
    assert document["project_dir"] == str(bare)
    assert (bare / LOCAL).exists()
    assert not any("exclude" in note for note in document["notes"])
    assert here.loaded.settings.enabled is True


def test_moving_to_another_scope_leaves_one_wiring(here: Initialized) -> None:
    exclude = (here.project / ".git" / "info" / "exclude").read_bytes()
    users = here.home / ".claude" / "settings.json"
    here.init("--enforce")
    assert here.init("--user")["settings_file"] == str(users)
    assert not (here.project / ".claude").exists()
    assert (here.project / ".git" / "info" / "exclude").read_bytes() == exclude
    assert here.wired_in(users)
    assert here.loaded.settings.mode == "enforce"
    assert here.init()["scope"] == "user", "a later init keeps the recorded scope"


def test_plugin_scope_writes_no_hook_entry(here: Initialized) -> None:
    document = here.init("--plugin", "--enforce")
    assert document["settings_file"] is None
    assert not (here.project / ".claude").exists() and not (here.home / ".claude").exists()
    assert here.loaded.settings.enabled is True
    assert read_interpreter(here.state) == (sys.executable, SCRIPT, "closed")
    here.init("--uninstall")
    assert here.loaded.settings.enabled is False
    assert read_interpreter(here.state) is None


def test_taking_one_clone_out_leaves_the_other_clone_enabled(here: Initialized) -> None:
    """Clones of one origin share the project key, and so the user's settings for it."""
    first = here.project
    git(first, "remote", "add", "origin", "https://example.com/x.git")
    here.init()
    clone = here.enter("clone")
    git(clone, "remote", "add", "origin", "https://example.com/x.git")
    here.init()
    assert here.init("--uninstall")["enabled"] is True
    assert not (clone / ".claude").exists()
    assert here.wired_in(first / LOCAL)
    assert here.loaded.settings.enabled is True


def test_onlooker_dir_moves_all_state(
    here: Initialized, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "moved"))
    here.init()
    assert not (here.home / ".onlooker").exists()
    assert (tmp_path / "moved" / "compass" / "interpreter").exists()


def test_what_calibration_stored_survives(here: Initialized) -> None:
    here.init()
    value = {**read(here.own), "confidence_threshold": 0.7, "evaluator": {"n": 7}}
    here.own.write_text(json.dumps(value))
    here.init("--enforce")
    assert read(here.own) == {**value, "mode": "enforce"}


def test_the_plain_output_shows_the_diff_and_how_to_switch(here: Initialized) -> None:
    out, _ = here.said("init")
    assert f"+++ {here.project / LOCAL}" in out.splitlines()
    assert "compass init --enforce" in out
    assert "\x1b" not in out
    assert "compass init --observe" in here.said("init", "--enforce")[0]
