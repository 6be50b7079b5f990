"""A Messages API that counts exactly, in a process of its own: who asked, what it answered, what that used.

What it answers stands in the question: a target named `case-ID-sNN` is read with score NN/100 and no other target,
so that an answer tells which question it belongs to. `case-ID-sNN-drop` is taken and never answered: the connection
ends. What an answer uses depends on the case.

    with CountedApi(delay=0.4) as api:
        ...  # point the client at api.url
        assert api.counts().answered == 5
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from apis.loopback_api import answer

CASE = re.compile(rb"case-[0-9a-z]+-s(\d\d)(-drop)?")
MODEL = re.compile(rb'"model": ?"([^"]+)"')
LENGTH = re.compile(rb"content-length: *(\d+)", re.I)


def usage(case: str) -> tuple[int, int]:
    """Tokens in and out of one answer to that case."""
    seed = zlib.crc32(case.encode())
    return 900 + seed % 101, 60 + seed % 13


def score(case: str) -> float:
    found = CASE.search(case.encode())
    assert found is not None, case
    return int(found[1]) / 100


@dataclass
class Asked:
    """What one case met: requests taken, those answered, and the longest that one took, in seconds."""

    requests: int = 0
    answered: int = 0
    slowest: float = 0.0


@dataclass
class Counts:
    """`abandoned`: taken, and nobody was there any more for the answer. `seconds`: from each request to its answer."""

    requests: int = 0
    answered: int = 0
    abandoned: int = 0
    seconds: list[float] = field(default_factory=list[float])
    cases: dict[str, Asked] = field(default_factory=dict[str, Asked])


class CountedApi:
    """Started at `with`, ended at its end. `delay` is in seconds, from the whole request to the answer."""

    def __init__(self, delay: float = 0.0) -> None:
        self._delay = delay

    def __enter__(self) -> CountedApi:
        self.process = subprocess.Popen(
            [sys.executable, "-I", __file__, str(self._delay)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)

    def counts(self) -> Counts:
        found = json.loads(self._own("GET", "/counts"))
        found["cases"] = {name: Asked(*given) for name, given in found["cases"].items()}
        return Counts(**found)

    def delayed(self, seconds: float) -> None:
        """From the next request on."""
        self._own("PUT", f"/delay/{seconds}")

    def _own(self, method: str, path: str) -> bytes:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            line.request(method, path)
            return line.getresponse().read()
        finally:
            line.close()


class _Server:
    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.counts = Counts()

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Requests come one after the other; who leaves while one is under way has abandoned it."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = LENGTH.search(head)
                body = await reader.readexactly(int(length[1]) if length else 0)
                method, path, _ = head.split(b" ", 2)
                answer = await self._read(reader, body) if method == b"POST" else self._own(path.decode())
                if answer is None:
                    break
                size = f"Content-Type: application/json\r\nContent-Length: {len(answer)}"
                writer.write(f"HTTP/1.1 200 Scripted\r\n{size}\r\n\r\n".encode() + answer)
        writer.transport.abort()

    def _own(self, path: str) -> bytes:
        """What is asked of the process itself, outside of all counts."""
        if path.startswith("/delay/"):
            self.delay = float(path.rpartition("/")[2])
        cases = {name: (one.requests, one.answered, one.slowest) for name, one in self.counts.cases.items()}
        return json.dumps({**vars(self.counts), "cases": cases}).encode()

    async def _read(self, reader: asyncio.StreamReader, body: bytes) -> bytes | None:
        """None where nobody is to be answered."""
        counts, since, found = self.counts, time.monotonic(), CASE.search(body)
        name = found[0].decode() if found else ""
        asked = counts.cases.setdefault(name, Asked())
        counts.requests += 1
        asked.requests += 1
        leaving = asyncio.ensure_future(reader.read(1))
        if (await asyncio.wait({leaving}, timeout=self.delay))[0]:
            leaving.exception()
            counts.abandoned += 1
            return None
        leaving.cancel()
        await asyncio.wait({leaving})
        if name.endswith("-drop"):
            return None
        model = MODEL.search(body)
        taken, given = usage(name)
        counts.answered += 1
        asked.answered += 1
        counts.seconds.append(time.monotonic() - since)
        asked.slowest = max(asked.slowest, counts.seconds[-1])
        text = answer(score(name), target=name, rationale=f"asked for {name}") if name else answer()
        return json.dumps({
            "id": "msg_counted", "type": "message", "role": "assistant",
            "model": model[1].decode() if model else "", "stop_reason": "end_turn", "stop_sequence": None,
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": taken, "output_tokens": given},
        }).encode()  # fmt: skip


async def _main(delay: float) -> None:
    listening = await asyncio.start_server(_Server(delay).connection, "127.0.0.1", 0, backlog=2048)
    print(listening.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_main(float(sys.argv[1])))
