"""What Prometheus is told of one replica. No label names a team, a person or a path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from evaluator.service.metrics import BUCKETS, Requests

__all__ = ["CONTENT_TYPE", "TeamMetrics"]

SMALL = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


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
