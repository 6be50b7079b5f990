"""All of a team's evaluator on loopback: PostgreSQL, a counted model, replicas, HAProxy, a team with people in it."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import struct
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apis.counted_api import CountedApi
from running.haproxy import HAProxy
from running.httpserving import Answer, ask
from running.postgres import Cluster
from running.team_serving import TeamPlace, TeamProcess

CHUNK = 65536


class FaultProxy:
    """A TCP forwarder on loopback, on a loop in a thread of its own, started at `with` and ended at its end. `cut` ends
    every connection and resets new ones, until `heal`; each order holds when the method returns."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> FaultProxy:
        self._thread.start()
        self._server: asyncio.Server = self._do(asyncio.start_server(self._connection, "127.0.0.1", 0))
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    def cut(self) -> None:
        self._do(self._turn(is_cut=True))

    def heal(self) -> None:
        self._do(self._turn(is_cut=False))

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _turn(self, *, is_cut: bool) -> None:
        self._is_cut = is_cut
        for writer in list(self._open) if is_cut else ():
            _reset(writer)

    async def _end(self) -> None:
        """What still waits for its other side ends, too."""
        self._server.close()
        await self._turn(is_cut=True)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_writer: asyncio.StreamWriter | None = None
        with suppress(OSError):
            if not self._is_cut:
                there, there_writer = await asyncio.open_connection(*self._target)
        if there_writer is None:
            _reset(writer)
            return
        both = {writer, there_writer}
        self._open |= both
        await asyncio.gather(self._pass(reader, there_writer), self._pass(there, writer))
        self._open -= both

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                writer.write(data)
                await writer.drain()
        writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Closed with a zero linger, a connection ends in a reset, at once."""
    line = writer.get_extra_info("socket")
    with suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


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
    """All of it, ready. `delay`: of the model's answers, in seconds. Where it is `cuttable` replicas reach PostgreSQL
    through `database`, a forwarder, which takes time at each message."""
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
