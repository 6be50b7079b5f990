"""The page of the service in a browser, as an ASGI app: its document, its views and links.

Nothing here changes a verdict or a setting. Views are made in worker threads. A page of another
origin can send requests here; it can forge neither Host nor Origin nor Sec-Fetch-Site.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from calibration.report.html import environment, filled
from compass.composition.settings import Here, here_from, load, project_of
from compass.page import PageScope
from compass.show import check as show
from evaluator.errors import CompassError, StateError
from evaluator.model import AnsweredQuestion
from evaluator.service.credentials import Grants
from evaluator.service.http_access import LOOPBACK_NAMES, AsgiScope, Receive, Send, is_strange
from evaluator.service.http_calls import Bodies, BodyError
from evaluator.service.server import Service
from evaluator.settings.places import home_of, set_by
from evaluator.state.history import KeptCheck
from evaluator.text import DAY_SECONDS

OUTCOMES = {"held": "held", "let run": "let run", "passed": "passed", "skipped": "not judged"}
"""What became of a call, as `compass log` names it, and as the page does."""
SHOWN = 60
SAID_MAX = 400
"""Characters of what was said, shown or done; the check itself has all of it."""


def render(name: str, **given: object) -> Markup:
    return filled(_page_templates(), f"{name}.html", given)


@cache
def _page_templates() -> Environment:
    found = environment(Path(__file__).with_name("templates"))

    def style(outcome: str) -> str:
        """Its name in the style sheet."""
        return outcome.replace(" ", "-") if outcome in OUTCOMES else "skipped"

    def told(outcome: str) -> str:
        return OUTCOMES.get(outcome, outcome)

    def stamp(at: float) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(at))

    named = (("kind", style), ("outcome", told), ("clock", _format_view_time), ("stamp", stamp))
    own: dict[str, Callable[..., str]] = dict(named)
    found.filters.update(own)
    return found


def _format_view_time(at: float, whole: bool) -> str:
    """In this machine's time: of today the clock alone, unless the `whole` is wanted."""
    local = time.localtime(at)
    clock, day = time.strftime("%H:%M:%S", local), time.strftime("%Y-%m-%d", local)
    today = day == time.strftime("%Y-%m-%d")
    return f"{day} {clock}" if whole else clock if today else f"{day[5:]} {clock[:5]}"


def here_of(scope: PageScope) -> Here:
    """`compass.composition.settings.here` in a process of many, whose environment stays as it is. Raises StateError."""
    env = dict(scope.env)
    directory = project_of(env, scope.cwd)
    return here_from(env, directory, load(env, home_of(env), directory))


def view(scope: PageScope, name: str, given: Mapping[str, str]) -> str | None:
    """One view of the page as HTML; None where there is none of that name. Raises StateError."""
    if name == "checks":
        found = here_of(scope)
        held_only = given.get("only") == "held"
        kept = found.history.newest(found.project, SHOWN, denied=held_only)
        tallies = found.history.tallies(found.project, time.time() - DAY_SECONDS)
        ran = sum(one.count for one in tallies if (one.verdict, one.decision) == ("failed", "allow"))
        day = [
            ("checks in 24 hours", str(sum(one.count for one in tallies))),
            ("held", str(sum(one.count for one in tallies if one.decision == "deny"))),
            *([("would have been held", str(ran))] if ran else []),
        ]
        rows, tiles = [row(one) for one in reversed(kept)], day if kept else ()
        return render("checks", project=found.project, held_only=held_only, rows=rows, tiles=tiles)
    if name == "check":
        return _check_view(here_of(scope), given.get("id", ""))
    return None


def row(kept: KeptCheck) -> Markup:
    try:
        check = show.check_of(kept.record)
    except StateError as error:
        return render("row", row={"fault": str(error)})
    effects, outcome, told = check.effects, show.verdict_of(check), []
    if outcome in ("held", "let run"):
        names = ("You said", "You were shown", "What the agent would have done")
        told = [(name, text[:SAID_MAX]) for name, text in zip(names, show.words_of(check), strict=True)]
    return render(
        "row",
        row={
            "fault": "",
            "check_id": check.check_id,
            "at": kept.at,
            "outcome": outcome,
            "operation": effects.operation if effects is not None else check.pending.tool_name,
            "what": show.target_of(check),
            "why": show.why_of(check),
            "took": show.took_of(kept.duration_ms),
            "cost": show.cost_of(kept.cost_usd) if kept.cost_usd else "",
            "told": told,
        },
    )


CHOSEN, OPEN = "\u25cf", "\u25cb"
JUDGED = ("mean", "deviation", "agreement", "concern", "rationale", "readers", "how sure")
"""Of what `compass explain` tells, what the readers came to."""


def _check_view(found: Here, check_id: str) -> Markup:
    """One check whole, as HTML. Raises StateError for a record that is none."""
    record = found.history.check(check_id) if check_id else None
    if record is None:
        return render("check", check=None, keeps_days=set_by("retention_days", "DAYS"))
    check = show.check_of(record)
    at = record.get("at")
    costs = [sample.cost_usd for sample in check.samples if sample.cost_usd]
    inside = check.pending.project_dir.rstrip("/") + "/"
    lines: Mapping[str, str] = dict(show.lines_of(check))
    shown = JUDGED if check.convergence is not None else ("readers",)
    return render(
        "check", check=check, at=float(at) if isinstance(at, (int, float)) else check.at, named=show.target_of(check),
        outcome=show.verdict_of(check), why=show.why_of(check), cost=show.cost_of(sum(costs)) if costs else "",
        keeps=set_by("store_evidence", "true"), options=_view_question_options,
        targets=[one.removeprefix(inside) for one in check.effects.targets] if check.effects else (),
        judged=[(label.capitalize(), lines[label]) for label in shown if label in lines],
        readers=max(1, sum(not one.error for one in check.samples)),
        told=(("What you were shown", show.shown_of(check)), ("What the agent was told", check.detail)),
    )  # fmt: skip


def _view_question_options(one: AnsweredQuestion) -> str:
    """Those that were chosen are marked; an answer in the user's own words stands alone."""
    listed = [f"{CHOSEN if option in one.answers else OPEN} {option}" for option in one.options]
    own = [answer for answer in one.answers if answer not in one.options]
    return "\n".join([*listed, *(f"{CHOSEN} {answer}" for answer in own)])


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
        html = await asyncio.to_thread(view, scope, name, request.query_params)
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
