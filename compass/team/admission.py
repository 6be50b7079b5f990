"""What stands around a replica's API: who asks and whether there is room, and what is told of a request afterwards."""

from __future__ import annotations

import json
import logging
import math
import secrets
import time
from collections.abc import Generator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from compass.team.documents import faults_of
from compass.team.model import RefusalKind, Refused
from compass.team.replica import Replica, RequestNotes, fault_place, log_event
from evaluator.errors import StateError
from evaluator.readers.team.wire import Principal
from evaluator.service.http_access import AMBIGUOUS, REALM, App, AsgiScope, Receive, Send, ambiguous
from evaluator.service.http_calls import BodyError

NOTES: Final = "compass.notes"
"""Where the app finds what the guard knows of a request."""
PROBES: Final = frozenset(("/livez", "/readyz", "/metrics"))
"""Asked every few seconds: answered while the replica is full or closing, and worth a line only where they fail."""
OTHER: Final = "other"
"""The route of a request that has none, as metrics and logs know it."""
SERVER_FAULT: Final = 500

PERSONS_PART: Final = 4
"""One person's requests take a fourth of the room at most, and all others are served beside them."""
PERSONS_LEAST: Final = 8

_OF_BODY: Final[Mapping[int, RefusalKind]] = {400: "invalid", 408: "late", 413: "invalid", 503: "overloaded"}
_OF_FRAMEWORK: Final[Mapping[int, str]] = {404: "no such path", 405: "method not allowed"}
FAULT: Final = "a fault in the service; see its log"
NO_DATABASE: Final = "the team's database cannot be used at the moment; nothing was decided"


class TeamGuard:
    """An ASGI app around `app`. `inside` is how many requests are on their way, without probes."""

    def __init__(self, app: FastAPI, replica: Replica) -> None:
        self.inside = 0
        self.app = app
        self._replica = replica

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        probe = scope["path"] in PROBES
        notes = scope[NOTES] = RequestNotes(secrets.token_hex(8))

        async def noted(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                notes.status = message["status"]
                own = [(b"x-request-id", notes.request_id.encode())]
                message = {**message, "headers": [*message.get("headers", ()), *own]}
            await send(message)

        self.inside += not probe
        try:
            refused = self._admission_refusal(scope, probe=probe)
            app: App = self.app if refused is None else answer_of(refused, notes)
            await app(scope, receive, noted)
        except Exception as error:
            notes.kind = "fault"
            cause = type(error).__name__
            log_event(logging.ERROR, "fault", request=notes.request_id, fault=cause, at=fault_place(error))
            if notes.status != SERVER_FAULT:
                raise  # the answer has begun: its connection is broken off
        finally:
            self.inside -= not probe
            self._log_admitted_request(scope, notes, time.perf_counter() - began, probe=probe)

    def _admission_refusal(self, scope: AsgiScope, *, probe: bool) -> Refused | None:
        if ambiguous(scope):
            return Refused("invalid", AMBIGUOUS)
        if any(name == b"origin" for name, _ in scope["headers"]):
            return Refused("forbidden", "requests from web pages are refused")
        if not probe and self._replica.closing.is_set():
            return Refused("closing", "this replica is shutting down; try again")
        if not probe and self.inside > self._replica.waiting_max:
            return Refused("overloaded", "too many requests at once; try again")
        return None

    def _log_admitted_request(
        self, scope: AsgiScope, notes: RequestNotes, seconds: float, *, probe: bool
    ) -> None:
        route = scope["route"].path if "route" in scope else OTHER
        self._replica.metrics.requests.note(route, notes.status, seconds)
        if notes.kind:
            self._replica.metrics.refusals.labels(notes.kind).inc()
        failed = notes.status == 0 or notes.status >= SERVER_FAULT
        if probe and (not failed or self._replica.closing.is_set()):
            return
        log_event(
            logging.WARNING if failed else logging.INFO, "request", request=notes.request_id,
            route=f"{scope['method']} {route}", status=notes.status, ms=round(seconds * 1000, 1),
            team=notes.principal.team if notes.principal else None, kind=notes.kind or None,
        )  # fmt: skip


@contextmanager
def counted(replica: Replica, who: Principal) -> Generator[None]:
    """While the block runs it takes of the person's share of the room. Raises Refused where that is used up."""
    person, room = (who.team, who.person), max(replica.waiting_max // PERSONS_PART, PERSONS_LEAST)
    replica.of_person[person] += 1
    try:
        if replica.of_person[person] > room:
            raise Refused("overloaded", "too many requests from one person at once; try again")
        yield
    finally:
        replica.of_person[person] -= 1
        if not replica.of_person[person]:
            del replica.of_person[person]


def refused_by(error: Exception) -> Refused:
    """How a request is refused that raised this error."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, BodyError):
        return Refused(_OF_BODY[error.status], error.cause, status=error.status)
    if isinstance(error, RequestValidationError):
        return Refused("invalid", faults_of(error.errors()))
    if isinstance(error, HTTPException):
        # The framework's own: no route, or a body that is no JSON.
        if error.status_code in _OF_FRAMEWORK:
            return Refused("missing", _OF_FRAMEWORK[error.status_code], status=error.status_code)
        return Refused("invalid", "the body is not JSON", status=error.status_code)
    if isinstance(error, StateError):
        # What the database says may quote what it was given.
        return Refused("state", NO_DATABASE)
    return Refused("fault", FAULT)


def answer_of(refused: Refused, notes: RequestNotes) -> Response:
    """The HTTP response to a refused request. Its connection is closed: a body may stand unread behind it."""
    notes.kind = refused.kind
    headers = {"connection": "close"}
    if refused.retry_after is not None:
        headers["retry-after"] = str(max(math.ceil(refused.retry_after), 1))
    if refused.kind == "unauthorized":
        headers["www-authenticate"] = REALM
    body = json.dumps({"error": refused.detail, "kind": refused.kind})
    return Response(body, refused.status, headers, "application/json")
