"""The page of the service in a browser, as an ASGI app: its document, its parts, links, and checks as they happen.

Nothing here changes a verdict or a setting. What is shown is asked of `Pages`, in worker threads. A page of another
origin can send requests here; it can forge neither Host nor Origin nor Sec-Fetch-Site.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast
from urllib.parse import parse_qsl

from evaluator.errors import CompassError
from evaluator.service.credentials import Grants
from evaluator.service.http_access import LOOPBACK_NAMES, AsgiScope, Receive, Send, is_strange
from evaluator.service.http_calls import Bodies, BodyError, hung_up
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
LINK, STREAM = f"{OURS}link", f"{OURS}stream"
STATIC, VIEW = f"{OURS}static/", f"{OURS}view/"
BODY_BYTES_MAX = 4096
OPEN_MAX = 64
FIELDS_MAX = 20
STREAMS_MAX = 16
POLL_SECONDS = 0.7
FAULT_SECONDS = 5.0
BEAT_SECONDS = 15.0

S_contra = TypeVar("S_contra", contravariant=True)
S = TypeVar("S")


def is_page(path: str) -> bool:
    return path == DOCUMENT or path.startswith(OURS)


def refusal(method: str, path: str, headers: Mapping[str, str], port: int) -> tuple[int, str] | None:
    """Why a request for the page is not taken, None where it is. `headers` by names in lower case.

    The document itself says nothing, and may be asked for from anywhere: a terminal or a mail opens it.
    """
    host = headers.get("host", "").lower()
    if host not in {f"{name}:{port}" for name in LOOPBACK_NAMES}:
        return 421, "this Host is not one that the page answers to"
    if method not in ("GET", "POST"):
        return 405, "the page can only be read, and its link exchanged; nothing else is allowed"
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return 403, "requests of other pages are refused"
    if method == "POST" and origin is None:
        return 403, "no Origin: only the page itself may send this"
    if path != DOCUMENT and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return 403, "requests of other pages are refused"
    if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return 400, "the body must be application/json"
    return None


@dataclass(frozen=True, slots=True)
class News:
    """What came since: (kind of event, HTML) each, and the mark to go on from."""

    events: tuple[tuple[str, str], ...]
    mark: str


class Pages(Protocol[S_contra]):
    """What the page shows. All but `document` and `static` run in worker threads and may raise CompassError."""

    def document(self) -> bytes:
        """The HTML that every visitor is given: it holds no data."""
        ...

    def static(self, name: str) -> tuple[str, bytes] | None:
        """(media type, content) of a file of the page; None where there is none of that name."""
        ...

    def view(self, scope: S_contra, name: str, given: Mapping[str, str]) -> str | None:
        """One part of the page as HTML; None where there is none of that name."""
        ...

    def news(self, scope: S_contra, given: Mapping[str, str], mark: str) -> News:
        """What happened on the page since `mark`, which is what the view or the last answer named."""
        ...


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


class PageApp(Generic[S]):
    """One listener's page; `grants` may be shared by several. `port` is the listener's own."""

    def __init__(self, pages: Pages[S], grants: Grants[S], service: Service, port: int) -> None:
        self._pages, self._grants, self._service, self._port = pages, grants, service, port
        self._bodies = Bodies()
        self._open = self._streams = 0

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
                await _refuse(call.send, 405 if is_page(call.path) else 404, "nothing is sent there")
        elif call.path == DOCUMENT:
            await _whole(call.send, 200, "text/html; charset=utf-8", self._pages.document())
        elif call.path.startswith(STATIC):
            found = self._pages.static(call.path.removeprefix(STATIC))
            await (_whole(call.send, 200, *found) if found else _refuse(call.send, 404, "no such file"))
        else:
            await self._shown(call)

    async def _shown(self, call: _Call) -> None:
        scope = self._grants.scope_of(_bearer(call.headers))
        if scope is None:
            await _refuse(call.send, 401, "this page's link has expired; `compass ui` gives a new one")
            return
        self._service.last_used = time.monotonic()
        if call.path == STREAM:
            await self._stream(call, scope)
        elif call.path.startswith(VIEW):
            name = call.path.removeprefix(VIEW)
            html = await asyncio.to_thread(self._pages.view, scope, name, call.given)
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

    async def _stream(self, call: _Call, scope: S) -> None:
        """Server-sent events, until the page leaves, its token is over, or the service ends."""
        if self._streams >= STREAMS_MAX:
            await _refuse(call.send, 503, "too many pages are open")
            return
        self._streams += 1
        gone = asyncio.create_task(hung_up(call.receive))
        try:
            await _begin(call.send, 200, "text/event-stream; charset=utf-8")
            await self._tell(call, scope, gone)
        finally:
            gone.cancel()
            self._streams -= 1

    async def _tell(self, call: _Call, scope: S, gone: asyncio.Task[None]) -> None:
        mark, beat = call.given.get("after", ""), time.monotonic()
        closing = asyncio.create_task(self._service.closing.wait())
        try:
            while not gone.done() and not closing.done():
                self._service.last_used = time.monotonic()
                if self._grants.scope_of(_bearer(call.headers)) is None:
                    break
                pause = POLL_SECONDS
                try:
                    news = await asyncio.to_thread(self._pages.news, scope, call.given, mark)
                except CompassError as error:
                    news, pause = News((("fault", str(error)),), mark), FAULT_SECONDS
                for kind, html in news.events:
                    await _part(call.send, _event(kind, html, news.mark))
                mark = news.mark
                if time.monotonic() - beat >= BEAT_SECONDS:
                    beat = time.monotonic()
                    await _part(call.send, b": here\n\n")
                await asyncio.wait((gone, closing), timeout=pause, return_when="FIRST_COMPLETED")
            if not gone.done():
                await _part(call.send, _event("end", "closing" if closing.done() else "over", mark))
                await call.send({"type": "http.response.body", "body": b""})
        finally:
            closing.cancel()


def _bearer(headers: Mapping[str, str]) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _event(kind: str, html: str, mark: str) -> bytes:
    lines = "".join(f"data: {line}\n" for line in html.splitlines() or [""])
    return f"event: {kind}\nid: {mark}\n{lines}\n".encode("utf-8", "replace")


async def _begin(send: Send, status: int, media: str, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    headers = [(b"content-type", media.encode()), *HEADERS, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _part(send: Callable[[MutableMapping[str, Any]], Awaitable[None]], body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


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
