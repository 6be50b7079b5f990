"""The page of the service in a browser, as an ASGI app: its document, its views and links.

Nothing here changes a verdict or a setting. Views are made in worker threads. A page of another
origin can send requests here; it can forge neither Host nor Origin nor Sec-Fetch-Site.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import parse_qsl

from compass.page import PageScope, views
from evaluator.errors import CompassError
from evaluator.service.credentials import Grants
from evaluator.service.http_access import LOOPBACK_NAMES, AsgiScope, Receive, Send, is_strange
from evaluator.service.http_calls import Bodies, BodyError
from evaluator.service.server import Service

POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
    "frame-src 'none'; worker-src 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), clipboard-read=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
)
DOCUMENT = "/"
OURS = "/page/"
"""Below it lies everything else of the page."""
LINK, STATIC, VIEW = f"{OURS}link", f"{OURS}static/", f"{OURS}view/"
STATIC_FILES = Path(__file__).with_name("static")
FILES = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
BODY_BYTES_MAX = 4096
OPEN_MAX = 64
FIELDS_MAX = 20


def is_page(path: str) -> bool:
    return path == DOCUMENT or path.startswith(OURS)


def refusal(method: str, path: str, headers: Mapping[str, str], port: int) -> tuple[int, str] | None:
    """Why a request for the page is not taken, None where it is. `headers` by names in lower case.

    The document itself says nothing, and may be asked for from anywhere: a terminal or a mail opens it.
    """
    host = headers.get("host", "").lower()
    if host not in {f"{name}:{port}" for name in LOOPBACK_NAMES}:
        return 421, "the page does not answer to this Host"
    if method not in ("GET", "POST"):
        return 405, "the page can only be read and its link exchanged, nothing else"
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return 403, "requests from other pages are refused"
    if method == "POST" and origin is None:
        return 403, "no Origin: only the page itself may send this"
    if path != DOCUMENT and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return 403, "requests from other pages are refused"
    if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return 400, "the body must be application/json"
    return None


@dataclass(frozen=True, slots=True)
class _Call:
    """A request that the rules let in. `headers` by names in lower case."""

    method: str
    path: str
    given: Mapping[str, str]
    headers: Mapping[str, str]
    client_port: int
    receive: Receive
    send: Send


class PageApp:
    """A service's page. `port` is that of its listener."""

    def __init__(self, grants: Grants[PageScope], service: Service, port: int) -> None:
        self._grants, self._service, self._port = grants, service, port
        self._bodies = Bodies()
        self._open = 0

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        method, path = scope["method"], scope["path"]
        refused = refusal(method, path, headers, self._port)
        if refused is None and (self._open >= OPEN_MAX or self._service.closing.is_set()):
            refused = 503, "too many requests at once, or the service is shutting down"
        given: dict[str, str] = {}
        if refused is None:
            try:
                given = dict(parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=FIELDS_MAX))
            except ValueError:
                refused = 400, "too many fields"
        if refused is not None:
            await _refuse(send, *refused)
            return
        call = _Call(method, path, given, headers, (scope.get("client") or ("", 0))[1], receive, send)
        self._open += 1
        try:
            await self._answer(call)
        except BodyError as error:
            await _refuse(send, error.status, error.cause)
        except CompassError as error:
            await _refuse(send, 409, str(error))
        finally:
            self._open -= 1

    async def _answer(self, call: _Call) -> None:
        if call.method == "POST":
            if call.path == LINK:
                await self._exchange(call)
            else:
                await _refuse(call.send, 405 if is_page(call.path) else 404, "nothing can be sent there")
        elif call.path == DOCUMENT:
            await _whole(
                call.send, 200, "text/html; charset=utf-8", (STATIC_FILES / "page.html").read_bytes()
            )
        elif call.path.startswith(STATIC):
            name = call.path.removeprefix(STATIC)
            if name in FILES:
                await _whole(call.send, 200, FILES[name], (STATIC_FILES / name).read_bytes())
            else:
                await _refuse(call.send, 404, "no such file")
        else:
            await self._shown(call)

    async def _shown(self, call: _Call) -> None:
        scope = self._grants.scope_of(_bearer(call.headers))
        if scope is None:
            await _refuse(call.send, 401, "this page's link has expired; `compass ui` gives a new one")
            return
        self._service.last_used = time.monotonic()
        if call.path.startswith(VIEW):
            name = call.path.removeprefix(VIEW)
            html = await asyncio.to_thread(views.view, scope, name, call.given)
            await (_html(call.send, html) if html is not None else _refuse(call.send, 404, "no such part"))
        else:
            await _refuse(call.send, 404, "no such part")

    async def _exchange(self, call: _Call) -> None:
        # First: what another user sends is not even waited for.
        if await asyncio.to_thread(is_strange, call.client_port, self._port):
            await _refuse(call.send, 403, "this link is another user's")
            return
        body = await self._body(call)
        token = self._grants.exchange(str(body.get("secret", "")))
        if token is None:
            await _refuse(
                call.send, 401, "this link has been used or has expired; `compass ui` gives a new one"
            )
            return
        self._service.last_used = time.monotonic()
        await _whole(call.send, 200, "application/json", json.dumps({"token": token}).encode())

    async def _body(self, call: _Call) -> Mapping[str, object]:
        raw = await self._bodies.read(call.receive, call.headers.get("content-length"), BODY_BYTES_MAX)
        self._bodies.release(len(raw))
        try:
            found: object = json.loads(raw)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise BodyError(400, "the body must be a JSON object")
        return cast(Mapping[str, object], found)


def _bearer(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _begin(send: Send, status: int, media: str, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    headers = [(b"content-type", media.encode()), *HEADERS, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _whole(send: Send, status: int, media: str, body: bytes) -> None:
    await _begin(send, status, media, ((b"content-length", b"%d" % len(body)),))
    await send({"type": "http.response.body", "body": body})


async def _html(send: Send, html: str) -> None:
    await _whole(send, 200, "text/html; charset=utf-8", html.encode("utf-8", "replace"))


async def _refuse(send: Send, status: int, cause: str) -> None:
    """The connection is closed: a body may stand unread behind it."""
    body = json.dumps({"error": cause}).encode()
    more = [(b"content-length", b"%d" % len(body)), (b"connection", b"close")]
    if status == 401:
        more.append((b"www-authenticate", b'Bearer realm="compass-page"'))
    await _begin(send, status, "application/json", tuple(more))
    await send({"type": "http.response.body", "body": body})
