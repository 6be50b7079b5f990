"""What an evaluation takes, told to metrics and traces: the store's bookings, and the steps as they end."""

from __future__ import annotations

from contextvars import ContextVar
from typing import cast

from evaluator.service.team.metrics import TeamMetrics
from evaluator.service.team.spans import Spans
from evaluator.team.model import (
    Begun,
    EvaluationRequest,
    Finished,
    Flying,
    Line,
    Need,
    Principal,
)
from evaluator.team.ports import TeamStore

STEPS: ContextVar[dict[str, float]] = ContextVar("steps")
"""Seconds by step, of the request that is answered here."""


class Steps:
    """What `Evaluating` is given to tell how long its steps took."""

    def __init__(self, metrics: TeamMetrics, spans: Spans) -> None:
        self._metrics, self._spans = metrics, spans

    def told(self, name: str, seconds: float) -> None:
        self._metrics.step(name, seconds)
        self._spans.step(name, seconds, {})
        taken = STEPS.get(None)
        if taken is not None:
            taken[name] = taken.get(name, 0.0) + seconds


class _Watched:
    """A store whose bookings are counted; all else is the store's own."""

    def __init__(self, store: TeamStore, metrics: TeamMetrics) -> None:
        self._store, self._metrics = store, metrics

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def begin(
        self,
        who: Principal,
        request: EvaluationRequest,
        identity: str,
        need: Need,
        line: Line,
        token: str,
        wait: float,
    ) -> Begun:
        begun = self._store.begin(who, request, identity, need, line, token, wait)
        if isinstance(begun, Flying):
            self._metrics.reserved(need.usd)
        return begun

    def finish(
        self,
        who: Principal,
        request: EvaluationRequest,
        identity: str,
        line: Line,
        token: str,
        flying: Flying,
        finished: Finished,
    ) -> None:
        self._store.finish(who, request, identity, line, token, flying, finished)
        self._metrics.settled(finished.outcome, finished.usd, finished.samples)


def watched(store: TeamStore, metrics: TeamMetrics) -> TeamStore:
    return cast(TeamStore, _Watched(store, metrics))
