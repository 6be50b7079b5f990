"""A place for replicas of a team's evaluator, and one replica of it for a file's tests."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from apis.loopback_api import LoopbackApi
from running.team_serving import TeamPlace, TeamProcess, token_from

if TYPE_CHECKING:
    from running.postgres import Cluster


@dataclass
class Team:
    """One team at one replica, with a token of each kind."""

    replica: TeamProcess
    name: str
    admin: str
    evaluate: str
    read: str

    def token(self, person: str, *scopes: str, seconds: float = 3600.0) -> str:
        return token_from(self.replica, self.admin, person, *scopes, seconds=seconds)


@pytest.fixture(scope="module")
def api() -> Iterator[LoopbackApi]:
    with LoopbackApi() as found:
        yield found


@pytest.fixture(scope="module")
def place(postgres: Cluster, api: LoopbackApi, tmp_path_factory: pytest.TempPathFactory) -> TeamPlace:
    return TeamPlace(tmp_path_factory.mktemp("team"), postgres.url, api.url)


@pytest.fixture(scope="module")
def replica(place: TeamPlace) -> Iterator[TeamProcess]:
    with place.replica() as found:
        yield found


def team_at(place: TeamPlace, replica: TeamProcess) -> Team:
    name = f"t-{secrets.token_hex(6)}"
    admin = place.make_team(name)
    made = [token_from(replica, admin, who, who) for who in ("evaluate", "read")]
    return Team(replica, name, admin, *made)


@pytest.fixture(scope="module")
def team(place: TeamPlace, replica: TeamProcess) -> Team:
    return team_at(place, replica)


@pytest.fixture(scope="module")
def other(place: TeamPlace, replica: TeamProcess) -> Team:
    return team_at(place, replica)
