"""What stands in front of the team's API: whom a token is believed to be, and what a fault of the program tells."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sys
import threading
import time

import pytest
from corpora import corpus
from running.httpserving import ask
from samples.team_requests import REQUEST, new_team, person, store_over

from compass.team import telemetry as logs
from compass.team.api import make_app
from compass.team.guard import Principals
from compass.team.replica import Replica, Work
from compass.team.telemetry import TeamMetrics
from evaluator.errors import StateError
from evaluator.model import NamedReaders
from evaluator.readers.team.wire import Principal, request_document
from evaluator.service import tcp

TOKEN = f"cmp_acme_0123456789ab_{'s' * 43}"
HEADER = f"Bearer {TOKEN}".encode()


class Asked:
    """Principals over a store whose answers and clock a test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self.holds: Principal | None = Principal("acme", "ada", "0123456789ab", ("evaluate",), 1e12)
        self.fault: Exception | None = None
        self.looked: list[str] = []
        self.used: list[Principal] = []
        self.principals = Principals(self._look, self._use, clock=lambda: self.now, wall=lambda: self.now)

    async def _look(self, token: str) -> Principal | None:
        self.looked.append(token)
        await asyncio.sleep(0)
        if self.fault is not None:
            raise self.fault
        return self.holds

    async def _use(self, who: Principal) -> None:
        self.used.append(who)


def run(work):
    return asyncio.run(work)


def test_a_token_is_asked_again_after_two_seconds_and_then_refused():
    asked = Asked()

    async def course() -> None:
        assert await asked.principals.of(HEADER) is asked.holds
        asked.holds, asked.now = None, asked.now + 1.9
        assert await asked.principals.of(HEADER) is not None
        asked.now += 0.1
        assert await asked.principals.of(HEADER) is None

    run(course())
    assert len(asked.looked) == 2


def test_one_that_the_store_looks_at_again_is_believed_for_an_hour_or_until_it_holds_no_more():
    asked = Asked()

    async def course() -> None:
        assert await asked.principals.of(HEADER, rechecked=True) is asked.holds
        asked.now += 3599.9
        assert await asked.principals.of(HEADER, rechecked=True) is asked.holds
        assert len(asked.looked) == 1
        assert await asked.principals.of(HEADER) is asked.holds  # elsewhere nobody looks at it again
        asked.holds, asked.now = None, asked.now + 60
        assert await asked.principals.of(HEADER, rechecked=True) is not None
        asked.principals.forget(HEADER)
        assert await asked.principals.of(HEADER, rechecked=True) is None
        asked.now += 2.0
        assert await asked.principals.of(HEADER, rechecked=True) is None

    run(course())
    assert len(asked.looked) == 4


def test_a_token_that_was_made_meanwhile_holds_as_soon():
    asked = Asked()
    found, asked.holds = asked.holds, None

    async def course() -> None:
        assert await asked.principals.of(HEADER) is None
        asked.holds, asked.now = found, asked.now + 2.0
        assert await asked.principals.of(HEADER) is found

    run(course())


def test_many_at_once_ask_the_store_once_and_a_use_is_told_once_a_minute():
    asked = Asked()

    async def course() -> None:
        found = await asyncio.gather(*(asked.principals.of(HEADER) for _ in range(50)))
        assert found == [asked.holds] * 50
        asked.now += 61
        await asked.principals.of(HEADER)
        await asyncio.sleep(0)

    run(course())
    assert (len(asked.looked), len(asked.used)) == (2, 2)


def test_one_that_expires_while_it_is_believed_is_refused():
    asked = Asked()

    async def course() -> None:
        asked.holds = Principal("acme", "ada", "0123456789ab", ("evaluate",), asked.now + 1.0)
        assert await asked.principals.of(HEADER) is not None
        asked.now += 1.0
        assert await asked.principals.of(HEADER) is None

    run(course())


def test_a_store_that_is_out_of_reach_is_told_and_asked_again():
    asked = Asked()

    async def course() -> None:
        asked.fault = StateError("gone")
        for _ in range(2):
            with pytest.raises(StateError):
                await asked.principals.of(HEADER)
        asked.fault = None
        assert await asked.principals.of(HEADER) is asked.holds

    run(course())
    assert len(asked.looked) == 3


@corpus(
    "header",
    [
        None, b"", b"Bearer", b"Bearer x", TOKEN.encode(), b"Basic " + TOKEN.encode(),
        b"Bearer cmp_" + b"x" * 200, b"Bearer cmp_\xff",
    ],
)  # fmt: skip
def test_what_cannot_be_a_token_is_not_asked_for(header):
    asked = Asked()
    assert run(asked.principals.of(header)) is None
    assert asked.looked == []


def test_a_fault_of_the_program_is_told_by_its_place_and_never_quoted(team_database, capsys):
    store = store_over(team_database)
    team = new_team(store)
    token, _ = person(store, team)
    words = f"the launch codes {secrets.token_hex(4)}"

    async def broken(_who, _request):
        raise RuntimeError(words)

    begun, stop = threading.Event(), threading.Event()
    line = tcp.listen("127.0.0.1", 0)
    port = line.getsockname()[1]

    async def serve() -> None:
        work = Work(2)
        replica = Replica(
            store,
            work,
            work,
            broken,
            NamedReaders("anthropic", "m", "p", 5),
            TeamMetrics(dict),
            "0",
            10,
        )
        async with tcp.serving(make_app(replica, Principals.over(store, work)), line):
            begun.set()
            await asyncio.to_thread(stop.wait)
        work.close()

    logs.log_lines(sys.stderr)
    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert begun.wait(30)
        found = ask(
            port, "POST", "/v1/evaluations", request_document(REQUEST), Authorization=f"Bearer {token}"
        )
    finally:
        stop.set()
        thread.join(30)
        logging.getLogger().handlers.clear()
    assert (found.status, found.json["kind"]) == (500, "fault")
    told = capsys.readouterr().err
    assert words not in told + found.body.decode()
    fault, request = (json.loads(one) for one in told.splitlines())
    assert (fault["event"], fault["fault"]) == ("fault", "RuntimeError")
    assert "test_guard.py:" in fault["at"]
    assert (request["status"], request["kind"], request["request"]) == (500, "fault", fault["request"])


def test_work_waits_for_a_thread_and_says_how_long():
    waited: list[float] = []

    async def course() -> None:
        work = Work(1, waited.append)
        await asyncio.gather(work(lambda: time.sleep(0.2)), work(lambda: None))
        work.close()

    run(course())
    assert max(waited) >= 0.15
    assert min(waited) < 0.15
