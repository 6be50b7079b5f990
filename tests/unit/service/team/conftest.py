"""A place for replicas of a team's evaluator, and one replica of it for a file's tests."""

import secrets
from dataclasses import dataclass

import pytest
from apis.loopback_api import LoopbackApi
from running.team_serving import TeamPlace, TeamProcess, token_from


@dataclass
class Team:
    """One team at one replica, with a token of each kind."""

    replica: TeamProcess
    name: str
    admin: str
    evaluate: str
    read: str

    def token(self, person, *scopes, seconds=3600.0):
        return token_from(self.replica, self.admin, person, *scopes, seconds=seconds)


@pytest.fixture(scope="module")
def api():
    with LoopbackApi() as found:
        yield found


@pytest.fixture(scope="module")
def place(postgres, api, tmp_path_factory):
    return TeamPlace(tmp_path_factory.mktemp("team"), postgres.url, api.url)


@pytest.fixture(scope="module")
def replica(place):
    with place.replica() as found:
        yield found


def team_at(place, replica):
    name = f"t-{secrets.token_hex(6)}"
    admin = place.make_team(name)
    made = [token_from(replica, admin, who, who) for who in ("evaluate", "read")]
    return Team(replica, name, admin, *made)


@pytest.fixture(scope="module")
def team(place, replica):
    return team_at(place, replica)


@pytest.fixture(scope="module")
def other(place, replica):
    return team_at(place, replica)
