"""Many gates of a team's evaluator as they are on the wire: each a kept connection, all in one loop of this process.

What is asked names its own answer (`apis.counted_api`), so that an answer of another question is seen.
"""

import asyncio
import json
import math
import random
import ssl
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from apis.counted_api import score
from repository import ROOT
from running.team_serving import TeamProcess
from team.running.team import Team

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


def request(name: str, *, session: int = 0, seconds: float = DEADLINE, **changes: Any) -> dict[str, Any]:
    return {
        "evidence": evidence(name), "repository": "0123456789ab", "session": f"{session:032x}",
        "thresholds": None, "blind": 0, "seconds": seconds, "waited": 0.0, **changes,
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
        return all(
            sample["score"] == score(self.name) and sample["reading"]["target"] == self.name
            for sample in found
        )

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
        self._turn = asyncio.Lock()

    async def connect(self) -> None:
        """The connection stands, and the token was shown once."""
        status, _, body = await self._once("GET", "/v1/me")
        assert status == 200, body

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    async def close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line[1].close()
            with suppress(OSError, ssl.SSLError):
                await line[1].wait_closed()

    async def evaluate(self, name: str, **changes: Any) -> Reply:
        """Never raises: what happens is in the reply."""
        asked = request(name, **changes)
        reply = Reply(name, sent=time.monotonic())
        async with self._turn:
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
            found = await _chunks(reader)
        if headers.get("connection", "").lower() == "close":
            await self.close()
        return int(first.split()[1]), headers, found


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    found = b""
    while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
        found += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return found


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
        gate = draw.choice([one for one in gates if not one.is_busy])
        work.append(asyncio.create_task(gate.evaluate(name, session=number % len(gates))))
    return list(await asyncio.gather(*work))


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that at least `share` of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
