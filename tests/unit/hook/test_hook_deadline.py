"""One deadline for a call, whoever has it judged: the time at a service, and before one, is spent of it."""

import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress

import pytest
from running.hookrun import AMBIGUOUS, Place

from compass.service.cache import Judge, Warm
from evaluator import wire
from evaluator.service.server import Request
from evaluator.wire import LONGEST_SECONDS
from hooks.client import Late, NotJudged, call_service


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
def test_a_service_that_never_comes_to_an_end_is_given_up_before_the_hosts_time_out(
    talk,
):
    with answering(talk) as env:
        began = time.monotonic()
        with pytest.raises(Late):
            call_service(env, wire.REQUEST, b"", began - LONGEST_SECONDS + 1)
        assert time.monotonic() - began < 30


@pytest.mark.parametrize("promise", [b"9" * 400, b"9" * 5000, b"soon", b""])
def test_a_promise_that_is_no_time_is_no_service(promise):
    with (
        answering(lambda line: line.sendall(wire.frame(wire.ACCEPTED, promise))) as env,
        pytest.raises(NotJudged),
    ):
        call_service(env, wire.REQUEST)


def request(place: Place, waited: float, told: list[float]) -> Request:
    variables = "\0".join(f"{name}={value}" for name, value in place.environment().items())
    payload = json.dumps(place.payload("Bash", {"command": "rm src/old_auth.py"})).encode()
    arrived = time.monotonic() - waited
    cwd, env = os.fsencode(place.project), os.fsencode(variables)
    return Request("pre-tool-use", cwd, env, payload, arrived, told.append, Future())


@pytest.fixture
def place(tmp_path):
    found = Place(tmp_path, {"COMPASS_DEADLINE_SECONDS": "20"})
    found.say(AMBIGUOUS[0], prior=AMBIGUOUS[1])
    return found


@pytest.fixture
def judge():
    with closing(Warm()) as warm:
        yield Judge(warm, {})


def test_the_wait_for_a_worker_counts(place, judge):
    """The client is told what is left; where nothing is, policy answers at once."""
    told = list[float]()
    judge(request(place, 0.0, told))
    judge(request(place, 12.0, told))
    assert told[0] == 20
    assert 0 < told[1] <= 8
    late = judge(request(place, 25.0, told))
    assert len(told) == 2
    assert b"no worker was free within 20 s" in late.text
