"""The settings files that count on every host are the user's to change, in whatever words an agent tries it."""

import json

import pytest
from running.guarded import Guarded
from samples.protected_lines import LAYERS

TIGHT = {"compass": {"mode": "enforce", "confidence_threshold": 0.9}}


@pytest.fixture
def guarded(tmp_path):
    found = Guarded(tmp_path)
    (found.project / ".compass").mkdir()
    (found.project / ".compass" / "settings.json").write_text(json.dumps(TIGHT))
    return found


def test_a_tool_may_change_no_key_of_the_projects_file(guarded):
    path = guarded.project / ".compass" / "settings.json"
    for content in ("{}", '{"compass": {"mode": "observe"}}', "", "no JSON"):
        said = guarded.write(path, content)
        assert "compass" in said and "of settings.json" in said
    edit = {"file_path": str(path), "old_string": "0.9", "new_string": "0.1"}
    assert guarded.judge("Edit", edit)
    assert guarded.write(path, json.dumps(TIGHT, indent=2)) == "", "the same keys, laid out anew"
    assert guarded.write(guarded.project / ".compass" / "notes.md") == ""


def test_a_file_that_is_not_there_yet_is_guarded_too(guarded):
    (guarded.project / ".compass" / "settings.json").unlink()
    (guarded.project / ".compass").rmdir()
    path = guarded.project / ".compass" / "settings.json"
    assert guarded.write(path, json.dumps(TIGHT))
    assert guarded.bash("mkdir .compass && echo '{}' > .compass/settings.json")
    assert guarded.write(guarded.project / "compass" / "settings.json", json.dumps(TIGHT)) == ""


def test_the_users_file_is_guarded_whole(guarded):
    assert "Compass's own files" in guarded.write(guarded.state / "settings.json", '{"other": 1}')
    assert guarded.bash("echo '{}' > @@/settings.json")
    assert guarded.bash("rm @@/settings.json")


def test_no_command_writes_or_takes_out_the_projects_file(guarded):
    assert [command for command in LAYERS if not guarded.bash(command)] == []


def test_a_tool_of_a_server_that_may_write_is_not_given_it(guarded):
    path = str(guarded.project / ".compass" / "settings.json")
    assert guarded.judge("mcp__x__store", {"path": path})
    assert guarded.judge("mcp__x__read_file", {"path": path}) == ""
