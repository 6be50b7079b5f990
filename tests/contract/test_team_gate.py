"""The `team` backend against a real server, and the gate with it: verdicts, faults, outages, and the pushed policy."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import Behaviour, LoopbackApi, drip, garbage, hang, reply, reset
from apis.team_server import MODEL, PROMPT, TOKEN, TeamServer, document, evaluation, refuses, sample, samples
from running.hookrun import Place, denial
from running.processes import until
from running.serving import Serving

from compass.composition.gate import SystemClock
from evaluator.breaker import COUNTING, evaluation_outcome
from evaluator.model import Effects, Evidence, Exchange, PendingWrite, Reading, Sample, Subject, Thresholds
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.sampling import user_id_of
from evaluator.readers.team.login import Login, write_login
from evaluator.readers.team.readers import TeamReaders
from evaluator.readers.team.wire import Evaluation
from evaluator.record import plain_of, replace, values_of
from evaluator.settings.files import POLICY_FILE
from evaluator.settings.keys import build
from evaluator.settings.places import project_key
from evaluator.verdict.calibrated_thresholds import THRESHOLDS_NAME, Calibrated, calibrated_as_dict

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
        self.env = {"ONLOOKER_DIR": str(folder), "HOME": str(folder)}

    def log_in(self, url: str, token: str = TOKEN) -> None:
        write_login(str(self.folder / "compass"), Login(token, url.rstrip("/")))

    def readers(self, url: str, login: str | None = None, **changes: Any) -> TeamReaders:
        """Logged in at `login`, by default where they ask."""
        self.log_in(url if login is None else login)
        kind, settings = kind_of("team"), build({"evaluator.base_url": url})
        given: dict[str, Any] = {"held": lambda _: HELD, "repository": lambda _: "0123456789ab", **changes}
        line = kind.remote(settings, self.env)
        return TeamReaders(line, clock=SystemClock(), heard=self.heard.append, **given)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@dataclass
class ServedPlace(Place):
    """A place of its own whose hooks go to another's service on its socket, as their processes would send them."""

    served: Serving = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.env = {**self.served.place.env, **self.env}

    def hook(self, event: str, payload: object, **_: object) -> subprocess.CompletedProcess[bytes]:
        return self.served.hook(event, payload, self)


@pytest.fixture
def server() -> Iterator[TeamServer]:
    with TeamServer() as found:
        yield found


def error_of(found: tuple[Sample, ...]) -> str:
    (one,) = found
    assert not one.valid and one.error
    return one.error


def test_one_request_holds_the_sanitized_evidence_and_no_more(world, server):
    assert [one.score for one in world.readers(server.url, blind=2).collect(SUBJECT, 5.0)] == [0.9] * 5
    (asked,) = server.evaluated
    assert asked.authorization == f"Bearer {TOKEN}"
    request = asked.request
    assert request.evidence == EVIDENCE and request.thresholds == HELD
    assert (request.repository, request.session) == ("0123456789ab", user_id_of("session-1"))
    assert (request.blind, request.waited) == (2, pytest.approx(0.0, abs=0.5))
    assert 3.5 < request.seconds < 5.0
    whole = json.dumps(asked.body)
    assert "SECRET CONTENT" not in whole and "session-1" not in whole and "/here" not in whole


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


GIVEN: dict[str, tuple[Behaviour, str, str]] = {
    "401": (refuses(401, "unauthorized"), "authentication", "ask for a new one and run `compass team login http"),
    "403": (refuses(403, "forbidden", "no scope"), "authentication", "no scope"),
    "429 rate": (refuses(429, "rate", "too fast", 30), "rate", "too fast"),
    "429 budget": (refuses(429, "budget", "$5 of $5"), "limit", "$5 of $5"),
    "503 state": (refuses(503, "state"), "server", "503 from"),
    "504": (refuses(504, "late"), "timeout", "504"),
    "400": (refuses(400, "invalid", "blind: a number"), "refused", "blind: a number"),
    "404": (Behaviour(status=404, body=b"nothing"), "refused", "404"),
    "403 with the token": (refuses(403, "forbidden", f"{TOKEN} may not"), "authentication", "may not"),
    "garbage": (garbage(), "invalid", "is not JSON"),
    "without bounds": (garbage(b"[" * 1_100_000), "invalid", "longer than"),
    "no samples": (document({**values_of(evaluation()), "samples": []}), "invalid", "contains no sample"),
    "a score of 7": (
        document({**values_of(evaluation()), "samples": [{**plain_of(sample(1)), "score": 7}]}), "invalid", "score",
    ),
    "another server": (reply(), "invalid", "is not an evaluation"),
}  # fmt: skip


@pytest.mark.parametrize("name", GIVEN)
def test_each_failure_is_one_invalid_sample_of_its_kind_and_shows_no_token(world, server, name):
    behaviour, kind, said = GIVEN[name]
    server.queue(behaviour)
    found = world.readers(server.url).collect(SUBJECT, 5.0)
    error = error_of(found)
    assert error.startswith(f"{kind}: ") and said in error and TOKEN not in error
    assert evaluation_outcome(found, 1) == ("failure" if kind in COUNTING else "neutral")
    assert len(server.requests) == 1 and not world.heard


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


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "no address for your team's evaluator"),
        ({"evaluator.base_url": "http://10.0.0.1:8080"}, "over plain http, which others can read"),
        ({"evaluator.base_url": "https://compass.example"}, "run `compass team login URL`"),
    ],
)
def test_what_is_missing_is_named_before_anything_is_asked(world, settings, said):
    assert said in str(kind_of("team").missing(build(settings), world.env))


def test_a_token_goes_to_another_machine_by_https_alone(world):
    error = error_of(world.readers("http://10.0.0.1:8080").collect(SUBJECT, 5.0))
    assert error.startswith("refused: the token of your team's evaluator would go")


# Through the hook and its service


def variables(server: TeamServer) -> dict[str, str]:
    return {
        "COMPASS_EVALUATOR__BACKEND": "team", "COMPASS_EVALUATOR__BASE_URL": server.url,
        "COMPASS_DEADLINE_SECONDS": "6", "COMPASS_COOLDOWN__SECONDS": "0", "COMPASS_COVERAGE__MAX_CALLS": "0",
        "COMPASS_MAX_CHECKS_PER_TURN": "100",
    }  # fmt: skip


def settle(place: Place, server: TeamServer) -> Place:
    place.say("Write a note on how the retry limit is read, each time into a new numbered notes file")
    write_login(str(place.state / "compass"), Login(server.token, server.url))
    return place


@pytest.fixture
def place(server: TeamServer, tmp_path: Path, served: Serving) -> Place:
    return settle(ServedPlace(tmp_path, variables(server), served=served), server)


@pytest.fixture
def alone(server: TeamServer, tmp_path: Path) -> Place:
    """Without a service: each hook judges by itself."""
    return settle(Place(tmp_path, variables(server)), server)


def call(place: Place, number: int = 1) -> dict[str, Any]:
    target = {"file_path": str(place.project / f"notes-{number}.txt"), "content": "hello\n"}
    return place.payload(given=target, tool_use_id=f"toolu_{number}")


def last(place: Place) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(place.command("explain", "--json").stdout)
    return found


def kept(place: Place) -> dict[str, Any]:
    path = place.state / "compass" / POLICY_FILE
    return json.loads(path.read_text()) if path.exists() else {}


def test_the_service_passes_and_holds_by_the_teams_samples_over_one_connection(place, server):
    assert denial(place.hook("pre-tool-use", call(place))) is None
    shown = last(place)
    assert (shown["backend"], shown["model"], shown["verdict"]) == ("team", MODEL, "passed")
    assert len(shown["samples"]) == 5
    server.found = evaluation(*samples(*[0.1] * 5))
    assert denial(place.hook("pre-tool-use", call(place, 2))) is not None
    assert last(place)["reason"] == "low_confidence"
    assert len({asked.client for asked in server.requests}) == 1, "the connection is kept"
    assert [one.request.evidence.tool_name for one in server.evaluated] == ["Write", "Write"]
    assert "hello" not in json.dumps([one.body for one in server.evaluated])


def test_what_was_sent_is_shown_as_the_request_that_it_was(place, server):
    assert denial(place.hook("pre-tool-use", call(place))) is None
    shown = json.loads(place.command("explain", "--egress", "--json").stdout)
    sent = dict(server.evaluated[0].body)
    assert shown["sent"] is True and set(shown["request"]) == set(sent)
    assert shown["request"]["evidence"] == sent["evidence"]
    assert b"This was sent to your team's evaluator:" in place.command("explain", "--egress").stdout


def test_a_hook_without_a_service_asks_by_itself(alone, server):
    assert denial(alone.hook("pre-tool-use", call(alone))) is None
    assert len(server.evaluated) == 1 and server.evaluated[0].request.thresholds is not None


@pytest.mark.parametrize("count", [1, 2])
def test_how_many_readers_have_to_agree_no_server_decides(place, server, count):
    server.found = evaluation(*samples(*[0.95] * count))
    reason = denial(place.hook("pre-tool-use", call(place)))
    assert reason is not None and "could not check" in reason
    shown = last(place)
    assert shown["reason"] == "sampler_error"
    assert "evaluator.min_valid_samples" in json.dumps(shown["samples"])


def test_an_outage_opens_the_breaker_and_the_policy_answers(place, server):
    server.down = refuses(503, "state")
    for number in range(3):
        reason = denial(place.hook("pre-tool-use", call(place, number)))
        assert reason is not None and "503 from your team" in reason
    asked = len(server.requests)
    reason = denial(place.hook("pre-tool-use", call(place, 3)))
    assert reason is not None and last(place)["reason"] == "circuit_open"
    assert len(server.requests) == asked, "an open breaker asks nobody"


# The pushed policy


def test_a_new_policy_is_fetched_after_the_verdict_and_holds_from_then_on(place, server):
    server.push({"confidence_threshold": 0.95, "evaluator": {"model": "another"}, "stddev_threshold": 0.4})
    assert denial(place.hook("pre-tool-use", call(place))) is None, "by what held before"
    until(lambda: kept(place).get("digest") == server.pushed.digest)
    assert (place.state / "compass" / POLICY_FILE).stat().st_mode & 0o777 == 0o600
    assert denial(place.hook("pre-tool-use", call(place, 2))) is not None, "0.9 is under 0.95"
    assert "your team's policy" in place.command("config", "list").stdout.decode()
    found = place.command("config", "get", "confidence_threshold")
    assert found.stdout.strip() == b"0.95" and b"from your team's policy" in found.stderr
    assert place.command("config", "get", "stddev_threshold").stdout.strip() == b"0.2"
    assert place.command("config", "get", "evaluator.model").stdout.strip() != b"another"
    problems = place.command("config", "get", "evaluator.model").stderr.decode()
    assert "only the user may set this key" in problems
    assert [path for path, _ in server.gets].count("/v1/policy") == 1
    server.push({})
    assert denial(place.hook("pre-tool-use", call(place, 3))) is not None
    until(lambda: kept(place).get("digest") == server.pushed.digest)
    assert denial(place.hook("pre-tool-use", call(place, 4))) is None


def test_no_variable_of_the_user_loosens_what_the_policy_tightens(place, server):
    push(place, {"confidence_threshold": 0.95, "mode": "enforce"})
    place.env |= {"COMPASS_CONFIDENCE_THRESHOLD": "0.1", "COMPASS_MODE": "observe"}
    assert denial(place.hook("pre-tool-use", call(place))) is not None


def test_a_policy_turns_no_gate_on_that_its_user_turned_off(place, server):
    push(place, {"enabled": True})
    del place.env["COMPASS_EVALUATOR__BASE_URL"]
    place.env["COMPASS_ENABLED"] = "false"
    assert place.command("config", "set", "enabled", "false").returncode == 0
    assert denial(place.hook("pre-tool-use", call(place))) is None
    assert not server.requests


def push(place: Place, settings: dict[str, object]) -> None:
    path = place.state / "compass" / POLICY_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"settings": settings, "digest": "kept"}))


def test_a_policy_that_cannot_be_read_is_named(place):
    push(place, {})
    (place.state / "compass" / POLICY_FILE).write_text("{")
    found = json.loads(place.command("doctor", "--json").stdout)
    assert any("your team's policy" in one["detail"] and "not valid JSON" in one["detail"] for one in found)


@pytest.mark.parametrize("change", [{"model": "another-model"}, {"prompt": "e" * 16}, {"backend": "openai"}])
def test_thresholds_of_other_readers_are_stale_from_the_answer_on_that_names_them(place, server, change):
    server.found = evaluation(*samples(*[0.35] * 5))
    assert denial(place.hook("pre-tool-use", call(place))) is not None
    until(lambda: bool(kept(place).get("readers")))
    measured = {5: {"reversible": Thresholds(0.3, 1.0, alpha=0.1)}}
    calibrated = Calibrated("team", MODEL, PROMPT, "2026-11-01T00:00:00Z", measured)
    path = place.state / "compass" / project_key(str(place.project)) / THRESHOLDS_NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(calibrated_as_dict(calibrated)))
    assert denial(place.hook("pre-tool-use", call(place, 2))) is None, "0.35 is over the measured 0.3"
    server.found = replace(server.found, **change)
    place.hook("pre-tool-use", call(place, 3))
    until(lambda: kept(place)["readers"] == values_of(server.readers))
    stale = denial(place.hook("pre-tool-use", call(place, 4))) is not None
    assert stale == ("backend" not in change), "the same model with the same prompt reads alike anywhere"
    assert any("stale" in note for note in last(place)["notes"]) == stale


def test_a_session_that_starts_without_a_service_fetches_what_is_pushed(alone, server):
    server.push({"confidence_threshold": 0.95})
    start = {**alone.payload(), "hook_event_name": "SessionStart", "source": "startup"}
    assert denial(alone.hook("pre-tool-use", call(alone))) is None
    alone.hook("session-start", start)
    assert kept(alone)["settings"] == {"confidence_threshold": 0.95}
