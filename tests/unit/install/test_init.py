"""`compass init`: mode, scope and backend as told and recorded, the files it meets, and one project left out."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from running import ownhome
from running.hookrun import Place, denial
from running.ownhome import LOCAL, git, read

import compass
from compass.composition.thresholds import readers_now
from compass.install.installation import all_records, read_interpreter
from evaluator.model import Thresholds
from evaluator.verdict.calibrated_thresholds import Calibrated, calibrated_as_dict
from hooks import registry
from hooks.hosts.claude_code.host import HOST

EVENTS = {name: word for word, name in HOST.EVENTS.items()}
SCRIPT = str(Path(compass.__file__).parent / "__main__.py")

home, project, here, doctor = ownhome.home, ownhome.repository, ownhome.here, ownhome.doctor


def test_a_first_init_wires_the_project_observes_and_keeps_its_state_private(here):
    document = here.init()
    assert set(here.wired) == set(EVENTS)
    assert here.wired["PreToolUse"]["onFailure"] == "continue"
    found = here.loaded
    assert (found.settings.enabled, found.settings.mode) == (True, "observe")
    assert found.settings.evaluator.backend == "auto", "chosen again at the start of each session"
    assert (document["backend"], found.problems) == ("embedded", ())
    assert read_interpreter(here.state) == (sys.executable, SCRIPT, "open")
    assert all(str(handler["command"]).startswith(sys.executable) for handler in here.wired.values())
    for path in [Path(here.state), *Path(here.state).rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


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
def test_a_first_init_enforces_where_hosted_readers_are_calibrated(here, monkeypatch, backend, words, mode):
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


def test_enforce_blocks_on_failure_and_stays_until_told_otherwise(here):
    for words, mode in (
        (["--enforce"], "enforce"),
        ([], "enforce"),
        (["--observe"], "observe"),
        ([], "observe"),
    ):
        assert here.init(*words)["mode"] == mode
        assert here.wired["PreToolUse"]["onFailure"] == ("block" if mode == "enforce" else "continue")
        assert read_interpreter(here.state)[2] == ("closed" if mode == "enforce" else "open")
    here.init("--enforce")
    here.enter("other", repository=False)
    here.init("--observe")
    assert read_interpreter(here.state)[2] == "closed", "the plugin's is while any project needs it"


@pytest.mark.parametrize("folder", [".claude", ".compass"])
def test_a_project_that_enforces_by_its_own_settings_is_wired_so(here, folder):
    (here.project / folder).mkdir()
    (here.project / folder / "settings.json").write_text('{"compass": {"mode": "enforce"}}')
    document = here.init("--observe")
    assert here.wired["PreToolUse"]["onFailure"] == "block"
    assert any("sets mode enforce" in note for note in document["notes"])


def test_a_folder_without_git_is_a_project_too(here):
    bare = here.enter("bare", repository=False)
    document = here.init()
    assert document["project_dir"] == str(bare)
    assert (bare / LOCAL).exists()
    assert not any("exclude" in note for note in document["notes"])
    assert here.loaded.settings.enabled is True


def test_moving_to_another_scope_leaves_one_wiring(here):
    exclude = (here.project / ".git" / "info" / "exclude").read_bytes()
    users = here.home / ".claude" / "settings.json"
    here.init("--enforce")
    assert here.init("--user")["settings_file"] == str(users)
    assert not (here.project / ".claude").exists()
    assert (here.project / ".git" / "info" / "exclude").read_bytes() == exclude
    assert here.wired_in(users)
    assert here.loaded.settings.mode == "enforce"
    assert here.init()["scope"] == "user", "a later init keeps the recorded scope"


def test_plugin_scope_writes_no_hook_entry(here):
    document = here.init("--plugin", "--enforce")
    assert document["settings_file"] is None
    assert not (here.project / ".claude").exists() and not (here.home / ".claude").exists()
    assert here.loaded.settings.enabled is True
    assert read_interpreter(here.state) == (sys.executable, SCRIPT, "closed")
    here.init("--uninstall")
    assert here.loaded.settings.enabled is False
    assert read_interpreter(here.state) is None


def test_taking_one_clone_out_leaves_the_other_clone_enabled(here):
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


def test_onlooker_dir_moves_all_state(here, tmp_path, monkeypatch):
    monkeypatch.setenv("ONLOOKER_DIR", str(tmp_path / "moved"))
    here.init()
    assert not (here.home / ".onlooker").exists()
    assert (tmp_path / "moved" / "compass" / "interpreter").exists()


def test_what_calibration_stored_survives_and_what_was_added_to_a_file_of_ours_stays_ignored(here):
    here.init()
    value = {**read(here.own), "confidence_threshold": 0.7, "evaluator": {"n": 7}}
    here.own.write_text(json.dumps(value))
    here.init("--enforce")
    assert read(here.own) == {**value, "mode": "enforce"}
    here.put(json.dumps({**read(here.local), "model": "x"}))
    here.init("--uninstall")
    assert read(here.local) == {"model": "x"}
    assert git(here.project, "status", "--porcelain") == ""


def test_a_second_init_changes_nothing_and_uninstall_restores_every_file_of_the_project(here):
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


def test_what_others_wrote_keeps_its_value_its_order_and_its_mode(here):
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
    assert '\n    "permissions": {' in here.local.read_text() and here.local.read_text().endswith("}")


def test_a_tracked_settings_file_is_refused(here):
    here.put("{}")
    git(here.project, "add", str(LOCAL))
    assert "git rm --cached" in here.said("init", code=1)[1]
    assert here.local.read_text() == "{}"
    assert here.init("--user")["scope"] == "user"


def test_a_folder_below_the_repositorys_root_is_excluded_by_its_own_path(here):
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
def test_a_settings_file_that_is_no_plain_json_is_left_alone(here, text, where):
    here.put(text)
    before = here.files()
    for words in ((), ("--uninstall",), ("--json",)):
        _, err = here.said("init", *words, code=1)
        assert str(here.local) in err and where in err
    assert here.files() == before


def test_a_byte_order_mark_and_windows_newlines_stay(here):
    text = '\ufeff{\r\n\t"model": "é"\r\n}\r\n'.encode()
    here.put("").write_bytes(text)
    here.init()
    wired = here.local.read_bytes()
    assert wired.startswith('\ufeff{\r\n\t"model": "é",\r\n\t"hooks": {\r\n\t\t'.encode())
    assert wired.endswith(b"}\r\n") and b"\n" not in wired.replace(b"\r\n", b"")
    here.init("--uninstall")
    assert here.local.read_bytes() == text


def test_a_link_stays_a_link(here):
    dotfiles, link = here.home / "dotfiles.json", here.home / ".claude" / "settings.json"
    dotfiles.write_text('{"model": "x"}\n')
    link.parent.mkdir()
    link.symlink_to(dotfiles)
    here.init("--user")
    assert link.is_symlink() and here.wired_in(dotfiles)
    here.init("--user", "--uninstall")
    assert link.is_symlink() and read(dotfiles) == {"model": "x"}


def test_a_dry_run_shows_the_diff_and_writes_nothing_and_the_plain_output_says_how_to_switch(here):
    before = here.files()
    document = here.init("--enforce", "--dry-run")
    assert f"+++ {here.local}" in document["diff"]
    assert '+            "onFailure": "block",' in document["diff"]
    assert here.files() == before
    assert not (here.project / ".claude").exists()
    out, _ = here.said("init")
    assert f"+++ {here.project / LOCAL}" in out.splitlines() and "compass init --enforce" in out
    assert "\x1b" not in out
    assert "compass init --observe" in here.said("init", "--enforce")[0]


def test_what_cannot_be_written_is_named_and_nothing_is_left_behind(here):
    state = here.home / ".onlooker"
    state.write_text("in the way")
    assert str(state) in here.said("init", code=1)[1]
    assert not (here.project / ".claude").exists()
    state.unlink()
    here.local.mkdir(parents=True)
    assert str(here.local) in here.said("init", code=1)[1]
    assert not list((here.project / ".claude").glob("*.tmp"))


def test_what_a_team_commits_beside_the_settings_is_named_and_not_read(here, doctor):
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
def test_a_project_that_observes_leaves_the_entries_of_one_that_enforces(here, host):
    def wired(name, mode):
        here.enter(name)
        here.init("--host", host, "--backend", "embedded", "--yes", mode)
        return Path(registry.host_of(host).user_file({}, str(here.home))).read_text()

    closed = wired("one", "--enforce")
    assert wired("two", "--observe") == closed
    assert wired("one", "--observe") != closed
    assert wired("two", "--enforce") == closed


def test_one_project_is_left_out_of_a_wiring_that_all_share(here):
    here.init("--user", "--enforce")
    first, wired = here.project, (here.home / ".claude/settings.json").read_bytes()
    here.enter("other")
    here.init("--user", "--enforce")
    found = here.run("config", "set", "enabled", "false")
    assert (found["key"], found["stated"], found["outweighed_by"]) == ("enabled", False, "")
    assert not here.loaded.settings.enabled
    assert ownhome.loaded(here.home, first).settings.enabled
    assert (here.home / ".claude/settings.json").read_bytes() == wired
    assert here.run("status")["mode"] == "off"
    here.run("config", "set", "enabled", "true")
    settings = here.loaded.settings
    assert settings.enabled and settings.mode == "enforce"


@pytest.mark.parametrize("file", [".compass/settings.json", ".claude/settings.json"])
def test_a_committed_file_neither_turns_it_off_nor_on_again(here, file):
    path = here.project / file
    path.parent.mkdir(exist_ok=True)
    here.init("--enforce")
    path.write_text(json.dumps({"compass": {"enabled": False}}))
    assert here.loaded.settings.enabled
    here.run("config", "set", "enabled", "false")
    path.write_text(json.dumps({"compass": {"enabled": True, "stddev_threshold": 0.1}}))
    found = here.loaded
    assert not found.settings.enabled and found.settings.stddev_threshold == 0.1
    assert any("the user turned the gate off here" in problem for problem in found.problems)
    here.run("config", "set", "enabled", "true")
    assert here.loaded.settings.enabled


def test_the_hook_is_silent_in_that_project(tmp_path):
    place = Place(tmp_path, {"COMPASS_ENABLED": None})
    assert place.command("init", "--enforce", "--user", "--backend", "embedded").returncode == 0
    place.say("Just delete it.", prior="I found scripts/a.py and scripts/b.py.")
    write = place.payload("Bash", {"command": "rm scripts/b.py"})
    assert denial(place.hook("pre-tool-use", write))
    assert place.command("config", "set", "enabled", "false").returncode == 0
    (place.project / ".compass").mkdir()
    (place.project / ".compass/settings.json").write_text(json.dumps({"compass": {"enabled": True}}))
    assert denial(place.hook("pre-tool-use", write)) is None
    assert place.command("config", "set", "enabled", "true").returncode == 0
    assert denial(place.hook("pre-tool-use", write))


def test_status_names_the_agents_that_the_project_is_wired_for(tmp_path):
    place = Place(tmp_path, {"COMPASS_ENABLED": None})
    assert json.loads(place.command("status", "--json").stdout)["wired"] == []
    for words in ((), ("--host", "codex"), ("--host", "cursor")):
        assert place.command("init", *words).returncode == 0
    assert json.loads(place.command("status", "--json").stdout)["wired"] == ["claude-code", "codex", "cursor"]
    assert b"claude-code, codex, cursor" in place.command("status").stdout
