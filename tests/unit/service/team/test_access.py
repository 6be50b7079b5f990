"""Who may ask a team's evaluator what: every row of its table, over a real service, with every kind of token."""

import time
from typing import Any, NamedTuple

import pytest
from corpora import corpus
from openapi_spec_validator import validate
from samples.team_requests import REQUEST, asking

from compass.team.admission import TeamGuard
from compass.team.api import make_app
from compass.team.documents import TeamSettingsDocument
from compass.team.model import STATUS, TeamSettings
from evaluator.model import Evidence
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
