"""N hosted readers of one subject, side by side: retries, a deadline, an end once the verdict is settled.

A reader's failure is a sample with an error, never an exception. Such an error starts with its kind: a
FaultKind, or `cancelled`. asyncio is imported at the first use, tenacity at the first fault.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from evaluator.configuration.settings import Settings
from evaluator.egress import answer as reply
from evaluator.egress import prompt
from evaluator.egress.schema import ANSWER_TOKENS, BLIND_SCHEMA, SCHEMA
from evaluator.errors import ReaderError
from evaluator.model import LEAST_TO_DESTROY, Sample, Subject
from evaluator.ports import Backend, Clock, ReaderReply, ReaderRequest, Sent, UnusableReplyError
from evaluator.record import Record, replace
from evaluator.verdict.anticipation import READERS
from evaluator.verdict.escalation import FIRST, Look

if TYPE_CHECKING:
    import asyncio

    from tenacity import RetryCallState

GRACE_SECONDS: Final = 0.2
"""For cancelled requests to close their connections; taken from the time that the caller gives."""

SHORTEST_ATTEMPT_SECONDS: Final = 0.5
"""A retry that would leave the reader less time than this is not made."""

SETTLED: Final = "cancelled: verdict settled"

Settled = Callable[[Sequence[Sample], int], bool]
"""(valid samples so far, how many are outstanding) -> whether those cannot change the verdict any more."""


class SamplingPlan(Record):
    """How many readers are asked, and how. Times are in seconds.

    The last `blind` of the `n` are not shown the write. `first` of the `n` are asked at once, None for all; the
    others only if these do not settle the verdict. A reader whose answer is invalid is asked `again` that often.
    `short`: all are told in the words for small models.
    """

    n: int
    temperature: float | None
    max_output_tokens: int
    sample_timeout_seconds: float
    min_valid_samples: int
    retries: int
    retry_seconds: float
    first: int | None = None
    blind: int = 0
    again: int = 0
    short: bool = False

    @classmethod
    def of(
        cls,
        settings: Settings,
        n: int,
        seconds: float,
        *,
        least: int | None = None,
        again: int = 0,
        short: bool = False,
    ) -> SamplingPlan:
        """The plan for `n` readers of a backend, with `seconds` for each sample; `least` None is the usual one."""
        evaluator = settings.evaluator
        least = evaluator.min_valid_samples if least is None else least
        sequential = settings.sampling.strategy == "sequential"
        plan = cls(
            n=n,
            first=min(n, least) if sequential else None,
            temperature=evaluator.temperature,
            max_output_tokens=evaluator.max_output_tokens,
            sample_timeout_seconds=seconds,
            min_valid_samples=least,
            again=again,
            short=short,
            retries=evaluator.retries,
            retry_seconds=evaluator.retry_seconds,
        )
        return plan.with_blind(settings.convergence.blind)

    def with_blind(self, blind: int) -> SamplingPlan:
        """At least one reader has to see the write, or nobody judges it."""
        return replace(self, blind=min(blind, self.n - 1))

    def ahead(self) -> SamplingPlan:
        """Of the same readers two, both of them needed, before there is a write that they could be shown."""
        return replace(self, n=READERS, blind=READERS, min_valid_samples=READERS, first=None)


class SampledReaders:
    """Asks `backend` as `plan` says. `nonce` gives fresh letters and digits, one for each check: what its readers
    are sent is the same to the letter, which a server needs to read once.
    """

    def __init__(
        self,
        backend: Backend,
        plan: SamplingPlan,
        *,
        settled: Settled,
        clock: Clock,
        nonce: Callable[[], str],
        look: Callable[[Subject], Look | None] | None = None,
    ) -> None:
        """`look`: readers of a subject are asked as its look says, one after the other; as planned where it is None."""
        self.name = backend.name
        self.model = backend.model
        self._backend = backend
        self._plan = plan
        self._settled = settled
        self._clock = clock
        self._nonce = nonce
        self._look = look
        self._sent: Sent = {}

    def telling(self, sent: Sent) -> SampledReaders:
        """As `evaluator.ports.CountedReaders` has it."""
        found = SampledReaders(
            self._backend,
            self._plan,
            settled=self._settled,
            clock=self._clock,
            nonce=self._nonce,
            look=self._look,
        )
        found._sent = sent
        return found

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """`collect_async` on a loop of its own; closes the backend's connections. Not in a running loop."""
        from evaluator.readers import loop

        left = max(seconds - GRACE_SECONDS, seconds / 2)
        return loop.run(self.collect_async(subject, left), self._backend.aclose(), GRACE_SECONDS)

    async def aclose(self) -> None:
        """Closes the backend's connections; on the loop that they belong to."""
        await self._backend.aclose()

    async def collect_async(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """Samples in reader order, within `seconds`; connections stay open for the next check."""
        import asyncio

        started = self._clock.monotonic()
        end = started + max(seconds - GRACE_SECONDS, seconds / 2)
        names = [f"reader-{number}" for number in range(1, self._plan.n + 1)]
        unseeing = frozenset(names[self._plan.n - self._plan.blind :])
        nonce = self._nonce()
        asked = {
            blind: self._request(subject, nonce, blind=blind)
            for blind in {name in unseeing for name in names}
        }
        look = None if self._look is None else self._look(subject)
        tasks: list[asyncio.Task[Sample]] = []
        reason = "timeout: the check's deadline came first"

        def start(count: int) -> None:
            for name in names[len(tasks) : len(tasks) + count]:
                blind = name in unseeing
                tasks.append(asyncio.create_task(self._sample(name, asked[blind], end, blind=blind)))

        try:
            if look is not None:
                await self._escalate(tasks, start, look, end)
            elif await self._in_waves(tasks, start, end, self._least(subject)):
                reason = SETTLED
        finally:
            await _give_up(tasks)
        elapsed = self._milliseconds_since(started)
        found = (_outcome(task, name, reason, elapsed) for task, name in zip(tasks, names, strict=False))
        return tuple(replace(sample, blind=sample.reader in unseeing) for sample in found)

    async def _in_waves(
        self, tasks: Sequence[asyncio.Task[Sample]], start: Callable[[int], None], end: float, least: int
    ) -> bool:
        """Whether the verdict was settled early."""
        n = self._plan.n
        first = n if self._plan.first is None else self._plan.first
        # One more often settles it; after that, waiting costs more than the calls that it may save.
        for wave in (first, 1, n):
            start(wave)
            if await self._until_settled(tasks, end, least):
                return True
        return False

    async def _escalate(
        self, tasks: Sequence[asyncio.Task[Sample]], start: Callable[[int], None], look: Look, end: float
    ) -> None:
        """Two readers, then one more after each look that does not end the check.

        Where answers fail, as many as are wanting are asked at once, and all the others where the time is short: that
        takes looks away, and no look is added to those that cuts were certified for.
        """
        import asyncio

        start(FIRST)
        slowest = 0.0
        while (left := end - self._clock.monotonic()) > 0:
            asked = self._clock.monotonic()
            _, pending = await asyncio.wait([task for task in tasks if not task.done()], timeout=left)
            if pending:
                return
            valid = [task.result() for task in tasks if _succeeded(task) and task.result().valid]
            failed, rest = len(tasks) - len(valid), self._plan.n - len(tasks)
            enough = len(valid) >= (max(FIRST, self._plan.min_valid_samples) if failed else FIRST)
            seen = any(not sample.blind for sample in valid)
            if not rest or (enough and seen and look(valid)):
                return
            now = self._clock.monotonic()
            slowest = max(slowest, now - asked)
            wanting = self._plan.min_valid_samples - len(valid) if failed else 1
            start(rest if rest * slowest > end - now else max(1, wanting))

    async def _until_settled(self, tasks: Sequence[asyncio.Task[Sample]], end: float, least: int) -> bool:
        """Whether the verdict was settled early; False at the deadline, or once all of these samples are in."""
        import asyncio

        pending = {task for task in tasks if not task.done()}
        while pending and (left := end - self._clock.monotonic()) > 0:
            done, pending = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            valid = [task.result() for task in tasks if _succeeded(task) and task.result().valid]
            seen = any(not sample.blind for sample in valid)
            enough = seen and len(valid) >= least
            outstanding = len(pending) + self._plan.n - len(tasks)
            if done and outstanding and enough and self._settled(valid, outstanding):
                return True
        return False

    def _least(self, subject: Subject) -> int:
        """Fewer than LEAST_TO_DESTROY must not pass a destructive call, so they do not settle it either."""
        least = self._plan.min_valid_samples
        destructive = subject.effects.operation_class == "destructive"
        return max(least, LEAST_TO_DESTROY) if destructive else least

    async def _sample(self, name: str, request: ReaderRequest, end: float, *, blind: bool) -> Sample:
        """The last answer of a reader, with what all of them took."""
        started = self._clock.monotonic()
        self._sent[name] = 0.0
        sample, answer = await self._once(name, request, end, blind=blind)
        replies = [] if answer is None else [answer]
        self._sent[name] = _cost(replies) or 0.0
        for _ in range(self._plan.again):
            late = self._clock.monotonic() + SHORTEST_ATTEMPT_SECONDS > end
            if sample.valid or answer is None or late:
                break
            sample, answer = await self._once(name, request, end, blind=blind)
            replies += [] if answer is None else [answer]
            self._sent[name] = _cost(replies) or 0.0
        return replace(
            sample,
            latency_ms=self._milliseconds_since(started),
            input_tokens=sum(answer.input_tokens for answer in replies),
            output_tokens=sum(answer.output_tokens for answer in replies),
            cost_usd=_cost(replies),
        )

    async def _once(
        self, name: str, request: ReaderRequest, end: float, *, blind: bool
    ) -> tuple[Sample, ReaderReply | None]:
        """The sample, and what was answered; None where nothing was."""
        try:
            answer = await self._answer(request, end)
        except UnusableReplyError as fault:
            return Sample(reader=name, error=str(fault)), fault.reply
        except ReaderError as fault:
            return Sample(reader=name, error=str(fault)), None
        return reply.parse(answer.text, name, blind=blind, lenient=not answer.keeps_schema), answer

    def _request(self, subject: Subject, nonce: str, *, blind: bool) -> ReaderRequest:
        asked = prompt.build(subject.evidence, nonce, blind=blind, short=self._plan.short)
        return ReaderRequest(
            system=asked.system,
            user=asked.user,
            schema=BLIND_SCHEMA if blind else SCHEMA,
            max_output_tokens=max(self._plan.max_output_tokens, ANSWER_TOKENS),
            temperature=self._plan.temperature,
            timeout=self._plan.sample_timeout_seconds,
            user_id=user_id_of(subject.pending.session_id),
        )

    async def _answer(self, request: ReaderRequest, end: float) -> ReaderReply:
        """Asked again while that can help and fits before `end`."""
        try:
            return await self._attempt(request, end)
        except ReaderError as fault:
            if not fault.retryable:
                raise
            return await self._again(request, end, fault)

    async def _again(self, request: ReaderRequest, end: float, first: ReaderError) -> ReaderReply:
        """After a first attempt that ended in that fault. Most need no other one, nor what tells when it is due."""
        from tenacity import AsyncRetrying, retry_if_exception

        ended = [first]

        async def attempt() -> ReaderReply:
            if ended:
                raise ended.pop()
            return await self._attempt(request, end)

        def wait(state: RetryCallState) -> float:
            fault = state.outcome.exception() if state.outcome else None
            wish = fault.retry_after if isinstance(fault, ReaderError) else None
            return self._plan.retry_seconds if wish is None else wish

        def stop(state: RetryCallState) -> bool:
            back = self._clock.monotonic() + state.upcoming_sleep
            return state.attempt_number > self._plan.retries or back + SHORTEST_ATTEMPT_SECONDS > end

        retrying = AsyncRetrying(retry=retry_if_exception(_retryable), wait=wait, stop=stop, reraise=True)
        return await retrying(attempt)

    async def _attempt(self, request: ReaderRequest, end: float) -> ReaderReply:
        """One request; also a backend that does not mind its timeout is held to it."""
        import asyncio

        seconds = max(min(request.timeout, end - self._clock.monotonic()), 0.0)
        try:
            async with asyncio.timeout(seconds):
                return await self._backend.ask(replace(request, timeout=seconds))
        except TimeoutError as fault:
            raise ReaderError("timeout", f"no answer within {seconds:.3g} s") from fault

    def _milliseconds_since(self, started: float) -> int:
        return round((self._clock.monotonic() - started) * 1000)


def _cost(replies: Sequence[ReaderReply]) -> float | None:
    known = [answer.cost_usd for answer in replies if answer.cost_usd is not None]
    return sum(known) if known else None


def user_id_of(session_id: str) -> str:
    """What the API learns of a session: 32 hex digits that cannot be turned back."""
    digest = hashlib.sha256(b"compass:" + session_id.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def _retryable(fault: BaseException) -> bool:
    return isinstance(fault, ReaderError) and fault.retryable


def _succeeded(task: asyncio.Task[Sample]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is None


async def _give_up(tasks: Sequence[asyncio.Task[Sample]]) -> None:
    """Cancels what still runs; what does not end by that within the grace is left behind."""
    import asyncio

    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running, timeout=GRACE_SECONDS)


def _outcome(task: asyncio.Task[Sample], name: str, reason: str, elapsed_ms: int) -> Sample:
    if not task.done() or task.cancelled():
        return Sample(reader=name, error=reason, latency_ms=elapsed_ms)
    fault = task.exception()
    if fault is None:
        return task.result()
    return Sample(
        reader=name, error=f"invalid: the reader broke ({type(fault).__name__})", latency_ms=elapsed_ms
    )
