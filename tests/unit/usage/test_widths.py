"""What people read is as wide as what it goes to, and coloured where that is wanted; scripts get it plain."""

import shlex

import pytest
from rich.cells import cell_len
from running import forked
from running.atterminal import typing_at
from running.hookrun import MAIN, Place

from compass.show.terminal import labelled, wrapped

COMMANDS = (
    [], ["status"], ["log"], ["doctor"], ["explain"], ["why", "src/report.py"],
    ["demo", "--all"], ["init", "--dry-run"],
    ["config", "list"], ["config", "set", "cooldown.seconds", "60"], ["bash", "rm -rf build && echo done > log.txt"],
    ["init", "--help"], ["calibrate", "--help"], ["trust"],
    ["memory", "list"], ["memory", "edit", "--help"], ["forget", "--help"],
)  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("w"))
    made.say("Just change it.", prior="I found src/report.py and src/monthly.py.")
    payload = made.payload("Write", {"file_path": str(made.project / "src/report.py"), "content": "x = 1\n"})
    made.hook("pre-tool-use", payload)
    return made


def fits(line, columns):
    """A word that is longer than the line stays whole."""
    return cell_len(line) <= columns or cell_len(max(line.split(), key=cell_len)) > columns - 30


@pytest.mark.spread
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("columns", [None, 60, 100])
def test_a_pipe_takes_80_columns_or_those_of_the_variable_without_styles(place, words, columns):
    place.env = {"COLUMNS": "" if columns is None else str(columns)}
    done = place.command(*words)
    text = done.stdout.decode()
    assert text and "\x1b" not in text + done.stderr.decode()
    long = [line for line in text.splitlines() if not fits(line, columns or 80) and line[:1] not in "+-@"]
    assert long == []


def ended(place, words):
    """A command that says when it has ended."""
    return ["sh", "-c", f'{shlex.join(forked.command(MAIN, place.environment(), *words))}; echo E""ND']


@pytest.mark.spread(2)
@pytest.mark.parametrize(
    "words", [["status"], ["log"], ["doctor"], ["explain"], ["demo"], ["why", "src/report.py"]], ids=" ".join
)
@pytest.mark.parametrize("columns", [80, 40])
def test_a_terminal_is_filled_and_coloured_unless_it_must_not_be(place, words, columns):
    def shown(**env):
        place.env = {"COLUMNS": "", "TERM": "xterm-256color", **env}
        with typing_at(ended(place, words), place.environment(), place.project, columns) as terminal:
            return terminal.raw_until("END")

    coloured, plain = shown(), shown(NO_COLOR="1")
    assert "\x1b[" in coloured and "\x1b[" not in plain
    assert "\x1b[" not in shown(TERM="dumb")
    lines = plain.replace("\r", "").splitlines()
    assert [line for line in lines if not fits(line, columns)] == []


def test_wrapping_keeps_words_and_hangs():
    assert wrapped("a bb ccc dddd", 6) == ["a bb", "ccc", "dddd"]
    assert wrapped("  - one two three", 11) == ["  - one two", "  three"]
    assert wrapped("x " + "y" * 30, 10, 2) == ["x", "  " + "y" * 30]
    assert wrapped("", 10) == [""]
    assert wrapped("あい うえ", 5) == ["あい", "うえ"]
    assert labelled("name  ", "one two three four five six seven eight", 38, 6) == [
        "name  one two three four five six", "      seven eight",
    ]  # fmt: skip
    assert labelled("name  ", "one two three", 20, 6) == ["name", "  one two three"]
