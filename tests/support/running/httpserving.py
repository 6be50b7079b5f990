"""The HTTP API for a test: as a process with everything behind it, or in a thread with stand-ins behind it."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from running import forked, hookrun
from running.serving import Serving, serving

from evaluator.service import http_access, tcp
from evaluator.service.api import make_app
from evaluator.service.http_calls import Bodies, JudgeCalls
from evaluator.service.server import HookReply, JudgeCall, Limits, Service

TOKEN = "a-token-of-the-tests-0123456789"


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    port: int,
    method: str,
    path: str,
    body: Any = None,
    *,
    tls: ssl.SSLContext | None = None,
    timeout: float = 60,
    **headers: str,
) -> Answer:
    """One request on a connection of its own; `body` is bytes, an iterator of bytes (chunked) or an object.

    Raises OSError, HTTPException.
    """
    line = (
        http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        if tls is None
        else http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=tls)
    )
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if isinstance(body, (dict, list)):
        body, sent = json.dumps(body).encode(), {"Content-Type": "application/json", **sent}
    try:
        line.request(method, path, body, sent)
        found = line.getresponse()
        return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
    finally:
        line.close()


def raw(port: int, *parts: bytes) -> bytes:
    """What comes back until the other side closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        try:
            for part in parts:
                line.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            pass
        found = b""
        try:
            while part := line.recv(65536):
                found += part
        except ConnectionResetError:
            pass
        return found


@dataclass
class HttpProcess:
    """`compass serve --http` in a place of its own."""

    serving: Serving
    port: int
    token: str

    @property
    def place(self) -> Any:
        return self.serving.place

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        return ask(self.port, method, path, body, **headers)


def start(found: Serving, *words: str) -> HttpProcess:
    """In place of the one that ran there, which has to end by itself."""
    before, env = found.process, found.place.environment()
    found.process = subprocess.Popen(
        forked.command(hookrun.MAIN, env, "serve", "--http", "--port", "0", *words),
        env=env,
        cwd=found.place.project,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert found.process.stdout is not None
    address = re.search(r"http://\S+:(\d+),", found.process.stdout.readline())
    assert address is not None
    assert "process" in found.process.stdout.readline()
    if before is not None:
        before.communicate(timeout=60)
    token = found.place.env.get("COMPASS_HTTP_TOKEN")
    token = token or (found.place.state / "compass" / "http-token").read_text().strip()
    return HttpProcess(found, int(address[1]), token)


@contextmanager
def http_process(root: Path, env: dict[str, str] | None = None) -> Iterator[HttpProcess]:
    with serving(root, env) as found:
        yield start(found)


@dataclass
class HttpThread:
    """The app and the server on a loop in a thread."""

    judge: JudgeCall
    limits: Limits = field(default_factory=Limits)
    bodies: Bodies = field(default_factory=Bodies)
    open_max: int = 1000
    late: HookReply = field(default_factory=HookReply)
    check: Callable[..., Mapping[str, object]] = lambda *_: {}
    said: list[str] = field(default_factory=list[str])

    def __enter__(self) -> HttpThread:
        self._line = tcp.listen("127.0.0.1", 0)
        self.port = int(self._line.getsockname()[1])
        begun = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(begun)))
        self._thread.start()
        assert begun.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self.service.closing.set)
        self._thread.join(30)
        assert not self._thread.is_alive()

    def later(self, seconds: float) -> None:
        """Moves the clock of the server's loop ahead, and returns once what was due by then has run."""
        ran = threading.Event()
        moved, self._loop.time = self._loop.time, lambda: moved() + seconds  # type: ignore[method-assign]
        # The first turn with that clock gathers what is due, and the second one has run it.
        self._loop.call_soon_threadsafe(self._loop.call_soon, self._loop.call_soon, ran.set)
        assert ran.wait(60)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        return ask(self.port, method, path, body, **{"Authorization": f"Bearer {TOKEN}", **headers})

    def head(self, method: str = "POST", path: str = "/v1/hooks/pre-tool-use", *more: str) -> bytes:
        lines = (
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Authorization: Bearer {TOKEN}",
        )
        return "\r\n".join((*lines, *more, "", "")).encode()

    async def _run(self, begun: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self.service = Service(
            ("0", "/"), self.judge, lambda _, payload, __: payload == b"silent", self.limits
        )
        calls = JudgeCalls(
            frozenset({"pre-tool-use"}),
            b"",
            lambda *_: self.late,
            self.check,
            self.said.append,
        )
        rules = replace(http_access.rules(TOKEN, "127.0.0.1", self.port), open_max=self.open_max)
        async with tcp.serving(make_app(self.service, calls, rules, "0", self.bodies), self._line):
            begun.set()
            await self.service.closing.wait()
            await self.service.drain(5)
