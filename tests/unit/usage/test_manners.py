"""The command line as a newcomer meets it: the help, mistakes, and errors that scripts read."""

import json
import re
import subprocess
import sys

import pytest
from corpora import corpus
from running.hookrun import Place

from compass import __version__
from compass.cli import COMMANDS, GROUPS, near


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


def test_help_of_a_command_is_asked_for_by_either_word(place):
    said = place.command("help", "config", "set")
    assert (said.returncode, said.stdout) == (0, place.command("config", "set", "--help").stdout)
    assert said.stdout.startswith(b"usage: compass config set ")
    assert place.command("help").stdout == place.command().stdout


@corpus("word", ["-V", "--version"])
def test_the_version(place, word):
    assert place.command(word).stdout.decode() == f"compass {__version__}\n"


@corpus(
    ("words", "usage", "meant"),
    [
        (["chek"], "usage: compass [-h] [-V] COMMAND ...", "`compass check`"),
        (["config", "gett"], "usage: compass config [-h] [--json] ACTION ...", "`compass config get`"),
        (["init", "--enforc"], "usage: compass init ", "--enforce"),
        (["config", "list", "--jso"], "usage: compass config list ", "--json"),
        (["status", "--jsn"], "usage: compass status ", "--json"),
        (["config", "set", "mode", "off", "--usr"], "usage: compass config set ", "--user"),
        (["check", "--backend", "embeded"], "usage: compass check ", "embedded"),
        (["--versoin"], "usage: compass [-h] [-V] COMMAND ...", "--version"),
    ],
    each={"place": new_place},
)
def test_a_mistake_is_answered_with_what_was_meant_and_the_usage_it_is_about(place, words, usage, meant):
    done = place.command(*words)
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert said.startswith(usage) and f"did you mean {meant}?" in said, said


@corpus(
    ("words", "said"),
    [
        (["--json", "status"], "`compass status --json`"),
        (["config", "set"], "KEY, VALUE"),
        (["zzzz"], "no command 'zzzz'; `compass --help` lists them"),
        (["status", "a", "b\x1b[2J"], "unrecognized argument: b?[2J"),
    ],
)
def test_other_mistakes_say_what_to_do(place, words, said):
    done = place.command(*words)
    assert done.returncode == 2
    assert said in done.stderr.decode()


def test_a_setting_is_named_by_what_was_meant(place):
    done = place.command("config", "get", "evaluator.modl", "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == error["exit_code"] == 1
    assert error["did_you_mean"][0] == "evaluator.model" and "evaluator.model" in error["message"]
    wrong = json.loads(place.command("config", "set", "mode", "enfore", "--json").stdout)["error"]
    assert wrong["did_you_mean"] == ["enforce"] and "did you mean enforce?" in wrong["message"]


FAILING = {
    "bash": [],
    "calibrate": ["--cases", "nowhere.jsonl"],
    "check": ["--case", "nowhere.jsonl"],
    "completion": ["csh"],
    "config": ["get", "nothing.such"],
    "demo": ["--cases", "nowhere.jsonl"],
    "doctor": ["--host", "nobody"],
    "explain": ["nosuchid"],
    "hook": ["nothing"],
    "init": ["--port", "1"],
    "log": ["-n", "x"],
    "mcp": ["--nonsense"],
    "replay": ["nowhere.jsonl"],
    "serve": ["--port", "1"],
    "status": ["nowhere/at/all"],
    "statusline": ["--nonsense"],
    "trust": ["--nonsense"],
    "try": ["--nonsense"],
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


def test_what_is_near():
    assert near("chek", ["check", "bash"]) == ("check",)
    assert near("conf", ["config", "check"]) == ("config",)
    assert near("EMBEDDED", ["embedded"]) == ("embedded",)
    assert near("", ["check"]) == near("zzzz", ["check"]) == ()
