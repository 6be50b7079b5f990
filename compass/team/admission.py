"""Before a request is read: who asks, whether they may, and whether there is room. After it: what is told of it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import math
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, NamedTuple

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Route

from compass.team.documents import faults_of
from compass.team.model import UNKNOWN, RefusalKind, Refused
from compass.team.replica import Replica, RequestNotes, Work
from compass.team.store import TeamStore
from compass.team.telemetry import tell, where
from evaluator.errors import StateError
from evaluator.readers.team.wire import Principal
from evaluator.service.http_access import AMBIGUOUS, REALM, App, AsgiScope, Receive, Send, ambiguous
from evaluator.service.http_calls import BodyError

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
FAULT: Final = "a fault in the service; see its log"
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
        names = (b"origin", b"authorization")
        headers = {name: value for name, value in scope["headers"] if name in names}
        inside = RequestNotes(secrets.token_hex(8))
        scope[INSIDE] = inside
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
            self._told(f"{method} {path}", route, inside, status, seconds)

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
            raise Refused("forbidden", "requests from web pages are refused")
        if route is not None and route.name in OPEN:
            return
        if route is None or route.name not in PROBES:
            if self._replica.closing.is_set():
                raise Refused("closing", "this replica is shutting down; ask again")
            if self.inside > self._replica.waiting_max:
                raise Refused("overloaded", "too many requests at once; ask again")
        rechecked = route is not None and route.name == RECHECKED
        inside.principal = await self._principals.of(headers.get(b"authorization"), rechecked=rechecked)
        if inside.principal is None:
            raise Refused("unauthorized", UNKNOWN)
        if route is None and known:
            raise Refused("missing", "method not allowed", status=405)
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
                raise Refused("overloaded", "too many requests from one person at once; ask again")
            yield
        finally:
            self._of_person[person] -= 1
            if not self._of_person[person]:
                del self._of_person[person]

    def _told(
        self, name: str, route: Route | None, inside: RequestNotes, status: int, seconds: float
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
            **inside.told,
        )


def refused_by(error: Exception) -> Refused | None:
    """How a request is refused that raised this error; None for what is a fault of the program."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, BodyError):
        return Refused(_OF_BODY[error.status], error.cause, status=error.status)
    if isinstance(error, RequestValidationError):
        return Refused("invalid", faults_of(error.errors()))
    if isinstance(error, HTTPException):
        # The framework's own: a body that is no JSON.
        return Refused("invalid", "the body is not JSON", status=error.status_code)
    if isinstance(error, StateError):
        # What the database says may quote what it was given.
        return Refused("state", NO_DATABASE, cause=_types(error))
    return None


def answer_of(refused: Refused, *, closes: bool) -> Response:
    """The HTTP response to a refused request. `closes`: something may stand unread behind the request's head."""
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


BELIEVED_SECONDS: Final = 2.0
"""From the moment at which the store was asked, for tokens that hold and for those that do not."""
KNOWN_SECONDS: Final = 3600.0
"""The same, for a token that held and that the store looks at again before anything is answered."""
USED_SECONDS: Final = 60.0
HELD_MAX: Final = 20_000
STRANGERS_MAX: Final = 256
"""So many tokens that never held here may wait for the store: more of them are refused, and cost nothing."""
STRANGERS_AT_ONCE: Final = 4
"""So many of them are looked up beside each other: whoever guesses keeps the store from nobody whose token holds."""
STRANGER_SECONDS: Final = 5.0
TOKEN_BYTES_MAX: Final = 120
_SCHEME: Final = b"bearer "


class _Known(NamedTuple):
    principal: Principal | None
    until: float


class Principals:
    """Holds digests alone, never a token. `look` asks the store, `used` tells it of a use, a minute apart at most."""

    def __init__(
        self,
        look: Callable[[str], Awaitable[Principal | None]],
        used: Callable[[Principal], Coroutine[Any, Any, None]],
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._look, self._used = look, used
        self._clock, self._wall = clock, wall
        self._known: OrderedDict[bytes, _Known] = OrderedDict()
        self._refused: OrderedDict[bytes, _Known] = OrderedDict()
        self._strangers = 0
        self._turn = asyncio.Semaphore(STRANGERS_AT_ONCE)
        self._asking: dict[bytes, asyncio.Task[Principal | None]] = {}
        self._noted: OrderedDict[str, float] = OrderedDict()
        self._noting: set[asyncio.Task[None]] = set()

    @classmethod
    def over(cls, store: TeamStore, work: Work) -> Principals:
        async def look(token: str) -> Principal | None:
            return await work(partial(store.principal, token))

        async def used(who: Principal) -> None:
            # What is lost is told by the next minute's use.
            with suppress(StateError):
                await work(partial(store.note_use, who.team, who.token_id))

        return cls(look, used)

    async def of(self, authorization: bytes | None, *, rechecked: bool = False) -> Principal | None:
        """None without a token that holds, or that held within the last hour where it is `rechecked`. Raises StateError
        where the store cannot be asked, and Refused where too many tokens that nobody knows are shown at once.
        """
        token = _token_of(authorization)
        if token is None:
            return None
        digest = hashlib.sha256(token.encode()).digest()
        known = self._known.get(digest) or self._refused.get(digest)
        longer = KNOWN_SECONDS - BELIEVED_SECONDS if rechecked and digest in self._known else 0.0
        if known is None or known.until + longer <= self._clock():
            found = await self._ask(digest, token)
        else:
            found = known.principal
        if found is None or found.expires_at <= self._wall():
            return None
        self._note(found)
        return found

    def forget(self, authorization: bytes | None) -> None:
        """The store said that it holds no more."""
        token = _token_of(authorization)
        if token is not None:
            self._known.pop(hashlib.sha256(token.encode()).digest(), None)

    async def _ask(self, digest: bytes, token: str) -> Principal | None:
        asking = self._asking.get(digest)
        if asking is None:
            stranger = digest not in self._known
            if stranger and self._strangers >= STRANGERS_MAX:
                raise _crowd()
            self._strangers += stranger
            learning = self._learn_in_turn(digest, token) if stranger else self._learn(digest, token)
            asking = self._asking[digest] = asyncio.create_task(learning)
            asking.add_done_callback(lambda ended: self._asked(digest, ended))
        return await asyncio.shield(asking)

    def _asked(self, digest: bytes, ended: asyncio.Task[Principal | None]) -> None:
        del self._asking[digest]
        if not ended.cancelled():
            ended.exception()  # told to those who wait; with nobody left it is nobody's

    async def _learn_in_turn(self, digest: bytes, token: str) -> Principal | None:
        try:
            try:
                async with asyncio.timeout(STRANGER_SECONDS):
                    await self._turn.acquire()
            except TimeoutError:
                raise _crowd() from None
            try:
                return await self._learn(digest, token)
            finally:
                self._turn.release()
        finally:
            self._strangers -= 1

    async def _learn(self, digest: bytes, token: str) -> Principal | None:
        asked = self._clock()
        found = await self._look(token)
        # Apart, so that no number of guesses makes one that holds a stranger.
        kept, other = (self._refused, self._known) if found is None else (self._known, self._refused)
        other.pop(digest, None)
        kept[digest] = _Known(found, asked + BELIEVED_SECONDS)
        kept.move_to_end(digest)
        while len(kept) > HELD_MAX:
            kept.popitem(last=False)
        return found

    def _note(self, who: Principal) -> None:
        key = f"{who.team}_{who.token_id}"
        now = self._clock()
        if now < self._noted.get(key, float("-inf")) + USED_SECONDS:
            return
        self._noted[key] = now
        self._noted.move_to_end(key)
        while len(self._noted) > HELD_MAX:
            self._noted.popitem(last=False)
        noting = asyncio.create_task(self._used(who))
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)


def _crowd() -> Refused:
    return Refused("overloaded", "too many tokens at once that are not known here; ask again", retry_after=1)


def _token_of(authorization: bytes | None) -> str | None:
    """What is sent as a bearer token, if it may be one of ours."""
    if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    token = authorization[len(_SCHEME) :].strip()
    if not token.startswith(b"cmp_") or len(token) > TOKEN_BYTES_MAX or not token.isascii():
        return None
    return token.decode("ascii")
