"""One project is left out, by its user alone."""

import json

import pytest
from running import ownhome
from running.hookrun import Place, denial

home, project, init, run = ownhome.home, ownhome.repository, ownhome.init, ownhome.run


def test_one_project_is_left_out_of_a_wiring_that_all_share(tmp_path, home, project, init, run, monkeypatch):
    init("--user", "--enforce")
    wired = (home / ".claude/settings.json").read_bytes()
    other = tmp_path / "other"
    other.mkdir()
    ownhome.git(other, "init", "-q")
    monkeypatch.chdir(other)
    init("--user", "--enforce")
    found = run("config", "set", "enabled", "false")
    assert (found["key"], found["stated"], found["outweighed_by"]) == ("enabled", False, "")
    assert not ownhome.loaded(home, other).settings.enabled
    assert ownhome.loaded(home, project).settings.enabled
    assert (home / ".claude/settings.json").read_bytes() == wired
    assert run("status")["mode"] == "off"

    run("config", "set", "enabled", "true")
    settings = ownhome.loaded(home, other).settings
    assert settings.enabled and settings.mode == "enforce"


@pytest.mark.parametrize("file", [".compass/settings.json", ".claude/settings.json"])
def test_a_committed_file_neither_turns_it_off_nor_on_again(home, project, init, run, file):
    path = project / file
    path.parent.mkdir(exist_ok=True)
    init("--enforce")
    path.write_text(json.dumps({"compass": {"enabled": False}}))
    assert ownhome.loaded(home, project).settings.enabled
    run("config", "set", "enabled", "false")
    path.write_text(json.dumps({"compass": {"enabled": True, "stddev_threshold": 0.1}}))
    found = ownhome.loaded(home, project)
    assert not found.settings.enabled and found.settings.stddev_threshold == 0.1
    assert any("the user turned the gate off here" in problem for problem in found.problems)
    run("config", "set", "enabled", "true")
    assert ownhome.loaded(home, project).settings.enabled


class Wired(Place):
    """Turned on by `init` alone."""

    def environment(self):
        return {name: text for name, text in super().environment().items() if name != "COMPASS_ENABLED"}


def test_the_hook_is_silent_in_that_project(tmp_path):
    place = Wired(tmp_path)
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
    place = Wired(tmp_path)
    assert json.loads(place.command("status", "--json").stdout)["wired"] == []
    for words in ((), ("--host", "codex"), ("--host", "cursor")):
        assert place.command("init", *words).returncode == 0
    assert json.loads(place.command("status", "--json").stdout)["wired"] == ["claude-code", "codex", "cursor"]
    assert b"claude-code, codex, cursor" in place.command("status").stdout
