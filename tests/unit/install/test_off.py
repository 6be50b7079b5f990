"""One project is left out, by its user alone."""

import json

import pytest
from running import ownhome
from running.hookrun import Place, denial

home, project, here = ownhome.home, ownhome.repository, ownhome.here


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
