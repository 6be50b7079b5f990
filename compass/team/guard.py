"""Before a request is read: who asks, whether they may, and whether there is room. After it: what is told of it."""

from __future__ import annotations

import json
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import Generator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Route

from compass.team.documents import faults_of
from compass.team.model import UNKNOWN, RefusalKind, Refused
from compass.team.principals import Principals
from compass.team.replica import Replica, RequestNotes
from compass.team.telemetry import tell, where
from evaluator.errors import StateError
from evaluator.readers.team.wire import Principal
from evaluator.service.access import AMBIGUOUS, REALM, App, AsgiScope, Receive, Send, ambiguous
from evaluator.service.desk import BodyError

INSIDE: Final = "compass.inside"
"""Where the app finds what the guard knows of a request."""
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"))
OPEN: Final = frozenset(("livez", "readyz"))
"""Routes for which no token is wanted."""
PROBES: Final = OPEN | {"metrics"}
"""Asked every few seconds: answered while the replica is full or closing, and worth a line only where they fail."""
RECHECKED: Final = "evaluate"
"""The store looks at its token again, in the transaction without which nothing is answered."""
OTHER: Final = "other"
"""The route of a request that has none, as metrics and logs know it."""
SERVER_FAULT: Final = 500
PERSONS_PART: Final = 4
"""One person's requests take a fourth of the room at most, and all others are served beside them."""
PERSONS_LEAST: Final = 8

_OF_BODY: Final[Mapping[int, RefusalKind]] = {400: "invalid", 408: "late", 413: "invalid", 503: "overloaded"}
FAULT: Final = "a fault of the service; its log has it"
NO_DATABASE: Final = "the team's database cannot be used at the moment; nothing was decided"


class TeamGuard:
    """An ASGI app around that of `routes`. `inside` is how many requests are on their way, without probes."""

    def __init__(self, app: App, routes: Sequence[Route], replica: Replica, principals: Principals) -> None:
        self.inside = 0
        self.app = app
        self.routes = routes
        self._replica = replica
        self._principals = principals
        self._of_person: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        method = scope["method"] if scope["method"] in METHODS else OTHER
        route, known = self._route_of(scope)
        path = OTHER if route is None else route.path
        names = (b"origin", b"authorization", b"traceparent")
        headers = {name: value for name, value in scope["headers"] if name in names}
        inside = RequestNotes(secrets.token_hex(8))
        scope[INSIDE] = inside
        span = self._replica.traces.begin(method, path, headers.get(b"traceparent"))
        status = 0

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = [(b"x-request-id", inside.request_id.encode())]
                message = {**message, "headers": [*message.get("headers", ()), *own]}
            await send(message)

        async def refuse(refused: Refused) -> None:
            inside.kind, inside.cause = refused.kind, refused.cause
            await answer_of(refused, closes=True)(scope, receive, noted)

        counted = route is None or route.name not in PROBES
        self.inside += counted
        try:
            await self._admit(scope, route, known, headers, inside)
            with self._counted(inside.principal if counted else None):
                await self.app(scope, receive, noted)
            if inside.kind == "unauthorized":
                self._principals.forget(headers.get(b"authorization"))
        except Exception as error:
            if (refused := refused_by(error)) is not None and not status:
                await refuse(refused)
                return
            cause = type(error).__name__
            tell(logging.ERROR, "fault", request=inside.request_id, fault=cause, at=where(error))
            if status:
                inside.kind, inside.cause = "fault", cause
                raise  # the answer has begun: its connection is broken off
            await refuse(Refused("fault", FAULT, cause=cause))
        finally:
            self.inside -= counted
            seconds = time.perf_counter() - began
            self._told(f"{method} {path}", route, inside, status, seconds, span.trace_id)
            span.end(status, {**({"kind": inside.kind} if inside.kind else {}), **inside.told})

    async def _admit(
        self,
        scope: AsgiScope,
        route: Route | None,
        known: bool,
        headers: dict[bytes, bytes],
        inside: RequestNotes,
    ) -> None:
        """Raises Refused, and StateError where the database cannot be asked for the token."""
        if ambiguous(scope):
            raise Refused("invalid", AMBIGUOUS)
        if b"origin" in headers:
            raise Refused("forbidden", "requests of web pages are refused")
        if route is not None and route.name in OPEN:
            return
        if route is None or route.name not in PROBES:
            if self._replica.closing.is_set():
                raise Refused("closing", "this replica is on its way out; ask again")
            if self.inside > self._replica.waiting_max:
                raise Refused("overloaded", "too many requests at once; ask again")
        rechecked = route is not None and route.name == RECHECKED
        inside.principal = await self._principals.of(headers.get(b"authorization"), rechecked=rechecked)
        if inside.principal is None:
            raise Refused("unauthorized", UNKNOWN)
        if route is None and known:
            raise Refused("missing", "not this method", status=405)
        if route is None:
            raise Refused("missing", "no such path")

    def _route_of(self, scope: AsgiScope) -> tuple[Route | None, bool]:
        """(the route, whether anything is at the path): the latter tells a wrong method from a wrong path."""
        known = False
        for route in self.routes:
            match, _ = route.matches(scope)
            if match is Match.FULL:
                return route, True
            known = known or match is Match.PARTIAL
        return None, known

    @contextmanager
    def _counted(self, who: Principal | None) -> Generator[None]:
        """While the block runs it takes of the person's share of the room. Raises Refused where that is used up."""
        if who is None:
            yield
            return
        person, room = (who.team, who.person), max(self._replica.waiting_max // PERSONS_PART, PERSONS_LEAST)
        self._of_person[person] += 1
        try:
            if self._of_person[person] > room:
                raise Refused("overloaded", "too many requests of one person at once; ask again")
            yield
        finally:
            self._of_person[person] -= 1
            if not self._of_person[person]:
                del self._of_person[person]

    def _told(
        self, name: str, route: Route | None, inside: RequestNotes, status: int, seconds: float, trace: str
    ) -> None:
        metrics = self._replica.metrics
        metrics.requests.note(OTHER if route is None else route.path, status, seconds)
        if inside.kind:
            metrics.refusals.labels(inside.kind).inc()
        failed = status == 0 or status >= SERVER_FAULT
        if route is not None and route.name in PROBES and (not failed or self._replica.closing.is_set()):
            return
        tell(
            logging.WARNING if failed else logging.INFO,
            "request",
            request=inside.request_id,
            route=name,
            status=status,
            ms=round(seconds * 1000, 1),
            team=inside.principal.team if inside.principal else None,
            kind=inside.kind or None,
            cause=inside.cause or None,
            trace=trace or None,
            **inside.told,
        )


def refused_by(error: Exception) -> Refused | None:
    """None for what is a fault of the program."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, BodyError):
        return Refused(_OF_BODY[error.status], error.cause, status=error.status)
    if isinstance(error, RequestValidationError):
        return Refused("invalid", faults_of(error.errors()))
    if isinstance(error, HTTPException):
        # The framework's own: a body that is no JSON.
        return Refused("invalid", "the body is no JSON", status=error.status_code)
    if isinstance(error, StateError):
        # What the database says may quote what it was given.
        return Refused("state", NO_DATABASE, cause=_types(error))
    return None


def answer_of(refused: Refused, *, closes: bool) -> Response:
    """`closes`: something may stand unread behind the request's head."""
    headers = {"connection": "close"} if closes else {}
    if refused.retry_after is not None:
        headers["retry-after"] = str(max(math.ceil(refused.retry_after), 1))
    if refused.kind == "unauthorized":
        headers["www-authenticate"] = REALM
    body = json.dumps({"error": refused.detail, "kind": refused.kind})
    return Response(body, refused.status, headers, "application/json")


def _types(error: BaseException) -> str:
    found: list[str] = []
    one: BaseException | None = error
    while one is not None:
        state = getattr(one, "sqlstate", None)
        found.append(type(one).__name__ + (f" {state}" if isinstance(state, str) else ""))
        one = one.__cause__
    return " from ".join(found)
