"""One evaluation of a team: one at a time for the same question, paid within the caps, answered once it is kept."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Final, Protocol, TypeVar

from compass.team.model import Begun, Finished, Flying, Landed, Line, Need, Refused, Waiting
from compass.team.provider import Meter
from compass.team.store import TeamStore
from evaluator.breaker import outcome_of
from evaluator.errors import CompassError, StateError
from evaluator.model import Sample
from evaluator.ports import Clock
from evaluator.readers.team.wire import Evaluation, EvaluationRequest, Principal, evaluation_of
from evaluator.record import plain_of, replace
from evaluator.verdict.convergence import converge

T = TypeVar("T")

MARGIN_SECONDS: Final = 0.3
"""Kept of the gate's time, to settle, to keep the record and to answer."""
RENEW_SECONDS: Final = 1.5
"""A renewal is one of the team's turns at writing. One that fails is followed by another within the flight's lease."""
AGAIN_SECONDS: Final = 0.3
LONGEST_POLL_SECONDS: Final = 0.5


class Provider(Protocol):
    """Who reads for the team. `fingerprint` changes with whatever makes other answers of the same evidence; `seconds`
    is how long one answer may take.
    """

    backend: str
    model: str
    prompt: str
    fingerprint: str
    seconds: float
    line: Line

    def least(self, request: EvaluationRequest) -> int:
        """How many samples have to be valid."""
        ...

    def need(self, request: EvaluationRequest) -> Need: ...

    async def samples(
        self, request: EvaluationRequest, seconds: float, meter: Meter
    ) -> tuple[Sample, ...]: ...

    async def aclose(self) -> None: ...


class Watch(Protocol):
    """Hears of an evaluation's bookings, and how many seconds its steps `begin`, `readers` and `finish` took."""

    def reserved(self, usd: float | None, /) -> None: ...

    def settled(self, outcome: str, usd: float | None, samples: int, /) -> None: ...

    def step(self, name: str, seconds: float, /) -> None: ...


class InThread(Protocol):
    """Runs what waits for the database beside the loop."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class TeamEvaluations:
    """All evaluations of one replica. `counts` are its own: evaluations by outcome, `shared`, refusals by kind."""

    def __init__(
        self,
        store: TeamStore,
        provider: Provider,
        clock: Clock,
        *,
        in_thread: InThread,
        token: Callable[[], str],
        watch: Watch,
    ) -> None:
        self._store = store
        self._provider = provider
        self._clock = clock
        self._in_thread = in_thread
        self._token = token
        self._watch = watch
        self._under_way: dict[tuple[str, str], asyncio.Event] = {}
        self._flying: dict[str, set[str]] = {}
        self._renewing: dict[str, asyncio.Task[None]] = {}
        self.counts: Counter[str] = Counter()

    async def evaluate(self, who: Principal, request: EvaluationRequest) -> Evaluation:
        """Raises Refused, and StateError where the database cannot be used; nothing was acknowledged then."""
        arrived = self._clock.monotonic()
        try:
            found = await self._evaluate(who, request, arrived)
        except Refused as refusal:
            self.counts[refusal.kind] += 1
            raise
        self.counts["shared" if found.shared else "evaluated"] += 1
        return found

    async def close(self) -> None:
        await self._provider.aclose()

    async def _evaluate(self, who: Principal, request: EvaluationRequest, arrived: float) -> Evaluation:
        token = self._token()
        identity = token if request.alone else identity_of(request, self._provider)
        need = self._provider.need(request)
        poll = 0.0
        while True:
            waited = self._clock.monotonic() - arrived
            left = request.seconds - waited - MARGIN_SECONDS
            if left <= 0:
                raise Refused("late", "no answer within the time that the gate waits")
            await self._join((who.team, identity), left)
            asked = replace(request, waited=request.waited + (self._clock.monotonic() - arrived))
            async with self._alone((who.team, identity)) as alone:
                if not alone:
                    continue
                begun = await self._begin(who, asked, need, identity, token)
                if isinstance(begun, Flying):
                    with self._renewed(who.team, token):
                        return await self._fly(
                            who, asked, Meter(need.usd_each), identity, token, begun, arrived
                        )
            if isinstance(begun, Landed):
                return shared(begun)
            left = request.seconds - (self._clock.monotonic() - arrived) - MARGIN_SECONDS
            poll = self._pause(begun, left, poll)
            await asyncio.sleep(poll)

    def _pause(self, waiting: Waiting, left: float, before: float) -> float:
        """Seconds until it is worth asking again. Raises Refused where that is too late."""
        if waiting.because == "rate":
            if waiting.seconds > left:
                raise Refused(
                    "rate", "the team's rate towards the provider is used up", retry_after=waiting.seconds
                )
            return waiting.seconds
        if left <= 0:
            raise Refused("late", "the evaluation of the same evidence did not end in time")
        return min(max(waiting.seconds, 1.5 * before), LONGEST_POLL_SECONDS, left)

    async def _join(self, key: tuple[str, str], seconds: float) -> None:
        """Wait for the same question of this replica, as long as there is time."""
        ended = self._under_way.get(key)
        if ended is not None:
            try:
                await asyncio.wait_for(ended.wait(), seconds)
            except TimeoutError:
                raise Refused("late", "the evaluation of the same evidence did not end in time") from None

    @asynccontextmanager
    async def _alone(self, key: tuple[str, str]) -> AsyncGenerator[bool]:
        """Whether nobody else of this replica asks the same; if so, they wait from here on."""
        if key in self._under_way:
            yield False
            return
        ended = self._under_way[key] = asyncio.Event()
        try:
            yield True
        finally:
            del self._under_way[key]
            ended.set()

    async def _begin(
        self, who: Principal, request: EvaluationRequest, need: Need, identity: str, token: str
    ) -> Begun:
        began = self._clock.monotonic()
        line = self._provider.line
        wait = request.seconds - MARGIN_SECONDS

        def enter() -> Begun:
            found = self._store.begin(who, request, identity, need, line, token, wait)
            if isinstance(found, Flying):
                self._watch.reserved(need.usd)
            return found

        begun = await self._in_thread(enter)
        self._watch.step("begin", self._clock.monotonic() - began)
        return begun

    async def _fly(
        self,
        who: Principal,
        request: EvaluationRequest,
        meter: Meter,
        identity: str,
        token: str,
        flying: Flying,
        arrived: float,
    ) -> Evaluation:
        provider, store = self._provider, self._store
        began = self._clock.monotonic()
        try:
            seconds = max(request.seconds - (began - arrived) - MARGIN_SECONDS, 0.0)
            samples = await provider.samples(request, seconds, meter)
        except BaseException:
            self.counts["broken"] += 1
            await asyncio.shield(
                self._left_behind(lambda: store.abandon(who, identity, provider.line, token, flying))
            )
            raise
        read = self._clock.monotonic()
        self._watch.step("readers", read - began)
        evaluation = Evaluation(
            flying.evaluation_id,
            provider.backend,
            provider.model,
            provider.prompt,
            samples,
            policy=flying.policy,
            thresholds=flying.thresholds,
        )
        least = provider.least(request)
        convergence = converge(samples, least)
        # Who waits for less than readers may take gets no answer by that: it says nothing of the line to them.
        cut = convergence is None and seconds < provider.seconds and any(map(is_late, samples))
        finished = Finished(
            outcome_of([one for one in samples if not (cut and is_late(one))], least),
            meter.usd,
            meter.requests,
            evaluation,
            convergence,
            round((read - arrived) * 1000),
        )

        def settle() -> None:
            store.finish(who, request, identity, provider.line, token, flying, finished)
            self._watch.settled(finished.outcome, finished.usd, finished.samples)

        # What was paid for is settled and kept although nobody should wait for it any more.
        keeping = self._patiently(settle, arrived + request.seconds)
        await asyncio.shield(asyncio.ensure_future(keeping))
        self._watch.step("finish", self._clock.monotonic() - read)
        return evaluation

    @contextmanager
    def _renewed(self, team: str, token: str) -> Generator[None]:
        """The flight lasts while the block runs: one transaction renews all of a team's."""
        flying = self._flying.setdefault(team, set())
        flying.add(token)
        if len(flying) == 1:
            self._renewing[team] = asyncio.create_task(self._renew(team, flying))
        try:
            yield
        finally:
            flying.remove(token)
            if not flying:
                self._renewing.pop(team).cancel()

    async def _renew(self, team: str, flying: set[str]) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            tokens = tuple(flying)
            with suppress(CompassError):  # the next one may reach the database again
                await self._in_thread(partial(self._store.renew, team, tokens))

    async def _patiently(self, work: Callable[[], T], until: float) -> T:
        """Tried again while the database cannot be used, as long as the gate waits. Raises StateError."""
        while True:
            try:
                return await self._in_thread(work)
            except StateError:
                if self._clock.monotonic() + AGAIN_SECONDS > until:
                    raise
                await asyncio.sleep(AGAIN_SECONDS)

    async def _left_behind(self, work: Callable[[], None]) -> None:
        try:
            await self._in_thread(work)
        except CompassError:
            # What was reserved stays booked and the flight's lease ends, which is what this would have told.
            self.counts["not_abandoned"] += 1


def identity_of(request: EvaluationRequest, provider: Provider) -> str:
    """A digest that is equal for the same question to the same readers, to the letter."""
    parts: Mapping[str, object] = {
        "evidence": plain_of(request.evidence),
        "thresholds": None if request.thresholds is None else plain_of(request.thresholds),
        "blind": request.blind,
        "readers": [provider.backend, provider.model, provider.prompt, provider.fingerprint],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def is_late(sample: Sample) -> bool:
    """Whether its time ran out."""
    return (sample.error or "").partition(":")[0] == "timeout"


def shared(landed: Landed) -> Evaluation:
    """The answer that somebody else paid for."""
    found = evaluation_of(json.loads(landed.answer))
    return replace(
        found,
        samples=tuple(map(Sample.paid_by_another, found.samples)),
        shared=True,
        policy=landed.policy,
        thresholds=landed.thresholds,
    )
