"""The settings files that count on every host are the user's to change, in whatever words an agent tries it."""

import json

import pytest
from corpora import corpus
from running.guarded import Guarded

TIGHT = {"compass": {"mode": "enforce", "confidence_threshold": 0.9}}


def new_guarded(tmp_path):
    found = Guarded(tmp_path)
    (found.project / ".compass").mkdir()
    (found.project / ".compass" / "settings.json").write_text(json.dumps(TIGHT))
    return found


guarded = pytest.fixture(new_guarded, name="guarded")


def test_a_tool_may_change_no_key_of_the_projects_file(guarded):
    path = guarded.project / ".compass" / "settings.json"
    for content in ("{}", '{"compass": {"mode": "observe"}}', "", "no JSON"):
        said = guarded.write(path, content)
        assert "compass" in said and "of settings.json" in said
    edit = {"file_path": str(path), "old_string": "0.9", "new_string": "0.1"}
    assert guarded.judge("Edit", edit)
    assert guarded.write(path, json.dumps({"requires": "0.0.1", **TIGHT}))
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


@corpus(
    "command",
    [
        "echo '{}' > .compass/settings.json",
        "rm .compass/settings.json",
        "rm -rf .compass",
        "mv .compass /tmp/layers-away",
        "cp dist/other.json .compass/settings.json",
        "sed -i s/0.9/0.1/ .compass/settings.json",
        "tee .compass/settings.json < dist/x",
        "cd .compass && truncate -s 0 settings.json",
        "ln -sf ../dist/x .compass/settings.json",
        "ln .compass/settings.json dist/other",
        "python3 -c \"open('.compass/settings.json', 'w').write('{}')\"",
        "f=.compass; rm $f/settings.json",
        "rm .comp*/settings.json",
        "find . -name settings.json -delete",
        "make X=.compass/settings.json",
    ],
    each={"guarded": new_guarded},
)
def test_no_command_writes_or_takes_out_the_projects_file(guarded, command):
    assert guarded.bash(command)


@corpus(
    "command",
    [
        "cat .compass/settings.json",
        "ls .compass",
        "jq .compass .compass/settings.json",
        "git diff .compass/settings.json",
        "grep -r compass src",
    ],
    each={"guarded": new_guarded},
)
def test_reading_it_is_nobodys_business(guarded, command):
    assert guarded.bash(command) == ""


def test_a_tool_of_a_server_that_may_write_is_not_given_it(guarded):
    path = str(guarded.project / ".compass" / "settings.json")
    assert guarded.judge("mcp__x__store", {"path": path})
    assert guarded.judge("mcp__x__read_file", {"path": path}) == ""
