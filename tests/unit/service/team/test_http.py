"""A team's evaluator over a real service: who may ask it what; bodies, crowds, slow clients and faults."""

import asyncio
import json
import logging
import secrets
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx2
import pytest
from apis.loopback_api import answer, reply
from corpora import corpus
from openapi_spec_validator import validate
from running.httpserving import raw
from running.processes import until
from running.team_serving import token_from
from samples.team_requests import REQUEST, asking, new_team, person, store_over

from compass.team import replica as logs
from compass.team.admission import TeamGuard
from compass.team.api import make_app
from compass.team.documents import BODY_BYTES_MAX, TeamSettingsDocument
from compass.team.model import STATUS, TeamSettings
from compass.team.replica import Replica, TeamMetrics, Work
from evaluator.model import Evidence, NamedReaders
from evaluator.readers.team.documents import EvaluationRequestDocument, EvidenceDocument
from evaluator.readers.team.wire import SCOPES, request_document
from evaluator.record import values_of

PERSON = "grace"
REPOSITORY = "0123456789ab"
SECRET_TEXT = "the launch codes of the first team"
BODIES: dict[str, Any] = {
    "evaluate": request_document(REQUEST),
    "set_policy": {"settings": {"mode": "enforce"}},
    "set_thresholds": {"confidence": 0.7},
    "make_token": {"person": PERSON},
    "set_settings": values_of(TeamSettings(retention_days=7)),
}
SETTINGS = values_of(TeamSettings())


class Row(NamedTuple):
    name: str
    method: str
    path: str
    scopes: tuple[str, ...]


ADMIN, READ, BOTH = ("admin",), ("read",), ("evaluate", "admin")
ROUTES = [
    Row("evaluate", "POST", "/v1/evaluations", ("evaluate",)),
    Row("evaluations", "GET", "/v1/evaluations", READ),
    Row("me", "GET", "/v1/me", SCOPES),
    Row("readers", "GET", "/v1/readers", BOTH),
    Row("policy", "GET", "/v1/policy", BOTH),
    Row("set_policy", "PUT", "/v1/policy", ADMIN),
    Row("thresholds", "GET", "/v1/thresholds/{repository}", BOTH),
    Row("set_thresholds", "PUT", "/v1/thresholds/{repository}", ADMIN),
    Row("tokens", "GET", "/v1/tokens", ADMIN),
    Row("make_token", "POST", "/v1/tokens", ADMIN),
    Row("revoke_token", "DELETE", "/v1/tokens/{token_id}", ADMIN),
    Row("spend", "GET", "/v1/spend", READ),
    Row("erase_person", "DELETE", "/v1/people/{person}", ADMIN),
    Row("settings", "GET", "/v1/settings", ADMIN),
    Row("set_settings", "PUT", "/v1/settings", ADMIN),
    Row("livez", "GET", "/livez", ()),
    Row("readyz", "GET", "/readyz", ()),
    Row("metrics", "GET", "/metrics", READ),
    Row("openapi", "GET", "/openapi.json", SCOPES),
]
"""Who may ask what."""
GUARDED = [route for route in ROUTES if route.scopes]


def named(route):
    return route.name


def call(replica, route, token, token_id="0" * 12, **headers):
    path = route.path.format(person=PERSON, repository=REPOSITORY, token_id=token_id)
    return replica.ask(token, route.method, path, BODIES.get(route.name), **headers)


def test_every_row_of_the_table_is_served_and_described_and_nothing_else_is():
    class Nothing:
        version = "0"

    guard = make_app(Nothing())
    assert isinstance(guard, TeamGuard)
    described = guard.app.openapi()
    validate(described)
    paths = described["paths"]
    served = {(method.upper(), path) for path, rows in paths.items() for method in rows}
    assert served == {(row.method, row.path) for row in ROUTES}
    for route in ROUTES:
        told = paths[route.path][route.method.lower()]
        assert told.get("security", []) == ([{"token": list(route.scopes)}] if route.scopes else [])
    kinds = described["components"]["schemas"]["TeamFault"]["properties"]["kind"]["enum"]
    assert sorted(kinds) == sorted(STATUS)


def test_the_described_documents_are_those_that_are_read():
    assert set(EvidenceDocument.model_fields) == set(Evidence.__match_args__)
    assert set(TeamSettingsDocument.model_fields) == set(TeamSettings.__match_args__)
    assert set(EvaluationRequestDocument.model_fields) == set(REQUEST.__match_args__)


@pytest.fixture(scope="module", params=["expired", "revoked"])
def ended(request, replica, team):
    """A token of each scope that held once."""
    found = {scope: team.token("bob", scope, seconds=1.0) for scope in SCOPES}
    if request.param == "expired":
        time.sleep(1.1)
    for token in found.values():
        path = f"/v1/tokens/{token.split('_')[2]}"
        assert replica.ask(team.admin, "DELETE", path).status == (200 if request.param == "revoked" else 404)
    return found


@corpus("route", GUARDED, ids=named)
def test_without_a_token_that_holds_nothing_is_told(replica, team, ended, route):
    wrong = team.admin[:-1] + ("A" if team.admin[-1] != "A" else "B")
    elsewhere = team.admin.replace(team.name, "another-team")
    over = [ended[scope] for scope in route.scopes]
    for token in (None, "", "x", wrong, elsewhere, *over, "cmp_" + "a" * 300, "cmp_\xe4"):
        found = call(replica, route, token)
        assert (found.status, found.json["kind"]) == (401, "unauthorized"), token
        assert found.headers["www-authenticate"] == 'Bearer realm="compass"'
    basic = replica.ask(None, route.method, route.path, Authorization=f"Basic {team.admin}")
    assert basic.status == 401


@corpus("scope", SCOPES)
@corpus("route", GUARDED, ids=named)
def test_a_scope_opens_what_the_table_says_and_nothing_else(replica, other, route, scope):
    found = call(replica, route, other.token("a", scope))
    if scope in route.scopes:
        assert found.status not in (401, 403), found.body
    else:
        assert (found.status, found.json["kind"]) == (403, "forbidden")


@corpus("route", ROUTES, ids=named)
def test_a_web_page_is_refused_whatever_it_sends(replica, team, route):
    for origin in ("http://evil.example", "null", ""):
        found = call(replica, route, team.admin, Origin=origin)
        assert (found.status, found.json["kind"]) == (403, "forbidden")
        assert not [name for name in found.headers if name.startswith("access-control")]


@pytest.fixture(scope="module")
def filled(replica, team):
    """The first team with something on every shelf."""
    person = team.token(PERSON)
    assert replica.evaluate(person, asking(SECRET_TEXT)).status == 200
    assert replica.ask(team.admin, "PUT", f"/v1/thresholds/{REPOSITORY}", {"note": SECRET_TEXT}).status == 200
    policy = {"settings": {"mode": "enforce"}}
    assert replica.ask(team.admin, "PUT", "/v1/policy", policy).status == 200
    settings = values_of(TeamSettings(daily_usd=9371.40625))
    assert replica.ask(team.admin, "PUT", "/v1/settings", settings).status == 200
    return {"token": person, "token_id": person.split("_")[2], "person": PERSON}


def everything_of(team):
    """What a team's own tokens read of it."""
    found = {}
    for route in GUARDED:
        if route.method == "GET" and route.name not in ("metrics", "openapi"):
            token = team.read if route.scopes == READ else team.admin
            found[route.name] = call(team.replica, route, token).body
    return found


@corpus("route", GUARDED, ids=named)
def test_another_teams_token_reads_and_changes_nothing_of_it(replica, team, other, filled, route):
    before = {name: told for name, told in everything_of(team).items() if name != "tokens"}
    assert SECRET_TEXT.encode() in before["evaluations"]
    for token in (other.evaluate, other.read, other.admin):
        found = call(replica, route, token, filled["token_id"])
        for known in (SECRET_TEXT, team.name, filled["token_id"], "9371.40625"):
            if route.name != "revoke_token" or known != filled["token_id"]:
                assert known not in found.body.decode(), (route.name, known)
    assert {name: told for name, told in everything_of(team).items() if name != "tokens"} == before
    assert replica.ask(filled["token"], "GET", "/v1/me").json["person"] == PERSON


def test_a_token_of_a_laptop_does_nothing_else(replica, team):
    for scopes in (["evaluate", "read"], ["evaluate", "admin"], [], ["root"], "evaluate", [7]):
        found = replica.ask(team.admin, "POST", "/v1/tokens", {"person": "eve", "scopes": scopes})
        assert (found.status, found.json["kind"]) == (400, "invalid"), scopes


def test_what_is_not_there_is_told_in_one_shape(replica, team):
    for method, path, status in (
        ("GET", "/nothing", 404), ("GET", "/docs", 404), ("GET", "/v1/tokens/", 404), ("PATCH", "/v1/settings", 405),
        ("HEAD", "/v1/settings", 405), ("BREW", "/v1/settings", 405), ("GET", "/v1/people/a/b", 404),
        ("GET", "/v1/people/..%2f..%2fetc", 404), ("GET", "/healthz", 404),
    ):  # fmt: skip
        found = replica.ask(team.admin, method, path)
        assert found.status == status, (method, path)
        if method != "HEAD":
            assert found.json["kind"] == "missing"


def test_the_log_has_a_line_for_each_request_and_no_secret(replica, team, filled):
    mark = f"secret words {time.monotonic_ns()}"
    found = replica.evaluate(team.evaluate, asking(mark))
    # A request's line is written once its answer is out.
    end = time.monotonic() + 10.0
    lines = []
    while not lines and time.monotonic() < end:
        lines = [one for one in replica.told() if one.get("request") == found.headers["x-request-id"]]
    (told,) = [(one["route"], one["status"], one["team"]) for one in lines]
    assert told == ("POST /v1/evaluations", 200, team.name)
    metrics = replica.ask(team.read, "GET", "/metrics").body.decode()
    assert 'compass_team_evaluations_total{outcome="success"}' in metrics
    whole = replica.log.read_text() + metrics
    tokens = (team.admin, team.evaluate, team.read, filled["token"])
    secrets = [part for one in tokens for part in (one, one.split("_", 3)[3])]
    for known in (mark, "src/session.py", PERSON, SECRET_TEXT, *secrets):
        assert known not in whole
    assert team.name not in metrics


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
    before = replica.ask(team.admin, "GET", "/v1/settings").json
    assert replica.ask(team.admin, "PUT", "/v1/settings", {**SETTINGS, **change}).status == 400
    one_less = {name: value for name, value in SETTINGS.items() if name != "daily_usd"}
    assert "daily_usd" in replica.ask(team.admin, "PUT", "/v1/settings", one_less).json["error"]
    assert replica.ask(team.admin, "GET", "/v1/settings").json == before


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
    assert b" 413 " in found.splitlines()[0] and b'"kind": "invalid"' in found


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
            assert b" 503 " in first.splitlines()[0] and b"retry-after: 1" in first.lower()
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
    assert "test_http.py:" in fault["at"]
    assert (request["status"], request["kind"], request["request"]) == (500, "fault", fault["request"])
