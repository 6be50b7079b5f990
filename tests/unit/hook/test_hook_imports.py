"""What a hook that ends early loads, as `compass init` wires it: little, and nothing from outside of Python."""

import importlib.util
import json
import os
import sys

import pytest
from corpora import corpus
from repository import ROOT
from running.hookrun import MAIN, Place, denial
from running.processes import finished
from running.serving import serving

OUTSIDE = {
    "anthropic", "numpy", "pathspec", "pydantic", "rich", "site", "tenacity", "tree_sitter", "typing_extensions",
}  # fmt: skip
HEAVY = {
    "argparse", "asyncio", "dataclasses", "inspect", "logging", "pathlib", "shutil", "socket", "subprocess",
    "traceback", "urllib.parse",
}  # fmt: skip
LATER = {
    "evaluator.readers", "evaluator.intervention.resolution", "evaluator.egress.redaction",
    "evaluator.egress.sanitizer", "evaluator.egress.change_summary",
    "evaluator.shell.bash", "evaluator.shell.parse", "evaluator.shell.walk", "evaluator.shell.handlers",
    "evaluator.shell.rows", "evaluator.exchange.menu", "evaluator.exchange.option_names", "evaluator.exchange.reply",
    "evaluator.verdict.convergence", "evaluator.verdict.readings",
    "evaluator.gate.holds", "evaluator.gate.verdicts",
}  # fmt: skip
CLIENT = {"_socket", "compass", "compass.entry", "evaluator", "evaluator.wire", "gc", "hooks", "hooks.client"}
GATE = {
    "compass.hook.dispatch", "compass.hook.policy", "evaluator.settings.layers", "evaluator.settings.keys",
    "evaluator.state.store", "hashlib", "sqlite3",
}  # fmt: skip
FILES, FUNCTIONS, MODULES = 78, 710, 118
"""What a held `rm` goes through now, and a little room; what a short reply takes up is read before rules hold."""


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def started(place, *words, payload, flags=("-I", "-S", "-X", "importtime")):
    stdin, env = json.dumps(payload).encode(), place.environment()
    return finished([sys.executable, *flags, *words], stdin, env=env, cwd=place.project)


def loaded(place, payload, event="pre-tool-use"):
    """The modules that a hook that is allowed imported or looked for."""
    done = started(place, MAIN, "hook", event, payload=payload)
    assert event != "pre-tool-use" or denial(done) is None
    return modules(done.stderr)


def modules(told):
    """Those that `-X importtime` told of."""
    lines = told.decode().splitlines()
    assert all(line.startswith("import time:") for line in lines), told
    return {line.rpartition("|")[2].strip() for line in lines}


def prompted(place, text):
    """The modules that a prompt's hook imported."""
    given = {"hook_event_name": "UserPromptSubmit", "prompt": text}
    return loaded(place, place.payload() | given, "user-prompt-submit")


def lock_file(place):
    return place.payload("Write", {"file_path": str(place.project / "poetry.lock"), "content": "x"})


def test_a_silent_skip_loads_no_gate(place):
    found = loaded(place, place.payload("Read", {"file_path": "a.txt"}))
    assert found & (OUTSIDE | HEAVY | LATER | GATE) == set()


def test_a_call_that_the_service_answers_loads_the_client_alone(tmp_path):
    with serving(tmp_path) as served:
        served.start()
        found = loaded(served.place, served.place.payload("Read", {"file_path": "a.txt"}))
        assert served.counts()["silent"] == 1
        bare = started(served.place, "-c", "pass", payload=None)
    assert found - modules(bare.stderr) == CLIENT


def test_a_recorded_skip_loads_neither_packages_nor_what_only_readers_need(place):
    first, found = (loaded(place, lock_file(place)) for _ in range(2))
    assert first >= {"pathspec", "site"}, "the first finds the packages that it needs"
    assert found & (OUTSIDE | HEAVY | LATER) == set()
    assert found >= GATE
    assert [event["payload"]["reason"] for event in place.events()] == ["skip_glob", "skip_glob"]


def test_what_answers_a_control_is_loaded_for_controls_alone(place):
    answers = {"compass.hook.control_messages", "evaluator.intervention.resolution"}
    for text in ("Rework the parser", "compass: fix the login"):
        assert prompted(place, text) & (OUTSIDE | HEAVY | LATER | answers) == set()
    found = prompted(place, "compass: status")
    assert found >= answers
    assert found & (OUTSIDE | HEAVY) == set()


def test_a_result_loads_nothing_of_what_is_owed_where_nothing_is(place):
    fields = {"hook_event_name": "PostToolUse", "tool_use_id": "t1", "tool_response": {}}
    found = loaded(place, lock_file(place) | fields, "post-tool-use")
    assert found & (OUTSIDE | HEAVY | LATER | {"compass.hook.control_messages"}) == set()
    assert "compass.hook.events" in found


@corpus("flags", [["-I", "-S"], []], each={"place": Place})
def test_the_script_runs_whatever_the_interpreter_was_told_of_site_packages(place, flags):
    """A shell command needs the parser, and the denial the whole gate."""
    place.say("Just delete it.", prior="I found two unused files: src/old_auth.py and src/legacy_auth.py.")
    payload = place.payload("Bash", {"command": "rm src/old_auth.py"})
    done = started(place, MAIN, "hook", "pre-tool-use", payload=payload, flags=flags)
    reason = denial(done)
    assert reason is not None and "src/old_auth.py" in reason, done
    assert done.stderr == b""


def test_a_held_write_enters_no_more_of_the_program_than_before():
    spec = importlib.util.spec_from_file_location("trip", ROOT / "benchmarks" / "trip.py")
    trip = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(trip)
    found = trip.measured()
    for way, counts in found.items():
        assert 0 < counts["files"] <= FILES and 0 < counts["functions"] <= FUNCTIONS, (way, counts)
    assert found["cold"]["modules"] <= MODULES


def test_what_the_entry_says_goes_before_the_environment_for_child_processes_too(tmp_path):
    """The client changes it below `os`, which reads the same values once it is imported."""
    code = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from hooks.client import apply_entry\n"
        "apply_entry(['closed', f'HOME={sys.argv[2]}', 'ONLOOKER_DIR=/o'])\n"
        "import os, subprocess\n"
        "child = subprocess.run(['env', '-0'], capture_output=True).stdout.split(b'\\0')[:-1]\n"
        "assert dict(pair.split(b'=', 1) for pair in child) == dict(os.environb), child\n"
        "print(*(os.environ.get(name) for name in sys.argv[3:]))"
    )
    names = ["HOME", "ONLOOKER_DIR", "XDG_RUNTIME_DIR", "COMPASS_WIRED", "COMPASS_VIA_PLUGIN"]
    stated = {"HOME": "/h", "XDG_RUNTIME_DIR": "/x", "COMPASS_WIRED": "open", "COMPASS_VIA_PLUGIN": "1"}
    words = [sys.executable, "-I", "-S", "-c", code, str(ROOT), str(tmp_path), *names]
    done = finished(words, "", env={"PATH": os.environ["PATH"], **stated}, text=True)
    assert (done.stdout, done.stderr) == (f"{tmp_path} /o None closed placed None\n", "")
