"""Before a request is read: who asks, whether they may, and whether there is room. After it: what is told of it."""

from __future__ import annotations

import logging
import secrets
import time
from collections import Counter
from collections.abc import MutableMapping
from typing import Any, Final

from evaluator.errors import StateError
from evaluator.service.access import AMBIGUOUS, App, AsgiScope, Send, ambiguous, refuse
from evaluator.service.bodies import Receive
from evaluator.service.team.asking import Inside, Parts
from evaluator.service.team.logs import tell, where
from evaluator.service.team.principals import Principals
from evaluator.service.team.refusals import FAULT, Refusal, refusal, refusal_of
from evaluator.service.team.routes import OTHER, Route, route_of
from evaluator.service.team.spans import sound
from evaluator.team.model import UNKNOWN, Principal, Refused

INSIDE: Final = "compass.inside"
"""Where the app finds what the guard knows of a request."""
NOBODY: Final = Principal("", "", "", (), 0.0)
"""Who asks where no token is wanted."""
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"))
QUIET: Final = frozenset(("livez", "readyz", "metrics"))
"""Asked every few seconds, and worth a line only where they fail."""
SERVER_FAULT: Final = 500
PERSONS_PART: Final = 4
"""One person's requests take a fourth of the room at most, and all others are served beside them."""
PERSONS_LEAST: Final = 8


class TeamGuard:
    """An ASGI app around another. `inside` is how many requests are on their way, without probes."""

    def __init__(self, app: App, parts: Parts, principals: Principals) -> None:
        self.inside = 0
        self.app = app
        self._parts = parts
        self._principals = principals
        self._of_person: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        method = scope["method"] if scope["method"] in METHODS else OTHER
        route, known = route_of(method, scope["path"])
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

        counted = route is None or route.limited
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
        if route is not None and not route.scopes:
            return None
        if route is None or route.limited:
            if parts.closing.is_set():
                return refusal("closing", "this replica is on its way out; ask again", retry_after=1)
            if self.inside > parts.waiting_max:
                return refusal("overloaded", "too many requests at once; ask again", retry_after=1)
        try:
            rechecked = route is not None and route.rechecked
            who = await self._principals.of(headers.get(b"authorization"), rechecked=rechecked)
        except (StateError, Refused) as error:
            return refusal_of(error)
        if who is None:
            return refusal("unauthorized", UNKNOWN)
        inside.principal = who
        if route is None:
            status = 405 if known else 404
            return refusal("missing", "no such path" if not known else "not this method", status=status)
        if not any(scope in who.scopes for scope in route.scopes):
            return refusal("forbidden", f"the token lacks the scope: {' or '.join(route.scopes)}")
        return None

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
        if route is not None and route.name in QUIET and (not failed or self._parts.closing.is_set()):
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
