"""What a replica tells: metrics for Prometheus, its log, and the traces of requests.

No label, line or span holds a team's or a person's name, a token, a path or text of an exchange.
"""

from __future__ import annotations

import json
import logging
import os
import re
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from typing import IO, Final, Protocol, cast

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from evaluator.service.metrics import BUCKETS, Requests

LOGGER: Final = logging.getLogger("compass.team")
FRAMES_MAX: Final = 5
CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
SMALL = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
Attribute = str | int | float | bool

_TRACEPARENT = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


class TeamMetrics:
    """`told` gives what is measured now, by name."""

    def __init__(self, told: Callable[[], Mapping[str, float]]) -> None:
        self.registry = CollectorRegistry()
        self._requests = Requests(self.registry, "compass_team", "Requests to the team's evaluator.")
        self._evaluations = self._counter("evaluations", "Evaluations that were answered.", "outcome")
        self._refusals = self._counter("refusals", "Requests that were refused.", "kind")
        self._samples = self._counter("samples", "Requests to the provider, as they were settled.")
        self._usd = self._counter("spend_usd", "US dollars, reserved before and settled after.", "state")
        self._unpriced = self._counter("unpriced", "Evaluations whose cost is not known.")
        self._seconds = self._histogram("evaluation_seconds", "From request to answer.", BUCKETS)
        self._added = self._histogram(
            "added_seconds", "Of that without the readers; not of shared ones.", SMALL
        )
        self._steps = self._histogram(
            "step_seconds", "Of an evaluation: begin, readers, finish.", BUCKETS, "step"
        )
        self._wait = self._histogram("store_wait_seconds", "Until a thread was free for the database.", SMALL)
        self.registry.register(_Now(told))
        ProcessCollector(registry=self.registry)

    def request(self, route: str, status: int, seconds: float) -> None:
        self._requests.note(route, status, seconds)

    def refused(self, kind: str) -> None:
        self._refusals.labels(kind).inc()

    def answered(self, seconds: float, readers: float | None) -> None:
        """An evaluation. `readers`: how long they took, None where nobody was asked for this request."""
        self._seconds.observe(seconds)
        if readers is None:
            self._evaluations.labels("shared").inc()
        else:
            self._added.observe(max(seconds - readers, 0.0))

    def step(self, name: str, seconds: float) -> None:
        self._steps.labels(name).observe(seconds)

    def reserved(self, usd: float | None) -> None:
        self._usd.labels("reserved").inc(usd or 0.0)

    def settled(self, outcome: str, usd: float | None, samples: int) -> None:
        """An evaluation whose readers were asked and whose record is kept."""
        self._evaluations.labels(outcome).inc()
        self._samples.inc(samples)
        if usd is None:
            self._unpriced.inc()
        else:
            self._usd.labels("settled").inc(usd)

    def waited(self, seconds: float) -> None:
        self._wait.observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"compass_team_{name}", what, labels, registry=self.registry)

    def _histogram(self, name: str, what: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"compass_team_{name}", what, labels, registry=self.registry, buckets=buckets)


class _Now(Collector):
    def __init__(self, told: Callable[[], Mapping[str, float]]) -> None:
        self._told = told

    def collect(self) -> Iterable[Metric]:
        for name, value in self._told().items():
            yield GaugeMetricFamily(f"compass_team_{name}", f"Now: {name.replace('_', ' ')}.", value=value)


# The log


def tell(level: int, event: str, /, **fields: object) -> None:
    """Fields that are None are left out."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, event, extra={"told": fields})


def log_lines(stream: IO[str]) -> None:
    """For all of the process: other programs' records are told by their constant text, without what they fill in."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(logging.INFO)
    # It tells of its own start, and of a fault that the guard has told already.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)


def where(fault: BaseException) -> str:
    """The innermost lines of code that a fault came through, without what it says: that may quote anything."""
    frames = traceback.extract_tb(fault.__traceback__)[-FRAMES_MAX:]
    return " < ".join(f"{os.path.basename(one.filename)}:{one.lineno}" for one in reversed(frames))


class Lines(logging.Formatter):
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
            found |= {"fault": type(fault).__name__, "at": where(fault)}
        told = getattr(record, "told", None)
        if isinstance(told, dict):
            fields = cast(dict[str, object], told)
            found |= {name: value for name, value in fields.items() if value is not None}
        return json.dumps(found, default=str)


# Traces


class Span(Protocol):
    """A request's course, as whoever traces it is told."""

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits, empty for none."""
        ...

    def end(self, status: int, attributes: Mapping[str, Attribute]) -> None: ...


class Spans(Protocol):
    def begin(self, method: str, route: str, traceparent: str) -> Span:
        """`traceparent` is the request's header where it is a sound one, else empty."""
        ...

    def step(self, name: str, seconds: float, attributes: Mapping[str, Attribute]) -> None:
        """A step of the request at hand that has just ended."""
        ...

    def close(self) -> None: ...


class NoSpan:
    def __init__(self, trace_id: str) -> None:
        self.trace_id = trace_id

    def end(self, status: int, attributes: Mapping[str, Attribute]) -> None:
        """Nobody listens."""


class NoSpans:
    """Takes up a caller's trace for the log alone."""

    def begin(self, method: str, route: str, traceparent: str) -> Span:
        return NoSpan(traceparent[3:35])

    def step(self, name: str, seconds: float, attributes: Mapping[str, Attribute]) -> None:
        """Nobody listens."""

    def close(self) -> None:
        """Nothing is open."""


def sound(traceparent: bytes | None) -> str:
    """The header as W3C's Trace Context states it, version 00; empty for any other."""
    text = (traceparent or b"").decode("latin-1").strip()
    return text if _TRACEPARENT.fullmatch(text) else ""


STEPS: ContextVar[dict[str, float]] = ContextVar("steps")
"""Seconds by step, of the request that is answered here."""


class Steps:
    """What `TeamEvaluations` tells of an evaluation: its bookings, and how long its steps took."""

    def __init__(self, metrics: TeamMetrics, spans: Spans) -> None:
        self._metrics, self._spans = metrics, spans
        self.reserved = metrics.reserved
        self.settled = metrics.settled

    def step(self, name: str, seconds: float) -> None:
        self._metrics.step(name, seconds)
        self._spans.step(name, seconds, {})
        taken = STEPS.get(None)
        if taken is not None:
            taken[name] = taken.get(name, 0.0) + seconds
