"""All of a team's evaluator on loopback: PostgreSQL, a counted model, replicas, HAProxy, a team with people in it; and
many gates of it as they are on the wire: each a kept connection, all in one loop of this process.

What is asked names its own answer (`apis.counted_api`), so that an answer of another question is seen.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import ssl
import struct
import threading
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apis.counted_api import CountedApi, score
from repository import ROOT
from running.haproxy import HAProxy
from running.httpserving import Answer, ask
from running.postgres import Cluster
from running.team_serving import TeamPlace, TeamProcess


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
            while data := await reader.read(65536):
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
        answer = self.ask("PUT", "/v1/settings", {**self.ask("GET", "/v1/settings").json, **changes})
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
def team(folder, *, count=3, delay=0.4, people=20, tls=False, cuttable=False) -> Iterator[Team]:
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


WORDS = (ROOT / "docs/method.md").read_text(encoding="utf-8").split()
PRIOR_WORDS, REQUEST_WORDS = 120, 20
DEADLINE = 20.0


def case(number: int, *, run: str = "", drop: bool = False) -> str:
    """The name of a question; of one `run` each number is another question."""
    return f"case-{run}{number:05d}-s90{'-drop' if drop else ''}"


def evidence(name: str, **changes: Any) -> dict[str, Any]:
    """Of the size that an edit's has, about that case: words that no other case has in this order."""
    draw = random.Random(name)
    return {
        "tool_name": "Edit", "operation": "edit", "operation_class": "modifying", "targets": [f"src/{name}.py"],
        "current_request": " ".join(draw.choices(WORDS, k=REQUEST_WORDS)),
        "prior_assistant_turn": " ".join(draw.choices(WORDS, k=PRIOR_WORDS)), "lines": 12, "added": 5, "removed": 3,
        "turn_so_far": ["src/client.py", "src/limits.py"], "symbols": ["RETRY_LIMIT", "attempts"],
        **changes,
    }  # fmt: skip


@dataclass
class Reply:
    """`status` 0: no answer came within the deadline. `again`: why it was asked a second time."""

    name: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    sent: float = 0.0
    took: float = 0.0
    again: str = ""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        """Why it was refused; nothing for an evaluation."""
        if self.status == 200:
            return ""
        if not self.status:
            return "lost"
        is_json = self.headers.get("content-type", "").startswith("application/json")
        return str(self.json["kind"]) if is_json else f"proxy's {self.status}"

    def right(self) -> bool:
        """Whether each valid sample is of the reader that this question has, and of no other one."""
        found = [sample for sample in self.json["samples"] if sample["error"] is None]
        told = {(sample["score"], sample["reading"]["target"]) for sample in found}
        return told <= {(score(self.name), self.name)}

    def valid(self) -> int:
        return sum(sample["error"] is None for sample in self.json["samples"])


AGAIN = ("lost", "closing", "overloaded", "proxy's 502", "proxy's 503")
"""What a gate asks once more after, as `evaluator.readers.team.transport` does."""


class Gate:
    """One laptop, on one kept connection. `repeats`: whether it asks once more where another replica may answer."""

    def __init__(self, here: Team | TeamProcess, token: str, *, repeats: bool = True) -> None:
        self._port = here.port
        self._token = token
        self._tls = here.tls if isinstance(here, Team) else None
        self._repeats = repeats
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.turn = asyncio.Lock()

    async def connect(self) -> None:
        """The connection stands, and the token was shown once."""
        status, _, body = await self._once("GET", "/v1/me")
        assert status == 200, body

    async def close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line[1].close()
            with suppress(OSError, ssl.SSLError):
                await line[1].wait_closed()

    async def evaluate(
        self, name: str, *, session: int = 0, seconds: float = DEADLINE, **changes: Any
    ) -> Reply:
        """Never raises: what happens is in the reply."""
        asked = {
            "evidence": evidence(name), "repository": "0123456789ab", "session": f"{session:032x}",
            "thresholds": None, "blind": 0, "seconds": seconds, "waited": 0.0, **changes,
        }  # fmt: skip
        reply = Reply(name, sent=time.monotonic())
        async with self.turn:
            for last in (not self._repeats, True):
                await self._ask(reply, asked)
                if last or reply.kind not in AGAIN:
                    break
                reply.again = reply.kind
                closes = reply.kind in ("lost", "closing")
                await asyncio.sleep(0.25 if closes else float(reply.headers.get("retry-after", 0.25)))
        reply.took = time.monotonic() - reply.sent
        return reply

    async def _ask(self, reply: Reply, asked: Mapping[str, Any]) -> None:
        waited = time.monotonic() - reply.sent
        left = float(asked["seconds"]) - waited
        raw = json.dumps({**asked, "waited": waited, "seconds": max(left, 0.0)}).encode()
        try:
            async with asyncio.timeout(max(left, 0.0)):
                reply.status, reply.headers, reply.body = await self._once("POST", "/v1/evaluations", raw)
        except (OSError, EOFError, TimeoutError):
            reply.status = 0
            await self.close()

    async def _once(self, method: str, path: str, body: bytes = b"") -> tuple[int, Mapping[str, str], bytes]:
        if self._line is not None and self._line[0].at_eof():
            await self.close()  # the other side ended what was idle
        if self._line is None:
            self._line = await asyncio.open_connection("127.0.0.1", self._port, ssl=self._tls)
        reader, writer = self._line
        head = (
            f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}", f"Authorization: Bearer {self._token}",
            "Content-Type: application/json", f"Content-Length: {len(body)}", "", "",
        )  # fmt: skip
        writer.write("\r\n".join(head).encode() + body)
        await writer.drain()
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if "content-length" in headers:
            found = await reader.readexactly(int(headers["content-length"]))
        else:
            found = b""
            while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
                found += await reader.readexactly(size)
                await reader.readexactly(2)
            await reader.readuntil(b"\r\n")
        if headers.get("connection", "").lower() == "close":
            await self.close()
        return int(first.split()[1]), headers, found


@asynccontextmanager
async def connected(here: Team, count: int, *, repeats: bool = True) -> AsyncIterator[list[Gate]]:
    """`count` gates whose connections stand, their tokens in turn."""
    tokens = here.tokens
    gates = [Gate(here, tokens[number % len(tokens)], repeats=repeats) for number in range(count)]
    try:
        for part in range(0, count, 10):
            await asyncio.gather(*(gate.connect() for gate in gates[part : part + 10]))
        yield gates
    finally:
        await asyncio.gather(*(gate.close() for gate in gates))


def evaluated(here: Team | TeamProcess, token: str, name: str, **changes: Any) -> Reply:
    """One question of a gate that asks nothing else."""

    async def play() -> Reply:
        gate = Gate(here, token)
        try:
            return await gate.evaluate(name, **changes)
        finally:
            await gate.close()

    return asyncio.run(play())


async def poisson(
    gates: Sequence[Gate], rate: float, seconds: float, *, run: str, seed: int = 7
) -> list[Reply]:
    """Arrivals at `rate` a second in all, each at a gate drawn at random; all replies, in the order of arrival."""
    draw, begun, due = random.Random(seed), time.monotonic(), 0.0
    work: list[asyncio.Task[Reply]] = []
    while True:
        due += draw.expovariate(rate)
        if due > seconds:
            break
        await asyncio.sleep(max(0.0, begun + due - time.monotonic()))
        number = len(work)
        name = case(number, run=run)
        # A laptop that waits for an answer asks its next question on another connection.
        gate = draw.choice([one for one in gates if not one.turn.locked()])
        work.append(asyncio.create_task(gate.evaluate(name, session=number % len(gates))))
    return list(await asyncio.gather(*work))
