"""`compass check` of a labelled case, from a pipe and at a terminal."""

import json

import pytest
from running import forked
from running.atterminal import typing_at
from running.hookrun import MAIN, Place

UNCLEAR = {
    "user_message": "Just delete it.",
    "prior_assistant_turn": "I found scripts/a.py and scripts/b.py.",
    "tool_name": "Bash",
    "command": "rm scripts/b.py",
}


def new_place(tmp_path):
    return Place(tmp_path)


place = pytest.fixture(new_place, name="place")


def test_what_a_case_lacks_is_named_with_its_line(place):
    done = place.command("check", "--case", "-", "--json", stdin=b"\n{}")
    assert done.returncode == 1
    said = json.loads(done.stdout)["error"]["message"]
    assert said == "stdin:2: a case needs user_message, a string; and file_path, command or operation"
    assert b"a tool's name" in place.command("check", stdin=b"{}").stderr


def test_at_a_terminal_it_says_what_it_waits_for(place):
    words = forked.command(MAIN, place.environment(), "check", "--case", "-")
    with typing_at(words, place.environment(), place.project) as terminal:
        shown = terminal.until("Ctrl-D")
        assert "stdin" in shown
        terminal.type(json.dumps(UNCLEAR) + "\n\x04")
        terminal.until("failed (deny)")
