"""What a fault of the program tells of a team's API."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sys
import threading

from running.httpserving import ask
from samples.team_requests import REQUEST, new_team, person, store_over

from compass.team import replica as logs
from compass.team.api import make_app
from compass.team.replica import Replica, TeamMetrics, Work
from evaluator.model import NamedReaders
from evaluator.readers.team.wire import request_document
from evaluator.service import tcp


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
            store, work, work, broken, NamedReaders("anthropic", "m", "p", 5), TeamMetrics({}), "0", 10
        )
        async with tcp.serving(make_app(replica), line):
            begun.set()
            await asyncio.to_thread(stop.wait)
        work.close()

    logs.set_up_log(sys.stderr)
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
