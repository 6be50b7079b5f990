"""One evaluation of a team: one at a time for the same question, paid within the caps, answered once it is kept."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, TypeVar

from compass.team.model import Finished, Flight, Flying, Landed, Refused, Waiting
from compass.team.provider import TeamProvider
from compass.team.replica import TeamMetrics, Work
from compass.team.store import TeamStore
from evaluator.breaker import evaluation_outcome
from evaluator.errors import CompassError, StateError
from evaluator.model import Sample
from evaluator.ports import Clock
from evaluator.readers.team.documents import EvaluationDocument
from evaluator.readers.team.wire import Evaluation, EvaluationRequest, Principal
from evaluator.record import plain_of, replace
from evaluator.verdict.convergence import converge

T = TypeVar("T")

MARGIN_SECONDS: Final = 0.3
"""Kept of the gate's time, to settle, to keep the record and to answer."""
RENEW_SECONDS: Final = 1.5
"""A renewal is one of the team's turns at writing. One that fails is followed by another within the flight's lease."""
AGAIN_SECONDS: Final = 0.3
LONGEST_POLL_SECONDS: Final = 0.5
TOO_LATE: Final = "the evaluation of the same evidence did not finish in time"


class TeamEvaluations:
    """All evaluations of one replica."""

    def __init__(
        self, store: TeamStore, provider: TeamProvider, clock: Clock, in_thread: Work, metrics: TeamMetrics
    ) -> None:
        self._store = store
        self._provider = provider
        self._clock = clock
        self._in_thread = in_thread
        self._metrics = metrics
        self._flying: dict[str, set[str]] = {}
        self._renewing: dict[str, asyncio.Task[None]] = {}

    async def evaluate(self, who: Principal, request: EvaluationRequest) -> Evaluation:
        """The answer to one request of a laptop. Raises Refused, and StateError where the database cannot be used;
        nothing was acknowledged then."""
        arrived = self._clock.monotonic()
        token = secrets.token_hex(8)
        identity = token if request.alone else identity_of(request, self._provider)
        flight = Flight(who, request, identity, token, self._provider.need(request), self._provider.line)
        poll = 0.0
        while True:
            if self._evaluation_seconds_left(request, arrived) <= 0:
                raise Refused("late", "no answer while the gate was waiting")
            waited = request.waited + self._clock.monotonic() - arrived
            flight = replace(flight, request=replace(request, waited=waited))
            begun = await self._in_thread(
                partial(self._store.begin, flight, request.seconds - MARGIN_SECONDS)
            )
            if isinstance(begun, Flying):
                with self._renew_evaluation_lease(who.team, token):
                    found = await self._run_evaluation(flight, begun, arrived)
                self._metrics.seconds.observe(self._clock.monotonic() - arrived)
                return found
            if isinstance(begun, Landed):
                self._metrics.evaluations.labels("shared").inc()
                return shared(begun)
            poll = _evaluation_pause(begun, self._evaluation_seconds_left(request, arrived), poll)
            await asyncio.sleep(poll)

    def _evaluation_seconds_left(self, request: EvaluationRequest, arrived: float) -> float:
        """Seconds for what is to be done before the answer."""
        return request.seconds - (self._clock.monotonic() - arrived) - MARGIN_SECONDS

    async def _run_evaluation(self, flight: Flight, flying: Flying, arrived: float) -> Evaluation:
        provider, store, request = self._provider, self._store, flight.request
        seconds = max(self._evaluation_seconds_left(request, arrived), 0.0)
        try:
            samples, meter = await provider.samples(request, seconds, flight.need.usd_each)
        except BaseException:
            # Else what was reserved stays booked and the flight's lease ends, which is what this would have told.
            with suppress(CompassError):
                await asyncio.shield(self._in_thread(partial(store.abandon, flight.who.team, flight, flying)))
            raise
        read = self._clock.monotonic()
        who = (provider.backend, provider.model, provider.prompt)
        evaluation = Evaluation(flying.evaluation_id, *who, samples, policy=flying.policy)
        least = provider.least(request)
        convergence = converge(samples, least)
        # Who waits for less than readers may take gets no answer by that: it says nothing of the line to them.
        cut = convergence is None and seconds < provider.seconds and any(map(is_late, samples))
        outcome = evaluation_outcome([one for one in samples if not (cut and is_late(one))], least)
        took = round((read - arrived) * 1000)
        finished = Finished(outcome, meter.usd, meter.requests, evaluation, convergence, took)

        async def settle() -> None:
            """Tried again while the database cannot be used, as long as the gate waits."""
            while True:
                try:
                    await self._in_thread(partial(store.finish, flight.who.team, flight, flying, finished))
                    break
                except StateError:
                    if self._clock.monotonic() + AGAIN_SECONDS > arrived + request.seconds:
                        raise
                    await asyncio.sleep(AGAIN_SECONDS)
            self._metrics.evaluations.labels(finished.outcome).inc()

        # What was paid for is settled and kept although nobody should wait for it any more.
        await asyncio.shield(asyncio.ensure_future(settle()))
        return evaluation

    @contextmanager
    def _renew_evaluation_lease(self, team: str, token: str) -> Generator[None]:
        """The flight lasts while the block runs: one transaction renews all of a team's."""
        flying = self._flying.setdefault(team, set())
        flying.add(token)

        async def renew() -> None:
            while True:
                await asyncio.sleep(RENEW_SECONDS)
                with suppress(CompassError):  # the next one may reach the database again
                    await self._in_thread(partial(self._store.renew, team, tuple(flying)))

        if len(flying) == 1:
            self._renewing[team] = asyncio.create_task(renew())
        try:
            yield
        finally:
            flying.remove(token)
            if not flying:
                self._renewing.pop(team).cancel()


def _evaluation_pause(waiting: Waiting, left: float, before: float) -> float:
    """Seconds until it is worth asking again. Raises Refused where that is too late."""
    if waiting.because == "rate":
        if waiting.seconds > left:
            raise Refused(
                "rate",
                "the team has reached its rate limit for requests to the provider",
                retry_after=waiting.seconds,
            )
        return waiting.seconds
    if left <= 0:
        raise Refused("late", TOO_LATE)
    return min(max(waiting.seconds, 1.5 * before), LONGEST_POLL_SECONDS, left)


def identity_of(request: EvaluationRequest, provider: TeamProvider) -> str:
    """A digest that is equal for the same question to the same readers, to the letter."""
    parts: Mapping[str, object] = {
        "evidence": plain_of(request.evidence),
        "thresholds": None if request.thresholds is None else plain_of(request.thresholds),
        "blind": request.blind,
        "readers": [provider.backend, provider.model, provider.prompt, provider.fingerprint],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def is_late(sample: Sample) -> bool:
    """Whether a reader's time ran out."""
    return (sample.error or "").partition(":")[0] == "timeout"


def shared(landed: Landed) -> Evaluation:
    """The evaluation of a landed flight, which somebody else paid for."""
    found = EvaluationDocument.model_validate(json.loads(landed.answer)).record()
    return replace(
        found, samples=tuple(map(Sample.paid_by_another, found.samples)), shared=True, policy=landed.policy
    )
