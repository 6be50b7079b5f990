"""The hook as a whole process, as `compass init` wires it, beside a bare interpreter, in turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running.hookrun import MAIN, Place
from running.httpserving import http_process
from running.processes import processor_seconds

BARE = [sys.executable, "-I", "-S", "-c", "pass"]
ROUNDS = 31


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def bare():
    subprocess.run(BARE, check=True, stdin=subprocess.DEVNULL, capture_output=True)


def lock_file(place):
    given = {"file_path": str(place.project / "poetry.lock"), "content": "x"}
    return place.payload("Write", given)


def test_silent_skip_without_a_service(beside, place):
    payload = place.payload("Read", {"file_path": "a.txt"})
    done = beside(lambda: place.hook("pre-tool-use", payload), bare, rounds=ROUNDS)
    assert done.stdout == b""
    assert place.events() == []


def test_recorded_skip_without_a_service(beside, place):
    payload = lock_file(place)
    place.hook("pre-tool-use", payload)
    done = beside(lambda: place.hook("pre-tool-use", payload), bare, rounds=ROUNDS)
    assert done.stdout == b""
    assert {event["payload"]["reason"] for event in place.events()} == {"skip_glob"}


def test_embedded_check_without_a_service(beside, place):
    """Bans and losses are looked at anew by each call; without a model nothing more is."""
    place.env["COMPASS_COVERAGE__MAX_CALLS"] = "0"
    place.say("Create notes.txt with a line that says hello")
    done = beside(lambda: place.hook("pre-tool-use", place.payload()), bare, rounds=9)
    assert done.stdout == b""
    assert {event["event_type"] for event in place.events()} == {"compass.check.skipped"}


def test_silent_skip_through_the_service(beside, served):
    before = served.counts()["silent"]
    payload = served.place.payload("Read", {"file_path": "a.txt"})
    done = beside(lambda: served.place.hook("pre-tool-use", payload), bare, rounds=ROUNDS)
    assert done.stdout == b""
    assert served.counts()["silent"] > before


def test_recorded_skip_through_the_service(beside, served):
    before = served.counts()["requests"]
    payload = lock_file(served.place)
    done = beside(lambda: served.place.hook("pre-tool-use", payload), bare, rounds=ROUNDS)
    assert done.stdout == b""
    assert served.counts()["requests"] > before


def test_status_line(beside, place, benchmark):
    """At most twice a bare interpreter, with a session of many checks behind it."""
    from samples.state_stores import CHECK

    from evaluator.ports import TurnKey
    from evaluator.record import replace
    from evaluator.state.store import open_store

    opened = open_store(str(place.state / "compass"), now=time.time())
    opened.store.note_mode("session-1", "enforce", time.time())
    for number in range(500):
        check = replace(CHECK, check_id=f"01{number:04}")
        opened.store.save_check(check, TurnKey("session-1", "", 0), store_evidence=True)
    opened.store.close()
    line = [sys.executable, "-I", "-S", MAIN, "statusline"]
    payload = json.dumps(
        {"session_id": "session-1", "cwd": "/p", "workspace": {"current_dir": "/p"}}
    ).encode()

    def show():
        return subprocess.run(line, check=True, input=payload, capture_output=True, env=place.environment())

    done = beside(show, bare, rounds=ROUNDS)
    assert done.stdout.decode() == "compass enforce · held 1 · 500 checks\n"
    if benchmark.stats is not None:
        assert benchmark.extra_info["ratio"] <= 2.0


def test_processor_time_of_a_recorded_skip(spent_beside, served):
    """The hook's process and what the service takes for it, beside a bare interpreter's."""
    payload = json.dumps(lock_file(served.place)).encode()
    service = served.settle()

    def whole():
        return spent_by_a_hook(served.place, payload, service)

    def interpreter():
        used = used_by(BARE, served.place)
        return used.ru_utime + used.ru_stime

    before = served.counts()["requests"]
    spent_beside(whole, interpreter, rounds=ROUNDS)
    assert served.counts()["requests"] > before


def test_processor_time_of_a_recorded_skip_over_http(spent_beside, tmp_path_factory):
    """What the service takes for an http hook, which needs no process, beside a command's hook and its part there."""
    with http_process(tmp_path_factory.mktemp("http")) as api:
        payload = lock_file(api.place)
        service = api.serving.settle()

        def over_http():
            before = processor_seconds(service)
            answered = api.ask("POST", "/v1/hooks/pre-tool-use", payload)
            assert answered.status == 200, answered.body
            time.sleep(0.005)
            return processor_seconds(service) - before

        ratio = spent_beside(
            over_http,
            lambda: spent_by_a_hook(api.place, json.dumps(payload).encode(), service),
            rounds=ROUNDS,
        )
        reasons = [event["payload"]["reason"] for event in api.place.events()]
    assert set(reasons) == {"skip_glob"} and len(reasons) >= 2
    assert ratio <= 0.5


def spent_by_a_hook(place, payload, service):
    """Processor seconds of a hook's process and of the service for it."""
    before = processor_seconds(service)
    used = used_by([sys.executable, "-I", "-S", MAIN, "hook", "pre-tool-use"], place, payload)
    # The service ends the connection after the client has.
    time.sleep(0.005)
    return used.ru_utime + used.ru_stime + processor_seconds(service) - before


def used_by(command, place, payload=b""):
    """The resources that a process of its own used."""
    read, write = os.pipe()
    process = subprocess.Popen(command, stdin=read, stdout=subprocess.DEVNULL, env=place.environment())
    os.close(read)
    os.write(write, payload)
    os.close(write)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used


def peak_kb(command, place, payload=b""):
    return used_by(command, place, payload).ru_maxrss


def test_memory_of_the_client(served):
    """At most 1.3 times that of a bare interpreter, with room for the pages that a run happens to touch."""
    payload = json.dumps(served.place.payload("Read", {"file_path": "a.txt"})).encode()
    hook = [sys.executable, "-I", "-S", MAIN, "hook", "pre-tool-use"]
    client = min(peak_kb(hook, served.place, payload) for _ in range(5))
    reference = min(peak_kb(BARE, served.place) for _ in range(5))
    print(f"client {client} kB, bare interpreter {reference} kB: {client / reference:.2f}")
    assert client <= 1.3 * reference


def test_memory_of_an_idle_service_with_the_sdk_loaded(served):
    """It loads the SDK by itself once it listens."""

    end = time.monotonic() + 30
    process = Path(f"/proc/{served.counts()['pid']}")
    while "pydantic_core" not in (process / "maps").read_text() and time.monotonic() < end:
        time.sleep(0.2)
    time.sleep(2.0)
    lines = (process / "status").read_text().splitlines()
    resident = int(next(line for line in lines if line.startswith("VmRSS")).split()[1])
    print(f"idle service: {resident} kB")
    assert resident <= 120 * 1024
