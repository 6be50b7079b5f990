"""A check whose client leaves ends at once: its readers are cancelled, and it takes nothing from those who stay."""

import json
import socket
import sqlite3
from contextlib import closing

import pytest
from apis.counted_api import CountedApi
from running.hookrun import readers_at
from running.httpserving import http_process
from running.processes import until
from running.serving import last_word, serving

from evaluator import wire

READERS = 5
ASKED = "Create notes.txt with a line that says hello"
CASE = {"user_message": ASKED, "tool_name": "Write", "file_path": "notes.txt", "content": "hello\n"}
AT_ONCE = 1.0
"""Seconds from the client's leaving until the API sees its requests cancelled."""
STRICT = {
    # Whatever an abandoned check kept of these would keep the next one from its readers.
    "COMPASS_MAX_CHECKS_PER_TURN": "1", "COMPASS_EVALUATOR__MAX_CONCURRENT_SAMPLES": str(READERS),
    "COMPASS_CIRCUIT_BREAKER__CONSECUTIVE_FAILURES_TO_OPEN": "1",
}  # fmt: skip


@pytest.fixture
def slow():
    with CountedApi(delay=20.0) as found:
        yield found


def reading(api):
    patient = {"COMPASS_DEADLINE_SECONDS": "28", "COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "28"}
    return {**readers_at(api.url), **patient}


@pytest.fixture
def here(tmp_path, slow):
    with serving(tmp_path, reading(slow)) as found:
        found.place.say(ASKED)
        yield found


def sent(here, **extra):
    line = here.connect()
    line.sendall(here.request("pre-tool-use", here.place.payload(**extra)))
    return line


def answered(line):
    with line:
        kind, body = last_word(line)
    assert kind == wire.ANSWER
    assert wire.unpack(body, 2)[1] == b""


def leaves(line, api):
    """The client is gone while all that it asked is under way."""
    until(lambda: api.counts().requests == READERS)
    line.close()
    until(lambda: api.counts().abandoned == READERS, AT_ONCE)


def samples_booked(place):
    with closing(sqlite3.connect(place.state / "compass" / "compass.db")) as state:
        return sum(row[0] for row in state.execute("SELECT samples FROM spending"))


def test_whoever_leaves_the_socket_has_the_readers_cancelled_and_the_next_call_is_judged(here, slow):
    here.place.env |= STRICT
    here.start()
    leaves(sent(here), slow)
    until(lambda: here.counts()["waiting"] == 0, AT_ONCE)
    assert here.place.events() == []
    assert not (here.place.state / "compass" / "faults.log").exists(), "it is no fault"
    slow.delayed(0.0)
    answered(sent(here))
    counts = slow.counts()
    assert (counts.requests, counts.answered, counts.abandoned) == (2 * READERS, READERS, READERS)
    assert samples_booked(here.place) == counts.requests
    assert here.counts()["broken"] == 0
    assert len(here.place.events()) == 1


def test_of_two_who_wait_for_one_flight_the_other_takes_over(here, slow):
    here.place.env |= STRICT
    here.start()
    first = sent(here)
    until(lambda: slow.counts().requests == READERS)
    second = sent(here, tool_use_id="toolu_2")
    until(lambda: here.counts()["waiting"] == 2)
    slow.delayed(0.0)
    leaves(first, slow)
    answered(second)
    counts = slow.counts()
    assert (counts.requests, counts.answered, counts.abandoned) == (2 * READERS, READERS, READERS)
    assert samples_booked(here.place) == counts.requests


def test_who_asks_the_same_in_another_session_keeps_the_readers(here, slow):
    slow.delayed(3.0)
    here.start()
    first = sent(here)
    until(lambda: slow.counts().requests == READERS)
    second = sent(here, session_id="session-2")
    until(lambda: here.counts()["waiting"] == 2)
    here.settle()
    first.close()
    until(lambda: here.counts()["waiting"] == 1, AT_ONCE)
    answered(second)
    counts = slow.counts()
    assert (counts.requests, counts.answered, counts.abandoned) == (READERS, READERS, 0)
    assert samples_booked(here.place) == READERS


@pytest.mark.parametrize("path", ["/v1/hooks/pre-tool-use", "/v1/checks"])
def test_whoever_leaves_http_has_the_readers_cancelled_and_the_next_call_is_judged(tmp_path, slow, path):
    with http_process(tmp_path, reading(slow) | STRICT) as api:
        api.place.say(ASKED)
        asked = CASE if path == "/v1/checks" else api.place.payload()
        body = json.dumps(asked).encode()
        line = socket.create_connection(("127.0.0.1", api.port))
        line.sendall(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{api.port}\r\nAuthorization: Bearer {api.token}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        leaves(line, slow)
        slow.delayed(0.0)
        assert api.ask("POST", path, asked).status == 200
        assert slow.counts().answered == READERS
        assert samples_booked(api.place) == slow.counts().requests == 2 * READERS
