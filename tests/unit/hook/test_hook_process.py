"""The hook as a process: bad input, faults, and a project that is hostile."""

import json
import os
import subprocess
import time
from contextlib import closing

import pytest
from corpora import corpus
from running.hookrun import Place, deletion, denial

from evaluator.processes import process_of
from evaluator.state.store import open_store
from hooks.entries import EVENTS


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


CLEAR = "Create notes.txt with a line that says hello"
BAD_STDIN = [
    b"", b"{oops", b"[1, 2]", b"null", b"[" * 100_000, b"\xff\xfe\x00{}", b'{"session_id": "s", "cwd": "/"}',
    b'{"session_id": "s", "tool_name": 3, "tool_input": {}}',
    b'{"session_id": "s", "tool_name": "Write", "tool_input": "x"}',
    b'{"session_id": {}, "tool_name": "Write", "tool_input": {}}', b'{"tool_name": "Write", "tool_input": {}}',
]  # fmt: skip


@corpus("raw", BAD_STDIN, ids=lambda raw: raw[:60], each={"place": Place})
def test_bad_stdin_is_denied_under_the_closed_policy_and_named(place, raw):
    done = place.hook("pre-tool-use", raw)
    reason = denial(done)
    assert reason is not None and "could not check" in reason
    assert b"compass: pre-tool-use:" in done.stderr
    assert "pre-tool-use" in (place.state / "compass" / "faults.log").read_text()


def test_bad_stdin_passes_where_the_policy_is_open_and_too_much_is_denied_where_it_is_not(place):
    reason = denial(place.hook("pre-tool-use", b" " * (64 * 1024 * 1024 + 1)))
    assert reason is not None and "too large" in reason
    for name, value in (("ERROR_POLICY", "open"), ("MODE", "observe"), ("ENABLED", "false")):
        place.env = {f"COMPASS_{name}": value}
        assert denial(place.hook("pre-tool-use", b"{oops")) is None


OTHERS = [*(event for event in EVENTS if event != "pre-tool-use"), "pre-flight"]


@corpus("event", OTHERS, each={"place": Place})
def test_other_events_and_unknown_ones_never_print_whatever_they_are_given(place, event):
    for raw in (b"", b"{oops", b"{}", b'{"session_id": 3}'):
        done = place.hook(event, raw)
        assert (done.returncode, done.stdout) == (0, b"")


@corpus(
    "identifier",
    ["../../etc/passwd", "a\nb", "nul\x00", "x" * 1_000_000, "\ud800", "'; drop table checks; --"],
    each={"place": Place},
)
def test_ids_from_outside_are_data(place, identifier):
    place.say(CLEAR)
    ids = dict.fromkeys(("session_id", "prompt_id", "tool_use_id", "agent_id"), identifier)
    for event in EVENTS:
        done = place.hook(event, place.payload(prompt=CLEAR, **ids))
        assert done.returncode == 0 and b"Error" not in done.stderr, done.stderr
    outside = {path.name for path in place.root.iterdir()}
    assert outside == {"home", "project", "state", "transcript.jsonl"}


def test_a_transcript_that_cannot_be_used_still_gets_an_answer(place):
    half = b'{"type":"user","message":{"role":"user","content":"half'
    broken = [b"", b"\x00" * 1000, b"{\n[\nnull\n", b"\xff" * 4096, half]
    files = [place.root / f"{number}.jsonl" for number in range(len(broken))]
    for file, content in zip(files, broken, strict=True):
        file.write_bytes(content)
    for path in (*map(str, files), str(place.root), str(place.root / "nowhere.jsonl"), "\x00", ""):
        done = place.hook("pre-tool-use", place.payload(transcript_path=path))
        denial(done)
        assert b"Error" not in done.stderr, path


def test_a_project_cannot_put_its_own_modules_before_ours(tmp_path):
    place = Place(tmp_path, forked=False)
    for name in ("json", "sqlite3", "hooks", "compass", "evaluator", "sitecustomize"):
        (place.project / f"{name}.py").write_text("raise SystemExit('hijacked')\n")
    place.env["PYTHONPATH"] = str(place.project)
    place.env["PYTHONSTARTUP"] = str(place.project / "json.py")
    place.say(CLEAR)
    done = place.hook("pre-tool-use", place.payload())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert [event["event_type"] for event in place.events()] == ["compass.check.skipped"]
    reason = denial(place.hook("pre-tool-use", deletion(place)))
    assert reason is not None and "src/old_auth.py" in reason
    assert [event["event_type"] for event in place.events()][1:] == ["compass.check.failed"]


def test_a_prompt_that_is_not_in_the_transcript_yet_is_the_one_kept_and_a_machines_is_not(place):
    prompt = {"session_id": "session-1", "cwd": str(place.project), "prompt_id": "prompt-1", "prompt": CLEAR}
    place.hook("user-prompt-submit", prompt)
    note = {**prompt, "prompt": "<task-notification>\ndone\n</task-notification>"}
    place.hook("user-prompt-submit", {**note, "prompt_id": "prompt-2"})
    assert denial(place.hook("pre-tool-use", place.payload())) is None
    record = json.loads(place.command("explain", "--json").stdout)
    assert record["current_request"] == CLEAR


@corpus(
    "path",
    ["a\0b.txt", "a\ud800.txt", "x/" * 20_000 + "a.txt", "../" * 5000 + "a.txt"],
    ids=["NUL", "lone surrogate", "long", "many steps up"],
    each={"place": Place},
)
def test_a_path_that_no_system_takes_is_judged_as_data(place, path):
    """It is no fault of Compass: a verdict is given, and no cause of a failure is told."""
    place.say("Why is the parser slow?")
    done = place.hook("pre-tool-use", place.payload(given={"file_path": path, "content": "x"}))
    reason = denial(done)
    assert done.stderr == b""
    assert reason is None or "could not check" not in reason


# Whose hook may stay out as our own reader's: the token's, and only below the process that issued it.


def nested(place, token):
    place.env["COMPASS_NESTED"] = token
    place.say("What does this do?")
    return place.hook("pre-tool-use", place.payload("Bash", {"command": "rm -rf src"}))


def issued(place, pid):
    """A token that the process `pid` holds, as the state has it."""
    found = process_of(str(pid))
    assert found is not None
    with closing(open_store(str(place.state / "compass"), now=time.time()).store) as store:
        return store.issue_token(time.time(), 3600.0, found.name)


def test_a_token_holds_for_hooks_below_its_issuer_alone(tmp_path):
    place = Place(tmp_path, forked=False)
    done = nested(place, issued(place, os.getpid()))
    assert (done.returncode, done.stdout) == (0, b"")
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            assert denial(nested(place, issued(place, other.pid)))
        finally:
            other.kill()
    assert "a reader process's token" in (denial(nested(place, "warm")) or "")
