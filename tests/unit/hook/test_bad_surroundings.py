"""The hook as a real process, where its surroundings fail it: signals, pipes, input, what hangs, disk, home, clock."""

import json
import os
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from apis.loopback_api import LoopbackApi, hang
from corpora import corpus
from running.hookrun import (
    CLEAR,
    assert_sound,
    deletion,
    doctor,
    end,
    fault_lines,
    hand_over,
    place,
    point_at,
    reason_of,
    rows,
    run,
    start,
    valid_events,
    without,
)
from running.processes import start as start_python

from compass.service.cache import Judge, Warm
from evaluator import wire
from evaluator.gate import pipeline
from evaluator.service.server import Request
from evaluator.wire import LONGEST_SECONDS
from hooks.client import Late, NotJudged, call_service

MEBIBYTE = 1024 * 1024
OPEN = {"COMPASS_ERROR_POLICY": "open"}


def new_here(tmp_path: Path):
    found = place(tmp_path)
    found.say(CLEAR)
    return found


here = pytest.fixture(new_here, name="here")


def assert_the_verdict_stands(where, **how):
    """A state that fails overrules no readers that answered: neither to deny when closed, nor to allow when open."""
    env = how.pop("env", where.environment())
    where.say(CLEAR)
    clear = run(where, "pre-tool-use", where.payload(), env=env, **how)
    assert clear.reason is None, clear
    denied = run(where, "pre-tool-use", deletion(where), env={**env, **OPEN}, **how)
    assert "src/old_auth.py" in (denied.reason or ""), denied
    for ended in (clear, denied):
        assert b"Traceback" not in ended.stderr, ended.stderr


STUCK = f"""
sys.path.insert(0, {str(Path(pipeline.__file__).parents[2])!r})
import time
from evaluator.gate import pipeline
steps = list(pipeline.STEPS)
steps[NUMBER] = lambda run: time.sleep(60)
pipeline.STEPS = tuple(steps)
"""

# Signals


@pytest.mark.spread(1)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda s: s.name)
def test_a_signal_in_mid_check_leaves_no_partial_answer_and_a_sound_state(here, number):
    with LoopbackApi(default=hang()) as api:
        point_at(here, api, deadline=20)
        process = start(here, "pre-tool-use")
        hand_over(process, here.payload())
        assert api.wait_for_requests(5, 20)
        process.send_signal(number)
        # A signal may come while nothing can take it: then the deadline ends the check.
        ended = end(process, timeout=30)
    # An answer by policy, or an end that the host takes for a failure and answers by `onFailure`.
    assert reason_of(ended.stdout) is not None if ended.stdout else ended.code != 0
    assert_sound(here)
    valid_events(here)
    here.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
    assert run(here, "pre-tool-use", deletion(here)).reason is not None


# Input and output


def test_60_megabytes_are_answered_in_time_and_hold_up_nobody_after_them(here):
    prompt = run(here, "user-prompt-submit", here.payload(prompt="please " * (9 * MEBIBYTE)))
    assert (prompt.code, prompt.stdout) == (0, b"")
    began = time.monotonic()
    here.env["COMPASS_DEADLINE_SECONDS"] = "5"
    long = here.payload("Bash", {"command": "rm -rf a" + " a/b" * (15 * MEBIBYTE)})
    ended = run(here, "pre-tool-use", long)
    reason_of(ended.stdout, ended.code)
    assert b"Traceback" not in ended.stderr
    assert run(here, "pre-tool-use", deletion(here)).reason is not None
    assert time.monotonic() - began < 90


def test_little_memory_is_answered_by_policy(here):
    """A payload that the process has no room for, as in a small container."""
    raw = json.dumps(here.payload(given={"file_path": "/p/a.txt", "content": "x" * 50 * MEBIBYTE})).encode()
    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (160 * MEBIBYTE, 160 * MEBIBYTE))
    ended = run(here, "pre-tool-use", raw, limits=limit)
    assert reason_of(ended.stdout, ended.code) is not None


def test_a_reader_of_stdout_that_left_early_costs_the_answer_alone(here):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb", closefd=True) as out:
        ended = run(here, "pre-tool-use", deletion(here), stdout=out)
    assert ended.code != 0, "the host must not take it for an answer"
    assert_sound(here)
    assert [event["event_type"] for event in valid_events(here)] == ["compass.check.failed"]


def test_a_stdin_or_stdout_that_is_closed_from_the_start_lets_nothing_through(here):
    """The answer goes nowhere else, above all not into a file that took its place, such as the database."""
    ended = run(here, "pre-tool-use", deletion(here), limits=partial(os.close, 1))
    assert ended.code != 0
    assert b"permissionDecision" not in ended.stderr
    assert run(here, "pre-tool-use", here.payload()).code == 0
    assert_sound(here)
    unasked = run(here, "pre-tool-use", None, stdin=subprocess.DEVNULL, limits=partial(os.close, 0))
    assert unasked.reason is not None


def test_whatever_stderr_is_the_answer_is_still_given(here):
    """None at all, one whose reader left early, one on a full device."""
    for raw in (b"{oops", json.dumps(deletion(here)).encode()):
        assert run(here, "pre-tool-use", raw, limits=partial(os.close, 2)).reason is not None
    reading, writing = os.pipe()
    os.close(reading)
    for stderr in (writing, "/dev/full"):
        with open(stderr, "wb") as errors:
            assert run(here, "pre-tool-use", b"{oops", stderr=errors).reason is not None


# Deadline


@pytest.mark.spread(1)
@pytest.mark.parametrize(
    ("policy", "denies", "deadline"),
    [("closed", True, 30), ("closed", True, 8), ("open", False, 30), ("embedded", False, 30)],
)
def test_readers_that_hang_are_answered_by_policy_before_the_deadline(here, policy, denies, deadline):
    """Of the check, or of each sample. The embedded readers find nothing against this write."""
    here.env["COMPASS_ERROR_POLICY"] = policy
    with LoopbackApi(default=hang()) as api:
        point_at(here, api, deadline=deadline)
        if deadline > 8:
            here.env["COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS"] = "1"
        began = time.monotonic()
        ended = run(here, "pre-tool-use", here.payload())
    assert time.monotonic() - began < 25
    assert (ended.reason is not None) == denies
    assert not denies or "timeout" in str(ended.reason)
    ((reason,),) = rows(here, "SELECT json_extract(record, '$.reason') FROM checks")
    assert reason == "sampler_error"


@pytest.mark.parametrize(("policy", "number"), [("closed", 0), ("closed", -1), ("open", -1)])
def test_a_step_that_hangs_is_answered_by_policy_at_the_deadline(here, policy, number):
    here.env.update({"COMPASS_DEADLINE_SECONDS": "1.5", "COMPASS_ERROR_POLICY": policy})
    ended = run(here, "pre-tool-use", here.payload(), altered=STUCK.replace("NUMBER", str(number)))
    assert (ended.reason is not None) == (policy == "closed")
    assert ended.reason is None or "no verdict within 1.5 s" in ended.reason
    assert len([line for line in fault_lines(here) if "no verdict within" in line]) == 1
    assert_sound(here)


SPENT = """
from compass.hook import dispatch
decide = dispatch.decide
dispatch.decide = lambda *given, **more: decide(*given, **more | {"spent": 28.0})
"""


def test_what_a_killed_service_took_of_the_deadline_is_gone(here):
    here.env["COMPASS_DEADLINE_SECONDS"] = "29"
    began = time.monotonic()
    stuck = STUCK.replace("NUMBER", "0") + SPENT
    assert run(here, "pre-tool-use", here.payload(), altered=stuck).reason is not None
    assert time.monotonic() - began < 25


# Disk and home


@corpus("found, size", [("nothing", 0), ("a state", 8_000), ("a state", 60_000)], each={"here": new_here})
def test_on_a_full_disk_the_verdict_stands(here, found, size):
    if found == "a state":
        run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        run(here, "pre-tool-use", here.payload())
    # A disk on which no file grows beyond `size` bytes; pipes are not concerned.
    assert_the_verdict_stands(here, limits=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size)))
    if found == "a state":
        assert_sound(here)
    valid_events(here)
    assert run(here, "pre-tool-use", deletion(here)).reason is not None, "where room is again"
    assert valid_events(here)[-1]["event_type"] == "compass.check.failed"


@corpus("home", ["/proc/self", "/dev/null"], each={"here": new_here})
def test_in_a_home_that_cannot_be_written_the_verdict_stands(here, home):
    env = {**without(here.environment(), "ONLOOKER_DIR"), "HOME": home}
    assert_the_verdict_stands(here, env=env)
    findings = doctor(here, env=env)
    assert not findings["state folder"]["ok"] or not findings["database"]["ok"], findings


NOBODY = """
import os, pwd
def nobody(*_): raise KeyError("no such user")
pwd.getpwuid = nobody
"""


def test_without_a_home_the_verdict_stands_and_no_litter_in_the_project(here):
    assert_the_verdict_stands(here, env=without(here.environment(), "HOME"))
    env = without(here.environment(), "HOME", "ONLOOKER_DIR")
    assert run(here, "pre-tool-use", deletion(here), env=env, altered=NOBODY).reason is not None
    assert list(here.project.iterdir()) == []


# Database

TORN = b"torn"


@corpus("content", [b"", b"SQLite format 3\0" + b"\xff" * 9000, TORN], each={"here": new_here})
def test_a_corrupt_database_costs_nothing_but_itself(here, content):
    file = here.state / "compass" / "compass.db"
    said = "corrupt" if content == TORN else "was corrupt"
    if content == TORN:
        run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        rows(here, "PRAGMA wal_checkpoint(TRUNCATE)")
        whole = file.read_bytes()
        content = whole[:4096] + os.urandom(len(whole) - 4096)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    assert_the_verdict_stands(here)
    told = [event["event_type"] for event in valid_events(here)]
    assert told == ["compass.check.skipped", "compass.check.failed"]
    if content:
        assert any(said in line for line in fault_lines(here))
        assert said in doctor(here)["faults"]["detail"]


HOLD = """
import sqlite3
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement)
print("held", flush=True)
time.sleep(60)
"""
LOCKS = {
    "whole": ["PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "CREATE TABLE held (a)"],
    "for writing": ["BEGIN IMMEDIATE"],
}


@pytest.mark.full
@pytest.mark.parametrize("statements", LOCKS.values(), ids=LOCKS)
def test_while_the_database_is_locked_the_verdict_stands(here, statements):
    run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
    holder = start_python(HOLD, str(here.state / "compass" / "compass.db"), *statements)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    try:
        denied = run(here, "pre-tool-use", deletion(here), env={**here.environment(), **OPEN})
        assert "src/old_auth.py" in str(denied.reason)
        prompt = run(here, "user-prompt-submit", here.payload(prompt=CLEAR))
        assert (prompt.code, prompt.stdout) == (0, b"")
    finally:
        holder.kill()
        holder.communicate()
    assert any("locked" in line for line in fault_lines(here))
    assert "locked" in doctor(here)["faults"]["detail"]
    assert_sound(here)
    assert run(here, "pre-tool-use", deletion(here)).reason is not None


# Clock

LATER = """
import time
real, real_ns = time.time, time.time_ns
time.time, time.time_ns = lambda: real() + 86400, lambda: real_ns() + 86400 * 10**9
"""


def test_after_the_clock_jumped_back_a_day_nothing_is_excused_that_was_not_judged(here):
    """A cooldown and a pause of the future do not count; a denial of the future is still remembered."""
    here.env["COMPASS_COVERAGE__MAX_CALLS"] = "0"
    run(here, "user-prompt-submit", here.payload(prompt=CLEAR), altered=LATER)
    assert run(here, "pre-tool-use", here.payload(), altered=LATER).reason is None
    run(here, "post-tool-use", here.payload(), altered=LATER)
    assert run(here, "pre-tool-use", deletion(here), altered=LATER).reason is not None
    here.say(CLEAR)
    assert run(here, "pre-tool-use", here.payload()).reason is None
    assert run(here, "pre-tool-use", deletion(here)).reason is not None
    kinds = [(event["event_type"], event["payload"].get("reason")) for event in valid_events(here)]
    assert ("compass.check.skipped", "dir_plus_stem_cooldown") not in kinds
    assert [event["sequence"] for event in valid_events(here)] == list(range(len(kinds)))
    run(here, "session-start", here.payload())
    assert doctor(here)["database"]["ok"]


# One deadline for a call, whoever has it judged: the time at a service, and before one, is spent of it.


@contextmanager
def answering(talk: Callable[[socket.socket], None]) -> Iterator[dict[bytes, bytes]]:
    """The environment of a client whose service is `talk`."""
    with tempfile.TemporaryDirectory(prefix="cps") as run:
        os.mkdir(f"{run}/compass", 0o700)
        line = socket.socket(socket.AF_UNIX)
        line.bind(f"{run}/compass/service.sock")
        line.listen()

        def serve():
            with suppress(OSError):
                taken, _ = line.accept()
                with taken:
                    talk(taken)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield {b"XDG_RUNTIME_DIR": run.encode()}
        finally:
            line.close()
            thread.join(30)


def promises(line: socket.socket):
    for _ in range(400):
        line.sendall(wire.frame(wire.ACCEPTED, b"20000"))
        time.sleep(0.1)


def drips(line: socket.socket):
    line.sendall(wire.frame(wire.ACCEPTED, b"300"))
    for byte in wire.frame(wire.ANSWER, wire.pack(b"x" * 100, b"")):
        line.sendall(bytes((byte,)))
        time.sleep(0.1)


@pytest.mark.parametrize("talk", [promises, drips])
def test_a_service_that_never_comes_to_an_end_is_given_up_before_the_hosts_time_out(talk):
    with answering(talk) as env:
        began = time.monotonic()
        with pytest.raises(Late):
            call_service(env, wire.REQUEST, b"", began - LONGEST_SECONDS + 1)
        assert time.monotonic() - began < 30


@pytest.mark.parametrize("promise", [b"9" * 400, b"9" * 5000, b"soon", b""])
def test_a_promise_that_is_no_time_is_no_service(promise):
    accepted = wire.frame(wire.ACCEPTED, promise)
    with answering(lambda line: line.sendall(accepted)) as env, pytest.raises(NotJudged):
        call_service(env, wire.REQUEST)


def test_the_wait_for_a_worker_counts(here):
    """The client is told what is left; where nothing is, policy answers at once."""
    here.env["COMPASS_DEADLINE_SECONDS"] = "20"
    env = "\0".join(f"{name}={value}" for name, value in here.environment().items())
    where, payload = (os.fsencode(here.project), os.fsencode(env)), json.dumps(deletion(here)).encode()
    told, now = list[float](), time.monotonic()
    with closing(Warm()) as warm:
        _, _, late = (
            Judge(warm, {})(Request("pre-tool-use", *where, payload, now - waited, told.append, Future()))
            for waited in (0.0, 12.0, 25.0)
        )
    assert told[0] == 20 and 0 < told[1] <= 8 and len(told) == 2
    assert b"no worker was free within 20 s" in late.text
