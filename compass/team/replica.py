"""What the requests of one replica stand on: threads for the database, what is shared, what is told of one request."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
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


class Work:
    """Threads for what waits on the database, so that the loop does not."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "store")

    async def __call__(self, work: Callable[[], T]) -> T:
        """Its result, or what it raises. Work that has begun ends even where nobody waits for it any more."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

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
    of_person: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """How many requests of a (team, person) are inside."""


@dataclass(slots=True)
class RequestNotes:
    """One request on its way, as its log line tells it: never content."""

    request_id: str
    principal: Principal | None = None
    kind: str = ""
    status: int = 0
    """Of the answer; 0 before it begins."""


async def is_ready(replica: Replica) -> bool:
    """Whether the database answers within READY_SECONDS, and has the schema of this program."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            return await replica.probes(replica.store.ready)
    except TimeoutError:
        return False
    except StateError as error:
        # No request stands behind this, so that the sentence can quote none.
        tell(logging.WARNING, "not ready", cause=str(error))
        return False


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
