"""The command line as a newcomer meets it: the help, mistakes, errors that scripts read, and how wide it prints."""

import json
import re
import shlex
import subprocess
import sys

import pytest
from corpora import corpus
from rich.cells import cell_len
from running import forked
from running.atterminal import typing_at
from running.hookrun import MAIN, Place

from compass import __version__
from compass.cli import COMMANDS, GROUPS
from compass.show.terminal import labelled, wrapped


def new_place(tmp_path):
    return Place(tmp_path, {"COLUMNS": ""})


place = pytest.fixture(new_place, name="place")


def test_without_words_it_is_the_help_which_names_every_command_in_its_group(place):
    bare, asked = place.command(), place.command("--help")
    assert (bare.returncode, bare.stdout, bare.stderr) == (0, asked.stdout, b"")
    text = bare.stdout.decode()
    for title, group in GROUPS.items():
        section = text.partition(f"\n{title}:\n")[2].partition("\n\n")[0]
        assert re.findall(r"^  ([a-z]+)", section, re.M) == list(group)
    assert text.index("  try ") < text.index("  init ") < text.index("  hook ")
    assert "No telemetry" in text and "WSL" in text
    assert max(map(len, text.splitlines())) <= 80
    for word in ("-V", "--version"):
        assert place.command(word).stdout.decode() == f"compass {__version__}\n"


@corpus(
    ("words", "said"),
    [
        (["config", "set"], "KEY, VALUE"),
        (["zzzz"], "'zzzz'"),
        (["init", "--enforc"], "unrecognized arguments: --enforc"),
        (["status", "a", "b\x1b[2J"], "unrecognized arguments: b?[2J"),
        (["check", "--backend", "embeded"], "'embeded'"),
    ],
    each={"place": new_place},
)
def test_a_mistake_is_answered_with_the_usage_and_what_was_wrong(place, words, said):
    done = place.command(*words)
    assert (done.returncode, done.stdout) == (2, b"")
    told = done.stderr.decode()
    assert told.startswith("usage: compass ") and said in told


FAILING = {
    "bash": [],
    "calibrate": ["--cases", "nowhere.jsonl"],
    "check": ["--case", "nowhere.jsonl"],
    "config": ["get", "nothing.such"],
    "demo": ["--cases", "nowhere.jsonl"],
    "doctor": ["--host", "nobody"],
    "explain": ["nosuchid"],
    "hook": ["nothing"],
    "init": ["--port", "1"],
    "log": ["-n", "x"],
    "replay": ["nowhere.jsonl"],
    "serve": ["--port", "1"],
    "status": ["nowhere/at/all"],
    "why": ["-n", "x"],
}


@corpus("name", list(COMMANDS), each={"place": new_place})
def test_an_error_of_every_command_is_an_object_for_scripts_and_a_sentence_for_people(place, name):
    words = FAILING.get(name, ["--nonsense"])
    done = place.command(name, *words, "--json")
    found = json.loads(done.stdout)
    assert set(found) == {"error"}
    error = found["error"]
    assert {"type", "command", "message", "exit_code"} <= set(error)
    assert error["exit_code"] == done.returncode != 0
    assert error["command"].startswith(name) and error["message"]
    told = done.stderr.decode()
    assert "Traceback" not in told and f"compass {name}" in told


def test_an_agent_is_refused_with_an_object_too(tmp_path):
    place = Place(tmp_path, {"CLAUDECODE": "1"})
    error = json.loads(place.command("init", "--json").stdout)["error"]
    assert error["type"] == "ConsentError" and "only you may do this" in error["message"]


def test_on_windows_itself_it_says_where_it_runs_and_the_help_still_works(tmp_path):
    code = "import sys; from compass.cli import main; sys.platform = 'win32'; sys.exit(main(sys.argv[1:]))"

    def run(*words):
        given = [sys.executable, "-c", code, *words]
        return subprocess.run(given, capture_output=True, text=True, check=False)

    done = run("status", "--json")
    assert done.returncode == 1 and "inside WSL" in json.loads(done.stdout)["error"]["message"]
    assert run("--help").returncode == 0


def test_what_a_case_lacks_is_named_with_its_line(place):
    done = place.command("check", "--case", "-", "--json", stdin=b"\n{}")
    assert done.returncode == 1
    said = json.loads(done.stdout)["error"]["message"]
    assert said == "stdin:2: a case needs a string user_message; and a file_path, a command or an operation"
    assert b"a tool name" in place.command("check", stdin=b"{}").stderr


def test_at_a_terminal_it_says_what_it_waits_for(place):
    words = forked.command(MAIN, place.environment(), "check", "--case", "-")
    with typing_at(words, place.environment(), place.project) as terminal:
        assert "stdin" in terminal.until("Ctrl-D")
        said = {"user_message": "Just delete it.", "prior_assistant_turn": "I found src/a.py and src/b.py."}
        terminal.type(json.dumps(said | {"tool_name": "Bash", "command": "rm src/b.py"}) + "\n\x04")
        terminal.until("failed (deny)")


PRINTING = (
    [], ["status"], ["log"], ["doctor"], ["explain"], ["why", "src/report.py"],
    ["demo", "--all"], ["init", "--dry-run"],
    ["config", "list"], ["config", "set", "cooldown.seconds", "60"], ["bash", "rm -rf build && echo done > log.txt"],
    ["init", "--help"], ["calibrate", "--help"], ["trust"],
    ["memory", "list"], ["memory", "edit", "--help"], ["forget", "--help"],
)  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("w"))
    made.say("Just change it.", prior="I found src/report.py and src/monthly.py.")
    payload = made.payload("Write", {"file_path": str(made.project / "src/report.py"), "content": "x = 1\n"})
    made.hook("pre-tool-use", payload)
    return made


def fits(line, columns):
    """A word that is longer than the line stays whole."""
    return cell_len(line) <= columns or cell_len(max(line.split(), key=cell_len)) > columns - 30


@pytest.mark.spread
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
@pytest.mark.parametrize("columns", [None, 60, 100])
def test_a_pipe_takes_80_columns_or_those_of_the_variable_without_styles(played, words, columns):
    played.env = {"COLUMNS": "" if columns is None else str(columns)}
    done = played.command(*words)
    text = done.stdout.decode()
    assert text and "\x1b" not in text + done.stderr.decode()
    long = [line for line in text.splitlines() if not fits(line, columns or 80) and line[:1] not in "+-@"]
    assert long == []


def ended(played, words):
    """A command that says when it has ended."""
    return ["sh", "-c", f'{shlex.join(forked.command(MAIN, played.environment(), *words))}; echo E""ND']


@pytest.mark.spread(2)
@pytest.mark.parametrize(
    "words", [["status"], ["log"], ["doctor"], ["explain"], ["demo"], ["why", "src/report.py"]], ids=" ".join
)
@pytest.mark.parametrize("columns", [80, 40])
def test_a_terminal_is_filled_and_coloured_unless_it_must_not_be(played, words, columns):
    def shown(**env):
        played.env = {"COLUMNS": "", "TERM": "xterm-256color", **env}
        with typing_at(ended(played, words), played.environment(), played.project, columns) as terminal:
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
