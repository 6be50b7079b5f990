"""The command line as a newcomer meets it: the help, mistakes, and errors that scripts read."""

import json
import re
import subprocess
import sys

import pytest
from corpora import corpus
from running import forked
from running.atterminal import typing_at
from running.hookrun import MAIN, Place

from compass import __version__
from compass.cli import COMMANDS, GROUPS


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


@corpus("word", ["-V", "--version"])
def test_the_version(place, word):
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
        return subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
        )

    done = run("status", "--json")
    assert done.returncode == 1 and "inside WSL" in json.loads(done.stdout)["error"]["message"]
    assert run("--help").returncode == 0


UNCLEAR = {
    "user_message": "Just delete it.",
    "prior_assistant_turn": "I found scripts/a.py and scripts/b.py.",
    "tool_name": "Bash",
    "command": "rm scripts/b.py",
}


def test_what_a_case_lacks_is_named_with_its_line(place):
    done = place.command("check", "--case", "-", "--json", stdin=b"\n{}")
    assert done.returncode == 1
    said = json.loads(done.stdout)["error"]["message"]
    assert said == "stdin:2: a case needs a string user_message; and a file_path, a command or an operation"
    assert b"a tool name" in place.command("check", stdin=b"{}").stderr


def test_at_a_terminal_it_says_what_it_waits_for(place):
    words = forked.command(MAIN, place.environment(), "check", "--case", "-")
    with typing_at(words, place.environment(), place.project) as terminal:
        shown = terminal.until("Ctrl-D")
        assert "stdin" in shown
        terminal.type(json.dumps(UNCLEAR) + "\n\x04")
        terminal.until("failed (deny)")
