"""What Prometheus is told: requests over HTTP by route and status, and the counts of the whole service."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

__all__ = ["CONTENT_TYPE", "Metrics"]

ROUTES = ("/v1/hooks/{event}", "/v1/checks", "/healthz", "/metrics", "/openapi.json")
OTHER = "other"
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0)
_COUNTED = {
    "requests": "Hook calls accepted, over the socket and over HTTP.",
    "silent": "Hook calls that needed no judgement.",
    "refused": "Hook calls that were refused.",
    "garbled": "Connections that sent malformed frames.",
    "broken": "Hook calls that got no answer.",
}
_MEASURED = {"waiting": "Hook calls waiting for a verdict.", "connections": "Open connections on the socket."}


class Requests:
    """Counts and durations of requests by route and status. `what` begins their help."""

    def __init__(self, registry: CollectorRegistry, prefix: str, what: str) -> None:
        self._requests = Counter(f"{prefix}_requests", what, ("route", "status"), registry=registry)
        self._seconds = Histogram(
            f"{prefix}_request_seconds", "Request duration.", ("route",), registry=registry, buckets=BUCKETS
        )
        self._children: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def note(self, route: str, status: int, seconds: float) -> None:
        """`route` is one of a bounded number."""
        found = self._children.get((route, status))
        if found is None:
            found = self._requests.labels(route, str(status)), self._seconds.labels(route)
            self._children[(route, status)] = found
        found[0].inc()
        found[1].observe(seconds)


class Metrics:
    """One registry a service. `told` gives the service's own counts by name."""

    def __init__(self, told: Callable[[], Mapping[str, object]]) -> None:
        self.registry = CollectorRegistry()
        self._requests = Requests(self.registry, "compass_http", "Requests over HTTP.")
        self.registry.register(_Service(told))
        ProcessCollector(registry=self.registry)

    def note(self, path: str, status: int, seconds: float) -> None:
        """Told by the template of the path: a label with a bounded number of values."""
        route = ROUTES[0] if path.startswith("/v1/hooks/") else path if path in ROUTES else OTHER
        self._requests.note(route, status, seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class _Service(Collector):
    def __init__(self, told: Callable[[], Mapping[str, object]]) -> None:
        self._told = told

    def collect(self) -> Iterable[Metric]:
        told = self._told()
        for family, names in ((CounterMetricFamily, _COUNTED), (GaugeMetricFamily, _MEASURED)):
            for name, what in names.items():
                found = told.get(name)
                value = float(found) if isinstance(found, int | float) else 0.0
                yield family(f"compass_{name}", what, value=value)
