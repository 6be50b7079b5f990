"""What the requests of one replica stand on: threads for the database, what is shared; and what it tells: metrics for
Prometheus, and its log.

No label or line holds a team's or a person's name, a token, a path or text of an exchange.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
import traceback
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, Final, TypeVar, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from compass.team.store import PAGE, TeamStore
from evaluator.errors import StateError
from evaluator.model import NamedReaders
from evaluator.readers.team.wire import Evaluation, EvaluationRequest, Principal
from evaluator.service.http_calls import Bodies
from evaluator.service.metrics import BUCKETS, Requests

T = TypeVar("T")
Evaluate = Callable[[Principal, EvaluationRequest], Awaitable[Evaluation]]

LOGGER: Final = logging.getLogger("compass.team")
FRAMES_MAX: Final = 5
READY_SECONDS: Final = 3.0


class TeamMetrics:
    """`told`: what is measured at each look, by name."""

    def __init__(self, told: Mapping[str, Callable[[], float]]) -> None:
        self.registry = registry = CollectorRegistry()

        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"compass_team_{name}", what, labels, registry=registry)

        self.requests = Requests(registry, "compass_team", "Requests to the team's evaluator.")
        self.evaluations = counter("evaluations", "Evaluations that were answered.", "outcome")
        self.refusals = counter("refusals", "Requests that were refused.", "kind")
        self.seconds = Histogram(
            "compass_team_evaluation_seconds", "From request to answer.", registry=registry, buckets=BUCKETS
        )
        for name, value in told.items():
            gauge = Gauge(f"compass_team_{name}", f"Now: {name.replace('_', ' ')}.", registry=registry)
            gauge.set_function(value)
        ProcessCollector(registry=registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)


# The log


def log_event(level: int, event: str, /, **fields: object) -> None:
    """Fields that are None are left out."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, event, extra={"told": fields})


def set_up_log(stream: IO[str]) -> None:
    """Sets up the whole process's log: other programs' records go by their constant text, without what they fill in."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(logging.INFO)
    # It tells of its own start, and of a fault that the guard has told already.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)


def fault_place(fault: BaseException) -> str:
    """The innermost lines of code that a fault came through, without what it says: that may quote anything."""
    frames = traceback.extract_tb(fault.__traceback__)[-FRAMES_MAX:]
    return " < ".join(f"{os.path.basename(one.filename)}:{one.lineno}" for one in reversed(frames))


class LogLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        ours = record.name == LOGGER.name
        moment = time.gmtime(record.created)
        found: dict[str, object] = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', moment)}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.msg if ours else "log",
        }
        if not ours:
            found |= {"logger": record.name, "text": str(record.msg)}
        if record.exc_info and record.exc_info[1] is not None:
            fault = record.exc_info[1]
            found |= {"fault": type(fault).__name__, "at": fault_place(fault)}
        told = getattr(record, "told", None)
        if isinstance(told, dict):
            fields = cast(dict[str, object], told)
            found |= {name: value for name, value in fields.items() if value is not None}
        return json.dumps(found, default=str)


# What requests stand on


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
    """`waiting_max`: so many requests may be inside at once. `probes` has a thread and a connection that no request
    takes: a replica that is full is ready all the same."""

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
    of_person: defaultdict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
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
        log_event(logging.WARNING, "not ready", cause=str(error))
        return False


async def json_lines(work: Work, rows: Iterator[Mapping[str, object]]) -> AsyncIterator[bytes]:
    """A long list as JSON lines, read a page at a time. The first page is read before this returns, so that a database
    out of reach is still a refusal. Raises StateError then; where it is lost later the answer breaks off without its
    end."""

    def page() -> bytes:
        return b"".join(json.dumps(row).encode() + b"\n" for row in islice(rows, PAGE))

    first = await work(page)

    async def rest() -> AsyncIterator[bytes]:
        read = first
        while read:
            yield read
            read = await work(page)

    return rest()
