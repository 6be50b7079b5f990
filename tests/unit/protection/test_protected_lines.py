"""Self-protection over many calls, with real folders: what reaches the gate, and what only looks like it."""

import json

import pytest
from repository import ROOT
from running.guarded import Guarded
from samples.protected_lines import ATTACKS, HARMLESS

from evaluator.settings.keys import MCP_WRITERS

FOLDER = ROOT / "fixtures" / "attacks" / "protection"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    return Guarded(tmp_path_factory.mktemp("guarded"))


def judged(guarded, name):
    """{id of a row: why its call is denied, empty if it is not}."""
    rows = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
    where = {
        "${HOME}": guarded.home,
        "${PROJECT}": guarded.project,
        "${STATE}": guarded.home / ".onlooker",
    }
    found = {}
    for row in rows:
        text = json.dumps(row["input"])
        for word, path in where.items():
            text = text.replace(word, str(path))
        found[row["id"]] = guarded.judge(row["tool"], json.loads(text), MCP_WRITERS)
    assert len(found) == len(rows) >= 80
    return found


def test_what_reaches_the_gate_is_denied(guarded):
    assert [command for command in ATTACKS if not guarded.bash(command)] == []


def test_ordinary_work_is_not(guarded):
    assert {command: why for command in HARMLESS if (why := guarded.bash(command)) != ""} == {}


def test_what_turns_the_gate_off_from_outside_is_denied(guarded):
    assert [row for row, why in judged(guarded, "denied").items() if not why] == []


def test_what_only_says_or_reads_the_same_names_is_not(guarded):
    assert {row: why for row, why in judged(guarded, "allowed").items() if why} == {}


def test_a_wrapper_is_not_what_makes_the_difference(guarded):
    """The same wrappers around a harmless command pass, so the denials above are of what is wrapped."""
    from samples.protected_lines import EXPANSIONS, WRAPPERS, around, lines

    for command in around([*lines(WRAPPERS), *lines(EXPANSIONS)], "rm -rf build"):
        assert guarded.bash(command) == "", command


def test_a_short_command_does_not_hide_a_name_that_holds_its_letters(guarded):
    """A piece that is taken off the text, because it is settled, takes nothing of another part with it."""
    for settled in ("set", "ls", "w", ":", "id"):
        assert guarded.bash(f"./x .claude/settings.json; {settled}")
        assert guarded.bash(f"{settled}; ./x ~/.onlooker; {settled}")


def test_names_among_more_commands_than_are_shown_count(guarded):
    assert guarded.bash("true;" * 250 + "./x .claude/settings.json")


def test_a_line_that_was_there_before_may_stay(guarded):
    path = guarded.home / ".bashrc"
    path.write_text("export COMPASS_MODE=enforce\nalias l=ls\n")
    edit = {"file_path": str(path), "old_string": "alias l=ls", "new_string": "alias l='ls -l'"}
    assert guarded.judge("Edit", edit) == ""
    for old, new in (("COMPASS_MODE=enforce", "COMPASS_MODE=observe"), ("enforce", "observe")):
        assert guarded.judge("Edit", {**edit, "old_string": old, "new_string": new})
    assert guarded.write(path, "alias l=ls\n"), "a line that made the gate hold is gone"
