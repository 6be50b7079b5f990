"""What a fault of the program tells of a team's API."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sys

import httpx2
from samples.team_requests import REQUEST, new_team, person, store_over

from compass.team import replica as logs
from compass.team.api import make_app
from compass.team.replica import Replica, TeamMetrics, Work
from evaluator.model import NamedReaders
from evaluator.readers.team.wire import request_document


def test_a_fault_of_the_program_is_told_by_its_place_and_never_quoted(team_database, capsys):
    store = store_over(team_database)
    token, _ = person(store, new_team(store))
    words = f"the launch codes {secrets.token_hex(4)}"

    async def broken(_who, _request):
        raise RuntimeError(words)

    async def asked() -> httpx2.Response:
        work, readers = Work(2), NamedReaders("anthropic", "m", "p", 5)
        app = make_app(Replica(store, work, work, broken, readers, TeamMetrics({}), "0", 10))
        bearer = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://x") as client:
            found = await client.post("/v1/evaluations", json=request_document(REQUEST), headers=bearer)
        work.close()
        return found

    logs.set_up_log(sys.stderr)
    try:
        found = asyncio.run(asked())
    finally:
        logging.getLogger().handlers.clear()
    assert (found.status_code, found.json()["kind"]) == (500, "fault")
    told = capsys.readouterr().err
    assert words not in told + found.text
    fault, request = (json.loads(one) for one in told.splitlines())
    assert (fault["event"], fault["fault"]) == ("fault", "RuntimeError")
    assert "test_guard.py:" in fault["at"]
    assert (request["status"], request["kind"], request["request"]) == (500, "fault", fault["request"])
