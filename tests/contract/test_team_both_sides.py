"""A laptop's gate and the real service behind it: login, verdicts, policy, thresholds, revocation."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import MAIN, Place, denial
from running.postgres import Cluster, is_there

from compass.composition.team import asked
from compass.team.principals import BELIEVED_SECONDS
from evaluator.calibrated import Calibrated, as_dict
from evaluator.model import Thresholds
from evaluator.readers.kinds.team import KIND
from evaluator.readers.team.line import TeamLine
from evaluator.readers.team.login import Login
from evaluator.settings.keys import Settings
from evaluator.settings.repository import project_key

pytestmark = pytest.mark.skipif(
    not is_there(), reason="no PostgreSQL: tests/support/running/install_postgres.py"
)

REQUEST = "Write a note on how the retry limit is read, each time into a new numbered notes file"
MODEL = "claude-haiku-4-5-20251001"


@dataclass
class Team:
    """`admin` asks with the administrator's token; `api` is the model behind the service."""

    url: str
    administrator: str
    api: LoopbackApi

    def admin(self, method: str, path: str, body: object = None) -> Any:
        line = TeamLine(self.url, lambda: Login(self.administrator, self.url))
        return asked(line, method, path, body)

    def token(self, person: str = "ada") -> dict[str, Any]:
        found: dict[str, Any] = self.admin("POST", "/v1/tokens", {"person": person})
        return found


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    home = tmp_path_factory.mktemp("service")
    with Cluster(fsync=False) as cluster, LoopbackApi() as api:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "ONLOOKER_DIR": str(home / "state"),
            "COMPASS_STATE__URL": cluster.url,
            "COMPASS_EVALUATOR__BACKEND": "anthropic",
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": "sk-ant-loopback-0123456789",
        }
        serve = [sys.executable, "-I", MAIN, "serve", "--team"]
        made = subprocess.run(
            [*serve, "--init", "--name", "red", "--json"], env=env, capture_output=True, check=False
        )
        assert made.returncode == 0, made.stderr
        process = subprocess.Popen([*serve, "--port", "0"], env=env, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            yield Team(url, json.loads(made.stdout)["token"], api)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


@pytest.fixture
def place(team: Team, tmp_path: Path) -> Place:
    found = Place(
        tmp_path,
        {
            "COMPASS_EVALUATOR__BACKEND": "team",
            "COMPASS_EVALUATOR__BASE_URL": team.url,
            "COMPASS_COOLDOWN__SECONDS": "0",
            "COMPASS_COVERAGE__MAX_CALLS": "0",
        },
    )
    found.say(REQUEST)
    team.api.default = reply(answer(0.9, target="notes.txt"))
    return found


def log_in(place: Place, team: Team, token: str) -> Any:
    return place.command("team", "login", team.url, stdin=f"{token}\n".encode())


def call(place: Place, number: int = 1) -> dict[str, Any]:
    target = {"file_path": str(place.project / f"notes-{number}.txt"), "content": "hello\n"}
    return place.payload(given=target, tool_use_id=f"toolu_{number}")


def last(place: Place) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(place.command("explain", "--json").stdout)
    return found


@pytest.mark.full
def test_a_laptop_logs_in_and_its_writes_are_judged_until_the_token_is_revoked(
    team: Team, place: Place
) -> None:
    done = log_in(place, team, team.administrator)
    assert done.returncode != 0 and b"may read and admin" in done.stderr
    token = team.token()
    assert log_in(place, team, token["token"]).returncode == 0
    found = json.loads(place.command("team", "status", "--json").stdout)
    assert (found["team"], found["person"], found["reachable"], found["asked"]) == ("red", "ada", True, True)

    assert denial(place.hook("pre-tool-use", call(place))) is None
    shown = last(place)
    assert (shown["backend"], shown["model"], shown["verdict"]) == ("team", MODEL, "passed")
    assert len(shown["samples"]) == len(team.api.requests) == 2, "the first look is enough"
    assert "hello" not in json.dumps([one.body for one in team.api.requests])
    team.api.default = reply(answer(0.1, target="notes.txt", primary_concern="scope"))
    assert denial(place.hook("pre-tool-use", call(place, 2))) is not None
    assert last(place)["reason"] == "low_confidence"

    team.admin("DELETE", f"/v1/tokens/{token['token_id']}")
    time.sleep(BELIEVED_SECONDS)
    reason = denial(place.hook("pre-tool-use", call(place, 3)))
    assert reason is not None and "refuses the token: ask for a new one and run `compass team login" in reason


def test_a_policy_that_is_pushed_tightens_from_the_login_on(team: Team, place: Place) -> None:
    team.admin("PUT", "/v1/policy", {"settings": {"confidence_threshold": 0.95}, "backends": ["team"]})
    try:
        assert log_in(place, team, team.token("eve")["token"]).returncode == 0
        assert denial(place.hook("pre-tool-use", call(place))) is not None, "0.9 is under 0.95"
        place.env["COMPASS_EVALUATOR__BACKEND"] = "embedded"
        reason = denial(place.hook("pre-tool-use", call(place, 2)))
        assert reason is not None and "lets evidence go to team alone" in reason
    finally:
        team.admin("PUT", "/v1/policy", {"settings": {}})


def test_thresholds_are_shared_through_it(team: Team, place: Place, tmp_path: Path) -> None:
    assert log_in(place, team, team.token("joe")["token"]).returncode == 0
    done = place.command("team", "thresholds", "pull")
    assert done.returncode != 0 and b"shares no thresholds for this project" in done.stderr
    n = Settings().evaluator.n
    given = as_dict(
        Calibrated(
            "team",
            Settings().evaluator.model,
            KIND.fingerprint(),
            "2026-11-01T00:00:00Z",
            {n: {"reversible": Thresholds(0.6, 1.0, None, 0.05)}},
        )
    )
    team.admin("PUT", f"/v1/thresholds/{project_key(str(place.project))}", given)
    done = place.command("team", "thresholds", "pull", "--yes")
    assert done.returncode == 0, done.stderr
    file = tmp_path / "admin"
    file.write_text(team.administrator)
    file.chmod(0o600)
    done = place.command("team", "thresholds", "push", "--token-file", str(file))
    assert done.returncode == 0, done.stderr
