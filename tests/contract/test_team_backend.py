"""The `team` backend against a real server: what is sent, what comes back, and every way in which it fails."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import Behaviour, LoopbackApi, drip, garbage, hang, reply, reset
from apis.team_server import MODEL, TOKEN, TeamServer, document, evaluation, refuses, sample, samples

from compass.composition.gate import SystemClock
from evaluator.breaker import COUNTING, evaluation_outcome
from evaluator.model import Effects, Evidence, Exchange, PendingWrite, Reading, Sample, Subject, Thresholds
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.sampling import user_id_of
from evaluator.readers.team.login import Login, write_login
from evaluator.readers.team.readers import TeamReaders
from evaluator.readers.team.wire import Evaluation
from evaluator.record import plain_of, replace, values_of
from evaluator.settings.keys import build

REQUEST = "Rename the retry limit in limits.py and nothing else"
EVIDENCE = Evidence(
    "Edit", "edit", "modifying", ("src/limits.py",), REQUEST, lines=6, symbols=("RETRY_LIMIT",)
)
SUBJECT = Subject(
    PendingWrite("call", "session-1", "Edit", {"new_string": "SECRET CONTENT"}, "/here", "/here"),
    Effects("write", "edit", "modifying", ("/here/src/limits.py",), lines=6),
    Exchange((REQUEST,)),
    EVIDENCE,
)
HELD = Thresholds(0.7, 0.15, None)


class World:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.heard: list[Evaluation] = []

    def env(self) -> dict[str, str]:
        return {"ONLOOKER_DIR": str(self.folder), "HOME": str(self.folder)}

    def log_in(self, url: str, token: str = TOKEN) -> None:
        write_login(str(self.folder / "compass"), Login(token, url.rstrip("/")))

    def readers(self, url: str, login: str | None = None, **changes: Any) -> TeamReaders:
        """Logged in at `login`, by default where they ask."""
        self.log_in(url if login is None else login)
        kind, settings = kind_of("team"), build({"evaluator.base_url": url})
        given: dict[str, Any] = {"held": lambda _: HELD, "repository": lambda _: "0123456789ab", **changes}
        return TeamReaders(
            kind.remote(settings, self.env()), clock=SystemClock(), heard=self.heard.append, **given
        )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def server() -> Iterator[TeamServer]:
    with TeamServer() as found:
        yield found


def error_of(found: tuple[Sample, ...]) -> str:
    (one,) = found
    assert not one.valid and one.error
    return one.error


# What is sent


def test_one_request_holds_the_sanitized_evidence_and_no_more(world, server):
    found = world.readers(server.url, blind=2).collect(SUBJECT, 5.0)
    assert [one.score for one in found] == [0.9] * 5
    (asked,) = server.evaluated
    assert asked.authorization == f"Bearer {TOKEN}"
    request = asked.request
    assert request.evidence == EVIDENCE and request.thresholds == HELD
    assert (request.repository, request.session) == ("0123456789ab", user_id_of("session-1"))
    assert (request.blind, request.waited) == (2, pytest.approx(0.0, abs=0.5))
    assert 3.5 < request.seconds < 5.0
    whole = json.dumps(asked.body)
    assert "SECRET CONTENT" not in whole and "session-1" not in whole and "/here" not in whole


# What comes back


def test_samples_model_and_digests_are_those_of_the_answer(world, server):
    bent = replace(sample(3), error="timeout: late", score=None)
    server.found = evaluation(*samples(0.9, 0.2), bent, policy="p1")
    readers = world.readers(server.url)
    assert readers.model == ""
    assert readers.collect(SUBJECT, 5.0) == server.found.samples
    assert (readers.name, readers.model) == ("team", MODEL)
    assert [one.policy for one in world.heard] == ["p1"]


def test_texts_are_bounded_and_hold_nothing_that_a_terminal_acts_on(world, server):
    evil = "a\x1b[31m\n" + "b" * 900
    bent = sample(1, rationale=evil, rival=evil, reading=Reading("change", evil, "one_file"), reader=evil)
    server.found = evaluation(bent, model=evil)
    readers = world.readers(server.url)
    (found,) = readers.collect(SUBJECT, 5.0)
    for text in (found.rationale, found.rival, found.reading.target, found.reader, readers.model):
        assert text and "\x1b" not in text and "\n" not in text and len(text) <= 200


# Faults


GIVEN: dict[str, tuple[Behaviour, str, str]] = {
    "401": (refuses(401, "unauthorized"), "authentication", "ask for a new one and run `compass team login http"),
    "403": (refuses(403, "forbidden", "no scope"), "authentication", "no scope"),
    "429 rate": (refuses(429, "rate", "too fast", 30), "rate", "too fast"),
    "429 budget": (refuses(429, "budget", "$5 of $5"), "limit", "$5 of $5"),
    "503 state": (refuses(503, "state"), "server", "503 from"),
    "504": (refuses(504, "late"), "timeout", "504"),
    "400": (refuses(400, "invalid", "blind: a number"), "refused", "blind: a number"),
    "404": (Behaviour(status=404, body=b"nothing"), "refused", "404"),
    "garbage": (garbage(), "invalid", "is not JSON"),
    "no samples": (document({**values_of(evaluation()), "samples": []}), "invalid", "contains no sample"),
    "a score of 7": (
        document({**values_of(evaluation()), "samples": [{**plain_of(sample(1)), "score": 7}]}), "invalid", "score",
    ),
    "another server": (reply(), "invalid", "is not an evaluation"),
}  # fmt: skip


@pytest.mark.parametrize("name", GIVEN)
def test_each_failure_is_one_invalid_sample_of_its_kind(world, server, name):
    behaviour, kind, said = GIVEN[name]
    server.queue(behaviour)
    found = world.readers(server.url).collect(SUBJECT, 5.0)
    error = error_of(found)
    assert error.startswith(f"{kind}: ") and said in error and TOKEN not in error
    assert evaluation_outcome(found, 1) == ("failure" if kind in COUNTING else "neutral")
    assert len(server.requests) == 1 and not world.heard


def test_what_a_server_repeats_of_the_token_is_not_shown(world, server):
    server.queue(refuses(403, "forbidden", f"{TOKEN} may not"))
    assert TOKEN not in error_of(world.readers(server.url).collect(SUBJECT, 5.0))


def test_no_redirect_takes_token_or_evidence_elsewhere(world, server):
    with LoopbackApi() as elsewhere:
        for status in (302, 307):
            there = {"location": f"{elsewhere.url}/v1/evaluations"}
            server.queue(Behaviour(status=status, body=b"", headers=there))
            assert f"{status} from" in error_of(world.readers(server.url).collect(SUBJECT, 5.0))
        assert not elsewhere.requests and not elsewhere.gets


@pytest.mark.parametrize("behaviour", [hang(), drip()], ids=["no answer", "an endless body"])
def test_what_is_late_ends_in_time(world, server, behaviour):
    server.queue(behaviour)
    began = time.monotonic()
    error = error_of(world.readers(server.url).collect(SUBJECT, 1.5))
    assert error.startswith("timeout: no answer from your team's")
    assert time.monotonic() - began < 1.8 and len(server.requests) == 1


def test_a_body_without_bounds_is_cut(world, server):
    server.queue(garbage(b"[" * 1_100_000))
    assert "longer than" in error_of(world.readers(server.url).collect(SUBJECT, 5.0))


# Once more


@pytest.mark.parametrize(
    "behaviour",
    [
        reset(),
        refuses(503, "closing", retry_after=30),
        *(Behaviour(status=code, body=b"") for code in (502, 503)),
    ],
    ids=["reset", "closing", "a proxy", "a full proxy"],
)
def test_the_same_is_asked_once_more_with_how_long_was_waited(world, server, behaviour):
    server.queue(behaviour)
    assert len(world.readers(server.url).collect(SUBJECT, 5.0)) == 5
    first, second = (one.request for one in server.evaluated)
    assert (first.waited, first.evidence) == (pytest.approx(0.0, abs=0.1), second.evidence)
    assert second.waited > 0 and second.seconds + second.waited == pytest.approx(first.seconds, abs=0.05)


def test_it_is_asked_twice_at_most_and_only_while_there_is_time(world, server):
    server.queue(reset(), reset(), refuses(503, "overloaded", retry_after=30))
    assert error_of(world.readers(server.url).collect(SUBJECT, 5.0)).startswith("transport: ")
    assert len(server.requests) == 2
    assert error_of(world.readers(server.url).collect(SUBJECT, 5.0)).startswith("server: 503")
    assert len(server.requests) == 3


# The token


def test_the_token_is_read_anew_and_taken_from_no_variable(world, server, monkeypatch):
    monkeypatch.setenv("COMPASS_TEAM_TOKEN", TOKEN)
    readers = world.readers(server.url)
    (world.folder / "compass" / "team-token").unlink()
    error = error_of(readers.collect(SUBJECT, 5.0))
    assert error.startswith("authentication: no token") and "compass team login" in error
    assert not server.requests
    world.log_in(server.url)
    assert len(readers.collect(SUBJECT, 5.0)) == 5


def test_a_token_goes_to_the_server_that_it_was_given_for_alone(world, server):
    readers = world.readers(server.url, login="https://compass.example")
    assert "for another server" in error_of(readers.collect(SUBJECT, 5.0))
    assert not server.requests


SPOILED: dict[str, Callable[[Path], object]] = {
    "others read it": lambda path: path.chmod(0o640),
    "a link": lambda path: path.symlink_to(path.rename(path.with_suffix(".real"))),
    "no JSON": lambda path: path.write_text("not a token"),
    "no token": lambda path: path.write_text(json.dumps({"token": "cmp_x", "address": "http://127.0.0.1"})),
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_file_that_is_not_the_users_alone_is_no_login(world, server, how):
    readers = world.readers(server.url)
    SPOILED[how](world.folder / "compass" / "team-token")
    error = error_of(readers.collect(SUBJECT, 5.0))
    assert error.startswith("authentication: ") and "compass team login" in error
    assert not server.requests


# The record


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "no address for your team's evaluator"),
        ({"evaluator.base_url": "http://10.0.0.1:8080"}, "over plain http, which others can read"),
        ({"evaluator.base_url": "https://compass.example"}, "run `compass team login URL`"),
    ],
)
def test_what_is_missing_is_named_before_anything_is_asked(world, settings, said):
    assert said in str(kind_of("team").missing(build(settings), world.env()))


def test_a_token_goes_to_another_machine_by_https_alone(world):
    error = error_of(world.readers("http://10.0.0.1:8080").collect(SUBJECT, 5.0))
    assert error.startswith("refused: the token of your team's evaluator would go")
