"""The gate with a team's evaluator, through the hook and its service: verdicts, outages, and the pushed policy."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from apis.team_server import MODEL, PROMPT, TeamServer, evaluation, refuses, samples
from running.hookrun import Place, denial
from running.processes import until
from running.serving import Serving

from evaluator.model import Thresholds
from evaluator.readers.team.login import Login, write_login
from evaluator.record import replace, values_of
from evaluator.settings.files import POLICY_FILE
from evaluator.settings.places import project_key
from evaluator.verdict.calibrated_thresholds import THRESHOLDS_NAME, Calibrated, calibrated_as_dict

REQUEST = "Write a note on how the retry limit is read, each time into a new numbered notes file"


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


def variables(server: TeamServer) -> dict[str, str]:
    return {
        "COMPASS_EVALUATOR__BACKEND": "team",
        "COMPASS_EVALUATOR__BASE_URL": server.url,
        "COMPASS_DEADLINE_SECONDS": "6",
        "COMPASS_COOLDOWN__SECONDS": "0",
        "COMPASS_COVERAGE__MAX_CALLS": "0",
        "COMPASS_MAX_CHECKS_PER_TURN": "100",
    }


def settle(place: Place, server: TeamServer) -> Place:
    place.say(REQUEST)
    log_in(place, server)
    return place


@pytest.fixture
def place(server: TeamServer, tmp_path: Path, served: Serving) -> Place:
    return settle(ServedPlace(tmp_path, variables(server), served=served), server)


@pytest.fixture
def alone(server: TeamServer, tmp_path: Path) -> Place:
    """Without a service: each hook judges by itself."""
    return settle(Place(tmp_path, variables(server)), server)


def log_in(place: Place, server: TeamServer) -> None:
    write_login(str(place.state / "compass"), Login(server.token, server.url))


def call(place: Place, number: int = 1) -> dict[str, Any]:
    target = {"file_path": str(place.project / f"notes-{number}.txt"), "content": "hello\n"}
    return place.payload(given=target, tool_use_id=f"toolu_{number}")


def last(place: Place) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(place.command("explain", "--json").stdout)
    return found


def kept(place: Place) -> dict[str, Any]:
    path = place.state / "compass" / POLICY_FILE
    return json.loads(path.read_text()) if path.exists() else {}


# Verdicts


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


# Outages


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
    listed = place.command("config", "list").stdout.decode()
    assert "your team's policy" in listed
    found = place.command("config", "get", "confidence_threshold")
    assert found.stdout.strip() == b"0.95" and b"from your team's policy" in found.stderr
    assert place.command("config", "get", "stddev_threshold").stdout.strip() == b"0.2"
    assert place.command("config", "get", "evaluator.model").stdout.strip() != b"another"
    problems = place.command("config", "get", "evaluator.model").stderr.decode()
    assert "only the user may set this key" in problems
    fetched = [path for path, _ in server.gets].count("/v1/policy")
    assert fetched == 1
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
    calibrated = Calibrated(
        "team", MODEL, PROMPT, "2026-11-01T00:00:00Z", {5: {"reversible": Thresholds(0.3, 1.0, alpha=0.1)}}
    )
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
