"""A laptop's gate and the real service behind it: login, policy, thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from apis.loopback_api import LoopbackApi, answer, reply
from running.hookrun import Place, denial
from running.postgres import Cluster
from running.team_serving import TeamPlace

from compass.composition.team_policy import asked
from evaluator.model import Thresholds
from evaluator.readers.kinds.team import KIND
from evaluator.readers.team.login import Login
from evaluator.readers.team.transport import TeamLine
from evaluator.settings.keys import Settings
from evaluator.settings.places import project_key
from evaluator.verdict.calibrated import Calibrated, as_dict

REQUEST = "Write a note on how the retry limit is read, each time into a new numbered notes file"


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
def team(postgres: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    with LoopbackApi() as api:
        there = TeamPlace(tmp_path_factory.mktemp("service"), postgres.url, api.url)
        administrator = there.make_team("red")
        with there.replica() as replica:
            yield Team(replica.address, administrator, api)


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


def test_a_policy_that_is_pushed_tightens_from_the_login_on(team: Team, place: Place) -> None:
    team.admin("PUT", "/v1/policy", {"settings": {"confidence_threshold": 0.95}})
    try:
        assert log_in(place, team, team.token("eve")["token"]).returncode == 0
        assert denial(place.hook("pre-tool-use", place.payload())) is not None, "0.9 is under 0.95"
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
