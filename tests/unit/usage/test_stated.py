"""`compass check` of a case that is stated in options, and at a terminal without one."""

import json

import pytest
from corpora import corpus
from running import forked
from running.hookrun import MAIN, Place
from running.shells import typing_at

UNCLEAR = {
    "user_message": "Just delete it.",
    "prior_assistant_turn": "I found scripts/a.py and scripts/b.py.",
    "tool_name": "Bash",
    "command": "rm scripts/b.py",
}
STATED = (
    "--said",
    UNCLEAR["user_message"],
    "--prior",
    UNCLEAR["prior_assistant_turn"],
    "--command",
    "rm scripts/b.py",
)
OF_A_CHECK = ("check_id", "duration_ms", "samples")


def new_place(tmp_path):
    return Place(tmp_path)


place = pytest.fixture(new_place, name="place")


def test_a_stated_case_is_judged_as_the_same_row_is(place):
    stated = place.command("check", "--json", *STATED)
    row = place.command("check", "--json", "--case", "-", stdin=json.dumps(UNCLEAR).encode())
    assert stated.returncode == row.returncode == 2
    found, other = json.loads(stated.stdout), json.loads(row.stdout)
    assert {name: found[name] for name in found if name not in OF_A_CHECK} == {
        name: other[name] for name in other if name not in OF_A_CHECK
    }
    assert found["targets"] == ["/project/scripts/b.py"]


@corpus(
    ("words", "tool", "operation"),
    [
        (("--file", "a.py", "--content", "x = 1"), "Write", "create"),
        (("--file", "a.py", "--exists"), "Write", "overwrite"),
        (("--file", "a.py", "--old", "x", "--new", "y"), "Edit", "edit"),
        (("--tool", "MultiEdit", "--file", "a.py"), "MultiEdit", "edit"),
        (("--command", "rm a.py"), "Bash", "delete"),
    ],
    each={"place": new_place},
)
def test_the_tool_follows_from_what_is_stated(place, words, tool, operation):
    found = json.loads(place.command("check", "--json", "--said", "change a.py", *words).stdout)
    assert (found["tool_name"], found["operation"]) == (tool, operation)


def test_all_that_is_missing_is_named_at_once(place):
    done = place.command("check", "--prior", "Which one?", "--json")
    assert json.loads(done.stdout)["error"]["missing"] == ["--said", "--file or --command"]
    assert done.returncode == 1 and b"--said and --file or --command" in done.stderr
    row = json.loads(place.command("check", "--case", "-", "--json", stdin=b"{}").stdout)["error"]
    assert row["missing"] == ["user_message, a string", "file_path, command or operation"]
    said = place.command("check", stdin=b"{}").stderr
    assert all(name in said for name in (b"tool_name", b"tool_input", b"session_id"))


def test_a_stated_case_stands_alone(place):
    done = place.command("check", "--case", "-", *STATED)
    assert done.returncode == 1 and b"exclude each other" in done.stderr


def test_what_would_be_sent_of_a_stated_case(place):
    done = place.command("explain", "--egress", *STATED)
    assert done.returncode == 0 and b"Just delete it." in done.stdout


def test_at_a_terminal_it_says_what_it_waits_for(place):
    words = forked.command(MAIN, place.environment(), "check", "--case", "-")
    with typing_at(words, place.environment(), place.project) as terminal:
        shown = terminal.until("--said TEXT")
        assert "stdin" in shown and "Ctrl-D" in shown
        terminal.type(json.dumps(UNCLEAR) + "\n\x04")
        terminal.until("failed (deny)")


def test_in_a_pipe_it_waits_without_a_word(place):
    done = place.command("check", "--case", "-", stdin=json.dumps(UNCLEAR).encode())
    assert done.returncode == 2 and done.stderr == b""
