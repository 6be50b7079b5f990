"""Who may ask over HTTP at all: the rules, and the wrapper that applies them before anything is read.

Against DNS rebinding a page in a browser must not reach a service under a name of its own, so the Host header must be
one that the service is bound to, and a request with an Origin is a browser's. Neither replaces the token. And where the
kernel tells whose process is at the other end of a loopback connection, that counts, too.
"""

from __future__ import annotations

import ipaddress
import json
import os
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluator.service import credentials

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
AsgiScope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[AsgiScope, Receive, Send], Awaitable[None]]

OPEN_PATH = "/healthz"
"""The one path without a token: it tells nothing but that something is there."""
OPEN_MAX = 2048
UNAUTHORIZED = 401
REALM = 'Bearer realm="compass"'
AMBIGUOUS = "the request has both Content-Length and Transfer-Encoding, or more than one Authorization header"
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
LISTENING = "0A"
ESTABLISHED = "01"
ROOT = 0
"""May read this process anyway, and relays ports into some virtual machines."""


@dataclass(frozen=True, slots=True)
class AccessRules:
    """`hosts` are Host headers, port included; `any_address` also takes every literal address with `port`."""

    token: bytes
    hosts: frozenset[bytes]
    port: int
    any_address: bool = False
    open_max: int = OPEN_MAX

    def knows(self, host: bytes | None) -> bool:
        if host is None:
            return False
        if host.lower() in self.hosts:
            return True
        # Rebinding needs a name: a literal address in the Host header was typed, not resolved.
        text, _, given = host.decode("latin-1").rpartition(":")
        try:
            ipaddress.ip_address(text.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return self.any_address and given == str(self.port)


def rules(token: str, host: str, port: int) -> AccessRules:
    """The rules of access over HTTP. `host` is what the service is bound to, without brackets."""
    literal = f"[{host}]" if ":" in host else host.lower()
    names = (*LOOPBACK_NAMES, literal)
    # A client leaves the port of the scheme away.
    hosts = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set[str]())
    wild = host in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
    return AccessRules(token.encode(), frozenset(name.encode() for name in hosts), port, wild)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def address_of(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def exposure(host: str) -> str:
    """What to warn of where `host` is not this machine's alone; empty where it is."""
    if is_loopback(host):
        return ""
    return (
        f"warning: {host} is reachable from other machines, and the traffic is not encrypted: prompts, paths and the "
        "token can be read in transit"
    )


@dataclass(slots=True)
class HttpGuard:
    """An ASGI app around another: refuses what the rules do not let in, and `note`s (path, status, seconds) of each.
    `open` is how many requests are inside."""

    app: App
    rules: AccessRules
    is_closing: Callable[[], bool]
    note: Callable[[str, int, float], None]
    open: int = field(default=0)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began, status = time.perf_counter(), 0

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self.open += 1
        try:
            refusal = self._http_access_refusal(scope)
            if refusal is None:
                await self.app(scope, receive, noted)
            else:
                await refuse(noted, *refusal)
        finally:
            self.open -= 1
            self.note(scope["path"], status, time.perf_counter() - began)

    def _http_access_refusal(self, scope: AsgiScope) -> tuple[int, str] | None:
        if ambiguous(scope):
            return 400, AMBIGUOUS
        headers = dict(scope["headers"])
        if not self.rules.knows(headers.get(b"host")):
            return 421, "the service does not answer requests for this Host"
        if b"origin" in headers:
            return 403, "requests from web pages are refused"
        if scope["path"] == OPEN_PATH:
            return None
        if not credentials.bears(headers.get(b"authorization"), self.rules.token):
            place = f"{credentials.TOKEN_VARIABLE}, or in the file {credentials.FILE}"
            return 401, f"no valid bearer token: send the one in {place}"
        if self.is_closing():
            return 503, "the service is shutting down"
        if self.open > self.rules.open_max:
            return 503, "too many requests at once; try again"
        return None


def ambiguous(scope: AsgiScope) -> bool:
    """Whether a proxy may read the head in another way: where the body ends (RFC 9112, 6.1), or whose token counts."""
    names = [name for name, _ in scope["headers"]]
    return names.count(b"authorization") > 1 or {b"content-length", b"transfer-encoding"} <= {*names}


async def refuse(send: Send, status: int, cause: str) -> None:
    """The whole HTTP answer of a refusal. The connection is closed where a body may stand unread behind it."""
    body = json.dumps({"error": cause}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    headers.append((b"connection", b"close"))
    if status == UNAUTHORIZED:
        headers.append((b"www-authenticate", REALM.encode()))
    if status == 503:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def is_strange(client_port: int, own_port: int, tables: Sequence[str] = TABLES) -> bool:
    """Whether another user's process holds the client's end of a loopback connection.

    A link of the page is handed to the browser on its command line, which other users of the machine can read. So it
    counts only from a process of this user. False where the system does not tell at all.
    """
    rows = _read_tcp_socket_rows(tables)
    # Another user may hold the same port of another loopback address: one stranger among them is enough.
    held = [
        owner
        for state, local, remote, owner in rows
        if state == ESTABLISHED and (local, remote) == (client_port, own_port)
    ]
    if held:
        return any(owner not in (os.getuid(), ROOT) for owner in held)
    return any(state == LISTENING and local == own_port for state, local, _, _ in rows)


def _read_tcp_socket_rows(tables: Sequence[str]) -> list[tuple[str, int, int, int]]:
    """(state, local port, remote port, user) of every TCP socket of this network; none where nothing is told."""
    found: list[tuple[str, int, int, int]] = []
    for path in tables:
        try:
            with open(path, encoding="ascii", errors="replace") as file:
                lines = file.readlines()[1:]
        except OSError:
            continue
        for line in lines:
            cells = line.split()
            try:
                local, remote = (int(cells[at].rpartition(":")[2], 16) for at in (1, 2))
                found.append((cells[3], local, remote, int(cells[7])))
            except (IndexError, ValueError):
                continue
    return found
