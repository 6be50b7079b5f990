"""Before a request is read: who asks, whether they may, and whether there is room. After it: what is told of it."""

from __future__ import annotations

import json
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from compass.team.documents import faults_of
from compass.team.model import UNKNOWN, RefusalKind, Refused
from compass.team.principals import Principals
from compass.team.replica import Inside, Parts
from compass.team.telemetry import sound, tell, where
from evaluator.errors import CompassError, StateError
from evaluator.record import Record
from evaluator.service.access import AMBIGUOUS, App, AsgiScope, Receive, Send, ambiguous, refuse
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

STATUS: Final[Mapping[RefusalKind, int]] = {
    "invalid": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "missing": 404,
    "rate": 429,
    "budget": 429,
    "overloaded": 503,
    "breaker_open": 503,
    "state": 503,
    "closing": 503,
    "late": 504,
    "fault": 500,
}
"""By kind. A body's own statuses (408, 413) and that of a wrong method (405) stand beside it."""
_OF_BODY: Final[Mapping[int, RefusalKind]] = {400: "invalid", 408: "late", 413: "invalid", 503: "overloaded"}
FAULT: Final = "a fault of the service; its log has it"
NO_DATABASE: Final = "the team's database cannot be used at the moment; nothing was decided"


class TeamGuard:
    """An ASGI app around that of `routes`. `inside` is how many requests are on their way, without probes."""

    def __init__(self, app: App, routes: Sequence[Route], parts: Parts, principals: Principals) -> None:
        self.inside = 0
        self.app = app
        self.routes = routes
        self._parts = parts
        self._principals = principals
        self._of_person: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        method = scope["method"] if scope["method"] in METHODS else OTHER
        route, known = self._route_of(scope)
        path = OTHER if route is None else route.path
        headers = _wanted(scope)
        inside = Inside(secrets.token_hex(8))
        scope[INSIDE] = inside
        span = self._parts.spans.begin(method, path, sound(headers.get(b"traceparent")))
        status = 0

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = [(b"x-request-id", inside.request_id.encode())]
                message = {**message, "headers": [*message.get("headers", ()), *own]}
            await send(message)

        counted = route is None or route.name not in PROBES
        self.inside += counted
        person: tuple[str, str] | None = None
        try:
            refused = await self._refusal(route, known, headers, inside, ambiguous(scope))
            if refused is None and counted and inside.principal is not None:
                person = inside.principal.team, inside.principal.person
                self._of_person[person] += 1
                refused = self._crowded(person)
            if refused is None:
                await self.app(scope, receive, noted)
                if inside.kind == "unauthorized":
                    self._principals.forget(headers.get(b"authorization"))
            else:
                await _refuse(noted, refused, inside)
        except Exception as fault:
            inside.kind, inside.cause = "fault", type(fault).__name__
            tell(logging.ERROR, "fault", request=inside.request_id, fault=inside.cause, at=where(fault))
            if status:
                raise  # the answer has begun: its connection is broken off
            await _refuse(noted, refusal("fault", FAULT), inside)
        finally:
            self.inside -= counted
            self._left(person)
            seconds = time.perf_counter() - began
            self._told(f"{method} {path}", route, inside, status, seconds, span.trace_id)
            span.end(status, {**({"kind": inside.kind} if inside.kind else {}), **inside.told})

    async def _refusal(
        self,
        route: Route | None,
        known: bool,
        headers: dict[bytes, bytes],
        inside: Inside,
        doubled: bool,
    ) -> Refusal | None:
        parts = self._parts
        if doubled:
            return refusal("invalid", AMBIGUOUS)
        if b"origin" in headers:
            return refusal("forbidden", "requests of web pages are refused")
        if route is not None and route.name in OPEN:
            return None
        if route is None or route.name not in PROBES:
            if parts.closing.is_set():
                return refusal("closing", "this replica is on its way out; ask again", retry_after=1)
            if self.inside > parts.waiting_max:
                return refusal("overloaded", "too many requests at once; ask again", retry_after=1)
        try:
            rechecked = route is not None and route.name == RECHECKED
            who = await self._principals.of(headers.get(b"authorization"), rechecked=rechecked)
        except (StateError, Refused) as error:
            return refusal_of(error)
        if who is None:
            return refusal("unauthorized", UNKNOWN)
        inside.principal = who
        if route is None:
            status = 405 if known else 404
            return refusal("missing", "no such path" if not known else "not this method", status=status)
        return None

    def _route_of(self, scope: AsgiScope) -> tuple[Route | None, bool]:
        """(the route, whether anything is at the path): the latter tells a wrong method from a wrong path."""
        known = False
        for route in self.routes:
            match, _ = route.matches(scope)
            if match is Match.FULL:
                return route, True
            known = known or match is Match.PARTIAL
        return None, known

    def _crowded(self, person: tuple[str, str]) -> Refusal | None:
        room = max(self._parts.waiting_max // PERSONS_PART, PERSONS_LEAST)
        if self._of_person[person] <= room:
            return None
        return refusal("overloaded", "too many requests of one person at once; ask again", retry_after=1)

    def _left(self, person: tuple[str, str] | None) -> None:
        if person is not None:
            self._of_person[person] -= 1
            if not self._of_person[person]:
                del self._of_person[person]

    def _told(
        self, name: str, route: Route | None, inside: Inside, status: int, seconds: float, trace: str
    ) -> None:
        metrics = self._parts.metrics
        metrics.request(OTHER if route is None else route.path, status, seconds)
        if inside.kind:
            metrics.refused(inside.kind)
        failed = status == 0 or status >= SERVER_FAULT
        if route is not None and route.name in PROBES and (not failed or self._parts.closing.is_set()):
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


def _wanted(scope: AsgiScope) -> dict[bytes, bytes]:
    names = (b"origin", b"authorization", b"traceparent")
    return {name: value for name, value in scope["headers"] if name in names}


async def _refuse(send: Send, told: Refusal, inside: Inside) -> None:
    inside.kind, inside.cause = told.kind, told.cause
    await refuse(send, told.status, told.text, told.kind, told.retry_after or 1)


class MissingError(CompassError):
    """There is nothing of that name."""


class Refusal(Record):
    """`retry_after` in seconds, None where waiting does not help. `cause` is for the log: types, and no text."""

    status: int
    kind: RefusalKind
    text: str
    retry_after: int | None = None
    cause: str = ""

    @property
    def body(self) -> bytes:
        return json.dumps({"error": self.text, "kind": self.kind}).encode()


def refusal(
    kind: RefusalKind, text: str, *, status: int = 0, retry_after: float | None = None, cause: str = ""
) -> Refusal:
    whole = None if retry_after is None else max(math.ceil(retry_after), 1)
    return Refusal(status or STATUS[kind], kind, text, whole, cause)


def refusal_of(error: Exception) -> Refusal | None:
    """None for what is a fault of the program."""
    if isinstance(error, Refused):
        return refusal(error.kind, error.detail, retry_after=error.retry_after or _again(error.kind))
    if isinstance(error, BodyError):
        kind = _OF_BODY[error.status]
        return refusal(kind, error.cause, status=error.status, retry_after=_again(kind))
    if isinstance(error, MissingError):
        return refusal("missing", str(error))
    if isinstance(error, RequestValidationError):
        return refusal("invalid", faults_of(error.errors()))
    if isinstance(error, HTTPException):
        # The framework's own: a body that is no JSON.
        return refusal("invalid", "the body is no JSON", status=error.status_code)
    if isinstance(error, StateError):
        # What the database says may quote what it was given.
        return refusal("state", NO_DATABASE, retry_after=1, cause=_types(error))
    return None


def _again(kind: str) -> float | None:
    return 1.0 if kind in ("overloaded", "state", "closing") else None


def _types(error: BaseException) -> str:
    found: list[str] = []
    one: BaseException | None = error
    while one is not None:
        state = getattr(one, "sqlstate", None)
        found.append(type(one).__name__ + (f" {state}" if isinstance(state, str) else ""))
        one = one.__cause__
    return " from ".join(found)
