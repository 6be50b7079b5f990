"""Calls over HTTP: read within bounds, taken to the judge of the socket's calls, and answered in time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar, cast

from evaluator.service.http_access import Receive
from evaluator.service.server import HookReply, Request, Service
from evaluator.wire import LONGEST_SECONDS

HERE = b"/"
"""A request over HTTP has no working folder of its own: its payload names one."""

HOOK_BYTES_MAX = 64 * 1024 * 1024
"""As much as the hook's own process reads."""
CHECK_BYTES_MAX = 4 * 1024 * 1024
HELD_BYTES_MAX = 512 * 1024 * 1024
BODY_SECONDS = 15.0
"""For a whole body: on loopback 64 MB take well under a second."""

T = TypeVar("T")


class BodyError(Exception):
    """A body that is not taken; `status` is the answer."""

    def __init__(self, status: int, cause: str) -> None:
        self.status = status
        self.cause = cause
        super().__init__(status, cause)


@dataclass(slots=True)
class Bodies:
    """What all requests together hold in memory; one of these a service."""

    held_bytes_max: int = HELD_BYTES_MAX
    seconds: float = BODY_SECONDS
    held: int = 0

    async def read(self, receive: Receive, declared: str | None, limit: int) -> bytes:
        """The whole body of a request. `declared` is the Content-Length, None for a chunked body. Raises BodyError.

        The caller hands the bytes back by `release`, once it has done with them.
        """
        if declared is not None and (not declared.isdecimal() or int(declared) > limit):
            raise BodyError(413, f"the body is larger than {limit} bytes")
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(self.seconds):
                await self._collect_http_body(receive, limit, parts)
        except BaseException as error:
            self.release(sum(map(len, parts)))
            if isinstance(error, TimeoutError):
                raise BodyError(408, f"the body did not arrive within {self.seconds:g} s") from None
            raise
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _collect_http_body(self, receive: Receive, limit: int, parts: list[bytes]) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise BodyError(400, "the client disconnected before it had sent the whole request body")
            part = cast(bytes, message.get("body", b""))
            parts.append(part)
            size += len(part)
            self.held += len(part)
            if size > limit:
                raise BodyError(413, f"the body is larger than {limit} bytes")
            if self.held > self.held_bytes_max:
                raise BodyError(503, "too many request bodies at once; try again")
            more = bool(message.get("more_body", False))

    def release(self, size: int) -> None:
        self.held -= size


@dataclass(frozen=True, slots=True)
class JudgeCalls:
    """What the API asks of the gate. `late` and `check` run in worker threads.

    `variables` is the environment of every request, as NAME=value with a NUL between. `late` answers
    by policy a hook that got no verdict within so many seconds. `check` judges a case row or a payload (body,
    variables, done once nobody waits); raises CompassError and AbandonedError.
    """

    events: frozenset[str]
    variables: bytes
    late: Callable[[Request, float], HookReply]
    check: Callable[[bytes, bytes, Future[None]], Mapping[str, object]]
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """`seconds` is the longest that any answer to a hook takes."""

    service: Service
    calls: JudgeCalls
    seconds: float = LONGEST_SECONDS

    @property
    def is_full(self) -> bool:
        return self.service.waiting >= self.service.limits.queue

    async def answer(self, event: str, variables: bytes, payload: bytes, receive: Receive) -> HookReply:
        """The judge's reply; past the deadline of the project's settings the policy's."""
        service = self.service
        service.last_used = time.monotonic()
        service.counts.requests += 1
        if service.silent(event, payload, variables):
            service.counts.silent += 1
            return HookReply()
        loop = asyncio.get_running_loop()
        end = loop.time() + self.seconds
        promised = self.seconds
        limit = asyncio.timeout_at(end)

        def accept(seconds: float) -> None:
            nonlocal promised
            promised = seconds
            loop.call_soon_threadsafe(bound, min(end, loop.time() + seconds))

        def bound(when: float) -> None:
            with suppress(RuntimeError):  # the answer was faster
                limit.reschedule(when)

        gone: Future[None] = Future()
        request = Request(event, HERE, variables, payload, service.last_used, accept, gone)
        try:
            async with limit, leaving(receive, gone):
                return await self.run(partial(service.judge, request))
        except TimeoutError:
            # Not in the service's own pool, whose workers may all hang.
            return await loop.run_in_executor(None, self.calls.late, request, promised)

    async def run(self, work: Callable[[], T]) -> T:
        """Runs an HTTP call in a worker of the service, for which it waits before it ends."""
        loop = asyncio.get_running_loop()
        self.service.waiting += 1
        future = self.service.pool().submit(work)

        # A worker that is given up on still counts, until it is done.
        def leave() -> None:
            self.service.waiting -= 1
            self.service.last_used = time.monotonic()

        future.add_done_callback(lambda _: loop.call_soon_threadsafe(leave))
        return await asyncio.wrap_future(future)


async def hung_up(receive: Receive) -> None:
    """Returns once the client has left. The request's body has been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def leaving(receive: Receive, gone: Future[None]) -> AsyncGenerator[None]:
    """`gone` is done once the client has left, or the block was. The request's body has been read."""

    async def watch() -> None:
        await hung_up(receive)
        gone.set_result(None)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        if not gone.done():
            gone.set_result(None)
