"""What a team's evaluator does with bodies, crowds and slow clients, at a fault, and while it ends."""

import asyncio
import json
import logging
import secrets
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import httpx2
import pytest
from apis.loopback_api import answer, reply
from corpora import corpus
from running.httpserving import raw
from running.processes import until
from running.team_serving import token_from
from samples.team_requests import REQUEST, asking, new_team, person, store_over

from compass.team import replica as logs
from compass.team.api import make_app
from compass.team.documents import BODY_BYTES_MAX
from compass.team.model import TeamSettings
from compass.team.replica import Replica, TeamMetrics, Work
from evaluator.model import NamedReaders
from evaluator.readers.team.wire import request_document
from evaluator.record import values_of

SETTINGS = values_of(TeamSettings())


def head(replica, token, *more, path="/v1/evaluations"):
    lines = (f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{replica.port}", f"Authorization: Bearer {token}")
    return "\r\n".join((*lines, *more, "", "")).encode()


@corpus(
    "change",
    [
        {"daily_usd": -1}, {"daily_usd": "7"}, {"daily_samples": 1.5}, {"burst": 0}, {"retention_days": 0},
        {"store_evidence": 1}, {"samples_per_minute": 0}, {"more": 1}, {"daily_usd": True},
        {"daily_usd": float("nan")}, {"daily_usd": float("inf")},
    ],
)  # fmt: skip
def test_settings_are_read_strictly_and_all_at_once(replica, team, change):
    assert replica.ask(team.admin, "PUT", "/v1/settings", {**SETTINGS, **change}).status == 400
    one_less = {name: value for name, value in SETTINGS.items() if name != "daily_usd"}
    assert "daily_usd" in replica.ask(team.admin, "PUT", "/v1/settings", one_less).json["error"]
    assert replica.ask(team.admin, "GET", "/v1/settings").json == SETTINGS


@corpus("query", ["since=yesterday", "since=1e99", "person=a%2Fb", "persn=ada", "since=nan"])
def test_a_filter_that_cannot_be_read_never_widens_the_answer(replica, team, query):
    found = replica.ask(team.read, "GET", f"/v1/evaluations?{query}")
    assert (found.status, found.json["kind"]) == (400, "invalid")
    assert replica.ask(team.read, "GET", "/v1/spend?day=2026-13-01").status == 400


@corpus("person", ["", " ", "a/b", "a\\b", "a\nb", "x" * 121, None, 7, "a#b", " a", "a?b", "50%"])
def test_a_person_has_a_name_that_a_path_can_hold(replica, team, person):
    assert replica.ask(team.admin, "POST", "/v1/tokens", {"person": person}).status == 400


def test_a_persons_name_may_be_any_other(replica, team):
    for name in ("ada@example.org", "Ada Lovelace", "Åda-Łucja", "a"):
        token = token_from(replica, team.admin, name)
        assert replica.evaluate(token, asking(f"by {name}")).status == 200
        kept = f"/v1/evaluations?person={quote(name)}"
        rows = replica.ask(team.read, "GET", kept).body.splitlines()
        assert [json.loads(row)["person"] for row in rows] == [name]
        assert replica.ask(team.admin, "DELETE", f"/v1/people/{quote(name)}").json == {"records": 1}
        assert replica.ask(team.read, "GET", kept).body == b""


@pytest.mark.parametrize("route", ["/v1/evaluations", "/v1/tokens"])
def test_a_body_above_the_bound_is_refused_however_it_is_framed(replica, team, route):
    token = team.evaluate if "evaluations" in route else team.admin
    declared = head(replica, token, f"Content-Length: {BODY_BYTES_MAX + 1}", path=route)
    assert b" 413 " in raw(replica.port, declared).splitlines()[0]
    chunk = b"40000\r\n" + b" " * 0x40000 + b"\r\n"
    found = raw(replica.port, head(replica, token, "Transfer-Encoding: chunked", path=route), *([chunk] * 5))
    assert b" 413 " in found.splitlines()[0]
    assert b'"kind": "invalid"' in found


@pytest.mark.full
def test_one_more_than_may_be_inside_is_refused_before_its_body_is_read(place, team, api):
    release = threading.Event()
    with place.replica("--waiting-max", "2") as small:
        api.queue(*[reply(answer(), until=release)] * 10)
        with ThreadPoolExecutor(2) as pool:
            held = [pool.submit(small.evaluate, team.evaluate, asking(f"held {n}")) for n in range(2)]
            until(lambda: _gauge(small, team.read, "inside") == 2)
            began = time.monotonic()
            found = raw(small.port, head(small, team.evaluate, "Content-Length: 500"))
            assert time.monotonic() - began < 5
            first, _, body = found.partition(b"\r\n\r\n")
            assert b" 503 " in first.splitlines()[0]
            assert b"retry-after: 1" in first.lower()
            assert json.loads(body)["kind"] == "overloaded"
            assert small.ask(None, "GET", "/readyz").status == small.ask(None, "GET", "/livez").status == 200
            release.set()
            assert [one.result().status for one in held] == [200, 200]
        assert _gauge(small, team.read, "inside") == 0
        assert small.evaluate(team.evaluate, asking("room again")).status == 200


def test_an_evaluation_whose_client_hangs_up_is_cancelled(replica, team, api):
    release = threading.Event()
    api.queue(*[reply(answer(), until=release)] * 5)
    body = json.dumps(request_document(asking("hangs up"))).encode()
    request = head(replica, team.evaluate, "Content-Type: application/json", f"Content-Length: {len(body)}")
    with socket.create_connection(("127.0.0.1", replica.port)) as line:
        line.sendall(request + body)
        until(lambda: _gauge(replica, team.read, "inside") == 1)
    until(lambda: _gauge(replica, team.read, "inside") == 0)
    release.set()
    assert replica.evaluate(team.evaluate, asking("hangs up")).json["shared"] is False


@pytest.mark.full
def test_it_is_ready_while_all_its_work_waits_for_the_database(place, team, team_database):
    with place.replica("--connections", "2") as small, ThreadPoolExecutor(3) as pool:
        assert small.evaluate(team.evaluate, asking("before")).status == 200
        with team_database.transaction(team.name, writes=True):
            waiting = [pool.submit(small.evaluate, team.evaluate, asking(f"waits {n}")) for n in range(3)]
            time.sleep(1.5)
            began = time.monotonic()
            assert small.ask(None, "GET", "/readyz").status == 200
            assert time.monotonic() - began < 1
            assert not any(one.done() for one in waiting)
        assert [one.result().status for one in waiting] == [200] * 3


def _gauge(replica, token, name):
    for line in replica.ask(token, "GET", "/metrics").body.decode().splitlines():
        if line.startswith(f"compass_team_{name} "):
            return float(line.split()[1])
    raise AssertionError(name)


@pytest.mark.full
def test_one_persons_requests_leave_room_for_those_of_others(place, team, api):
    release = threading.Event()
    with place.replica("--waiting-max", "40") as small:
        api.queue(*[reply(answer(), until=release)] * 60)
        with ThreadPoolExecutor(10) as pool:
            held = [pool.submit(small.evaluate, team.evaluate, asking(f"greedy {n}")) for n in range(10)]
            until(lambda: _gauge(small, team.read, "inside") == 10)
            refused = small.evaluate(team.evaluate, asking("one more"))
            assert (refused.status, refused.json["kind"]) == (503, "overloaded")
            assert small.ask(team.read, "GET", "/v1/spend").status == 200
            release.set()
            assert [one.result().status for one in held] == [200] * 10
        assert small.evaluate(team.evaluate, asking("room again")).status == 200


def test_evidence_is_sanitized_again_and_a_person_has_one_spelling(replica, team):
    secret = "ghp_" + "a1B2c3D4e5" * 4
    person = team.token("gr\u0061\u030ace")
    assert replica.evaluate(person, asking(f"Use {secret} <pending_write> to push")).status == 200
    kept = replica.ask(team.read, "GET", "/v1/evaluations?person=gr%C3%A5ce")
    assert kept.status == 200 and kept.body and secret.encode() not in kept.body
    assert b"<pending_write>" not in kept.body and b"[REDACTED:" in kept.body


def test_a_second_authorization_or_two_framings_are_refused(replica, team):
    for more in (("Authorization: Bearer x",), ("Content-Length: 2", "Transfer-Encoding: chunked")):
        assert raw(replica.port, head(replica, team.evaluate, *more) + b"{}").startswith(b"HTTP/1.1 400")


def test_a_fault_of_the_program_is_told_by_its_place_and_never_quoted(team_database, capsys):
    store = store_over(team_database)
    token, _ = person(store, new_team(store))
    words = f"the launch codes {secrets.token_hex(4)}"

    async def broken(_who, _request):
        raise RuntimeError(words)

    async def asked():
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
    assert "test_bounds.py:" in fault["at"]
    assert (request["status"], request["kind"], request["request"]) == (500, "fault", fault["request"])
