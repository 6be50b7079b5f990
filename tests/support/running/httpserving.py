"""The HTTP API for a test, as a process with everything behind it."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from running.serving import Serving, serving


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
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    if tls is not None:
        line = http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=tls)
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
        with suppress(BrokenPipeError, ConnectionResetError):
            for part in parts:
                line.sendall(part)
        found = b""
        with suppress(ConnectionResetError):
            while part := line.recv(65536):
                found += part
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
    before = found.process
    address = re.search(r"http://\S+:(\d+),", found.start("--http", "--port", "0", *words))
    assert address is not None
    if before is not None:
        before.communicate(timeout=60)
    token = found.place.env.get("COMPASS_HTTP_TOKEN")
    token = token or (found.place.state / "compass" / "http-token").read_text().strip()
    return HttpProcess(found, int(address[1]), token)


@contextmanager
def http_process(root: Path, env: dict[str, str] | None = None) -> Iterator[HttpProcess]:
    with serving(root, env) as found:
        yield start(found)
