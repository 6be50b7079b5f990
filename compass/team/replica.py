"""What the requests of one replica stand on: threads for the database, what is shared, what is told of one request."""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeVar

from compass.team.store import PAGE, TeamStore
from compass.team.telemetry import TeamMetrics, tell
from evaluator.errors import StateError
from evaluator.model import NamedReaders
from evaluator.readers.team.wire import Evaluation, EvaluationRequest, Principal
from evaluator.service.http_calls import Bodies

T = TypeVar("T")
Evaluate = Callable[[Principal, EvaluationRequest], Awaitable[Evaluation]]

READY_SECONDS: Final = 3.0
BELIEVED_SECONDS: Final = 1.0
"""Anybody may ask whether it is ready, and that must not keep the database busy."""


class Work:
    """Threads for what waits on the database, so that the loop does not.

    `waited` hears how long a piece of work waited for its thread, in seconds.
    """

    def __init__(self, threads: int, waited: Callable[[float], None] = lambda _: None) -> None:
        self._pool = ThreadPoolExecutor(threads, "store")
        self._waited = waited

    async def __call__(self, work: Callable[[], T]) -> T:
        """Its result, or what it raises. Work that has begun ends even where nobody waits for it any more."""
        asked = time.perf_counter()
        waits: list[float] = []
        context = contextvars.copy_context()

        def run() -> T:
            waits.append(time.perf_counter() - asked)
            return context.run(work)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, run)
        finally:
            self._waited(waits[0] if waits else time.perf_counter() - asked)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Replica:
    """`waiting_max`: so many requests may be inside at once.

    `probes` has a thread and a connection that no request takes: a replica that is full is ready all the same.
    """

    store: TeamStore
    work: Work
    probes: Work
    evaluate: Evaluate
    readers: NamedReaders
    metrics: TeamMetrics
    version: str
    waiting_max: int
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    bodies: Bodies = field(default_factory=Bodies)


@dataclass(slots=True)
class RequestNotes:
    """One request on its way. Handlers add what its log line tells: counts and words, never content."""

    request_id: str
    principal: Principal | None = None
    kind: str = ""
    cause: str = ""
    told: dict[str, str | int | float | bool] = field(default_factory=dict[str, str | int | float | bool])


class Readiness:
    """Asks the database at most once a second, however many want to know."""

    def __init__(self) -> None:
        self._until = 0.0
        self._ready = False
        self._asking: asyncio.Task[bool] | None = None

    async def of(self, replica: Replica) -> bool:
        """Nobody waits longer than READY_SECONDS: no answer is no."""
        if time.monotonic() < self._until:
            return self._ready
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask(replica))
        try:
            async with asyncio.timeout(READY_SECONDS):
                return await asyncio.shield(self._asking)
        except TimeoutError:
            return False

    async def _ask(self, replica: Replica) -> bool:
        try:
            self._ready = await replica.probes(replica.store.ready)
        except StateError as error:
            self._ready = False
            # No request stands behind this, so that the sentence can quote none.
            tell(logging.WARNING, "not ready", cause=str(error))
        finally:
            self._until = time.monotonic() + BELIEVED_SECONDS
            self._asking = None
        return self._ready


async def lines(work: Work, rows: Iterator[Mapping[str, object]]) -> AsyncIterator[bytes]:
    """A long list as JSON lines, read a page at a time. The first page is read before this returns, so that a
    database out of reach is still a refusal.

    Raises StateError then; where it is lost later the answer breaks off without its end.
    """

    def page() -> bytes:
        return b"".join(json.dumps(row).encode() + b"\n" for row in islice(rows, PAGE))

    first = await work(page)

    async def rest() -> AsyncIterator[bytes]:
        read = first
        while read:
            yield read
            read = await work(page)

    return rest()
