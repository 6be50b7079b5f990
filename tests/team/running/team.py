"""All of a team's evaluator on loopback: PostgreSQL, a counted model, replicas, HAProxy, a team with people in it."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apis.counted_api import CountedApi
from running.haproxy import HAProxy
from running.httpserving import Answer, ask
from running.postgres import Cluster
from running.team_serving import TeamPlace, TeamProcess
from team.running.faultproxy import FaultProxy

TEAM = "tools"


def place_of(home: Path, database_url: str, api_url: str) -> TeamPlace:
    """Its readers have time, whatever else the machine does."""
    home.mkdir(parents=True)
    patient = {"COMPASS_EVALUATOR__SAMPLE_TIMEOUT_SECONDS": "8"}
    return TeamPlace(home, database_url, api_url, patient, forked=False)


@dataclass
class Team:
    """`admin` and `reader` are tokens of their scopes, `tokens` those of people's gates."""

    folder: Path
    cluster: Cluster
    database: FaultProxy | None
    api: CountedApi
    replicas: list[TeamProcess]
    proxy: HAProxy
    admin: str
    reader: str = ""
    tokens: list[str] = field(default_factory=list[str])

    @property
    def port(self) -> int:
        return self.proxy.port

    @property
    def tls(self) -> ssl.SSLContext | None:
        """What trusts HAProxy's certificate and nothing else; None where it speaks plain HTTP."""
        found = self.proxy.certificate
        return None if found is None else ssl.create_default_context(cafile=str(found))

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> Answer:
        """Through HAProxy, as the administrator unless a token is given."""
        bearer = f"Bearer {self.admin if token is None else token}"
        return ask(self.port, method, path, body, tls=self.tls, Authorization=bearer)

    def make_token(self, person: str, *scopes: str) -> str:
        made = self.ask("POST", "/v1/tokens", {"person": person, "scopes": scopes or ["evaluate"]})
        assert made.status in (200, 201), made
        return str(made.json["token"])

    def people(self, count: int) -> None:
        """That many more, each with a token for a gate."""
        self.tokens += [self.make_token(f"person-{number:03d}") for number in range(count)]

    def set(self, **changes: object) -> None:
        """Of the team's settings, each replica's copy of which is renewed at once."""
        given = {**self.ask("GET", "/v1/settings").json, **changes}
        answer = self.ask("PUT", "/v1/settings", given)
        assert answer.status == 200, answer

    def evaluations(self) -> list[dict[str, Any]]:
        """What is kept, oldest first."""
        found = self.ask("GET", "/v1/evaluations", token=self.reader)
        assert found.status == 200, found
        return [json.loads(line) for line in found.body.splitlines()]

    def spent(self) -> tuple[float, int]:
        """(USD, samples) of the whole team today, as the service tells it."""
        found = self.ask("GET", "/v1/spend", token=self.reader).json
        row = next((one for one in found["spent"] if not one["person"]), {"usd": 0.0, "samples": 0})
        return float(row["usd"]), int(row["samples"])


@contextmanager
def team(
    folder: Path,
    *,
    count: int = 3,
    delay: float = 0.4,
    people: int = 20,
    tls: bool = False,
    cuttable: bool = False,
) -> Iterator[Team]:
    """All of it, ready. `delay`: of the model's answers, in seconds.

    Where it is `cuttable` replicas reach PostgreSQL through `database`, a forwarder, which takes time at each message.
    """
    with ExitStack() as stack:
        cluster = stack.enter_context(Cluster())
        url, database = cluster.url, None
        if cuttable:
            database = stack.enter_context(FaultProxy("127.0.0.1", cluster.port))
            url = url.replace(f":{cluster.port}/", f":{database.port}/")
        api = stack.enter_context(CountedApi(delay))
        place = place_of(folder / "home", url, api.url)
        admin = place.make_team(TEAM)
        several = [TeamProcess(place) for _ in range(count)]
        for one in several:
            stack.callback(one.end)
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(TeamProcess.start, several))
        proxy = stack.enter_context(HAProxy(folder / "proxy", [one.port for one in several], tls))
        made = Team(folder, cluster, database, api, several, proxy, admin)
        made.reader = made.make_token("auditor", "read")
        made.people(people)
        yield made
