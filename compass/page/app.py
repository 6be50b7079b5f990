"""The page of the service in a browser, as an ASGI app: its document, its views and links.

Nothing here changes a verdict or a setting. Views are made in worker threads. A page of another
origin can send requests here; it can forge neither Host nor Origin nor Sec-Fetch-Site.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

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
HEADERS = {
    "content-security-policy": POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), clipboard-read=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
DOCUMENT = "/"
OURS = "/page/"
"""Below it lies everything else of the page."""
LINK, STATIC, VIEW = f"{OURS}link", f"{OURS}static/", f"{OURS}view/"
STATIC_FILES = Path(__file__).with_name("static")
HTML = "text/html"
FILES = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}
BODY_BYTES_MAX = 4096
OPEN_MAX = 64


def refusal(method: str, path: str, headers: Mapping[str, str], port: int) -> tuple[int, str] | None:
    """Why a request for the page is not taken, None where it is. `headers` by names in lower case. The document itself
    says nothing, and may be asked for from anywhere: a terminal or a mail opens it."""
    host = headers.get("host", "").lower()
    if host not in {f"{name}:{port}" for name in LOOPBACK_NAMES}:
        return 421, "the page does not answer requests for this Host"
    if method not in ("GET", "POST"):
        return 405, "the page allows only GET, and POST only to exchange its link for a token"
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        return 403, "requests from other pages are refused"
    if method == "POST" and origin is None:
        return 403, "no Origin header: only the page itself may send this"
    if path != DOCUMENT and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return 403, "requests from other pages are refused"
    if method == "POST" and headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return 400, "the body must be application/json"
    return None


class PageApp:
    """A service's page. `port` is that of its listener."""

    def __init__(self, grants: Grants[PageScope], service: Service, port: int) -> None:
        self._grants, self._service, self._port = grants, service, port
        self._bodies = Bodies()
        self._open = 0

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        self._open += 1
        try:
            try:
                answer = await self._handle_page_request(Request(scope, receive))
            except HTTPException as error:
                answer = _page_error_response(error.status_code, error.detail)
            except BodyError as error:
                answer = _page_error_response(error.status, error.cause)
            except CompassError as error:
                answer = _page_error_response(409, str(error))
            await answer(scope, receive, send)
        finally:
            self._open -= 1

    async def _handle_page_request(self, request: Request) -> Response:
        """Raises HTTPException, BodyError and CompassError for what is not answered."""
        method, path = request.method, request.scope["path"]
        refused = refusal(method, path, request.headers, self._port)
        if refused is not None:
            raise HTTPException(*refused)
        if self._open > OPEN_MAX or self._service.closing.is_set():
            raise HTTPException(503, "too many requests at once, or the service is shutting down")
        if method == "POST":
            if path != LINK:
                is_page = path == DOCUMENT or path.startswith(OURS)
                raise HTTPException(405 if is_page else 404, "this address does not accept POST")
            return await self._exchange_page_link(request)
        if path == DOCUMENT:
            return _page_response((STATIC_FILES / "page.html").read_bytes(), HTML)
        if path.startswith(STATIC):
            name = path.removeprefix(STATIC)
            if name not in FILES:
                raise HTTPException(404, "no such file")
            return _page_response((STATIC_FILES / name).read_bytes(), FILES[name])
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        scope = self._grants.scope_of(token.strip() if scheme.lower() == "bearer" else "")
        if scope is None:
            raise HTTPException(401, "this page's link has expired; `compass ui` gives a new one")
        self._service.last_used = time.monotonic()
        name = path.removeprefix(VIEW) if path.startswith(VIEW) else ""
        html = await asyncio.to_thread(views.view, scope, name, request.query_params)
        if html is None:
            raise HTTPException(404, "no such part")
        return _page_response(html.encode("utf-8", "replace"), HTML)

    async def _exchange_page_link(self, request: Request) -> Response:
        # First: what another user sends is not even waited for.
        client_port = request.client.port if request.client else 0
        if await asyncio.to_thread(is_strange, client_port, self._port):
            raise HTTPException(403, "this link belongs to another user")
        declared = request.headers.get("content-length")
        raw = await self._bodies.read(request.receive, declared, BODY_BYTES_MAX)
        self._bodies.release(len(raw))
        try:
            secret = json.loads(raw)["secret"]
        except (ValueError, RecursionError, TypeError, KeyError):
            raise HTTPException(400, "the body must be a JSON object with a link's secret") from None
        token = self._grants.exchange(str(secret))
        if token is None:
            raise HTTPException(401, "this link has been used or has expired; `compass ui` gives a new one")
        self._service.last_used = time.monotonic()
        return _page_response(json.dumps({"token": token}).encode(), "application/json")


def _page_response(body: bytes, media: str) -> Response:
    return Response(body, headers=HEADERS, media_type=media)


def _page_error_response(status: int, cause: str) -> Response:
    """The connection is closed: a body may stand unread behind it."""
    more = {"www-authenticate": 'Bearer realm="compass-page"'} if status == 401 else {}
    body = json.dumps({"error": cause}).encode()
    return Response(body, status, {**HEADERS, "connection": "close", **more}, "application/json")
