"""Takes calls over HTTP to the judge that the socket's calls go to, and their answers back in time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from evaluator.service.bodies import Receive
from evaluator.service.server import Reply, Request, Service
from evaluator.wire import LONGEST_SECONDS

HERE = b"/"
"""A request over HTTP has no working folder of its own: its payload names one."""

T = TypeVar("T")
Document = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Calls:
    """What the API asks of the gate. All but `variables` and `say` run in worker threads.

    `variables` gives the environment of a request by its headers, as NAME=value with a NUL between. `late` answers
    by policy a hook that got no verdict within so many seconds. `check` judges a case row or a payload (body,
    variables, backend or as configured, whether to keep the record, done once nobody waits); raises CompassError and
    AbandonedError. `explain` finds a record.
    """

    events: frozenset[str]
    variables: Callable[[Mapping[str, str]], bytes]
    late: Callable[[Request, float], Reply]
    check: Callable[[bytes, bytes, str | None, bool, Future[None]], Document]
    explain: Callable[[str], Document | None]
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """`seconds` is the longest that any answer to a hook takes."""

    service: Service
    calls: Calls
    seconds: float = LONGEST_SECONDS

    @property
    def is_full(self) -> bool:
        return self.service.waiting >= self.service.limits.queue

    async def answer(self, event: str, variables: bytes, payload: bytes, receive: Receive) -> Reply:
        """The judge's reply; past the deadline of the project's settings the policy's."""
        service = self.service
        service.last_used = time.monotonic()
        service.counts.requests += 1
        if service.silent(event, payload, variables):
            service.counts.silent += 1
            return Reply()
        loop = asyncio.get_running_loop()
        end = loop.time() + self.seconds
        promised = self.seconds
        limit = asyncio.timeout_at(end)

        def accept(seconds: float) -> None:
            nonlocal promised
            promised = seconds
            loop.call_soon_threadsafe(_limit_to, limit, min(end, loop.time() + seconds))

        gone: Future[None] = Future()
        request = Request(event, HERE, variables, payload, service.last_used, accept, gone)
        try:
            async with limit, leaving(receive, gone):
                return await self.run(partial(service.judge, request))
        except TimeoutError:
            # Not in the service's own pool, whose workers may all hang.
            return await loop.run_in_executor(None, self.calls.late, request, promised)

    async def run(self, work: Callable[[], T]) -> T:
        """In a worker of the service, for which it waits before it ends."""
        loop = asyncio.get_running_loop()
        self.service.waiting += 1
        future = self.service.pool().submit(work)
        # A worker that is given up on still counts, until it is done.
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._leave))
        return await asyncio.wrap_future(future)

    def _leave(self) -> None:
        self.service.waiting -= 1
        self.service.last_used = time.monotonic()


@asynccontextmanager
async def leaving(receive: Receive, gone: Future[None]) -> AsyncGenerator[None]:
    """`gone` is done once the client has left, or the block was. The request's body has been read."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set_result(None)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        if not gone.done():
            gone.set_result(None)


def _limit_to(limit: asyncio.Timeout, when: float) -> None:
    with suppress(RuntimeError):  # the answer was faster
        limit.reschedule(when)
