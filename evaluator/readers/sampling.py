"""Hosted readers of one subject, in one look or two: retries, a deadline, an end once the verdict is settled.

The first look is quick, of two readers, and passes what both find clear. All else is decided by the second, of up to N
who are shown more and reason before they score.

A reader's failure is a sample with an error, never an exception. Such an error starts with its kind: a
FaultKind, or `cancelled`. asyncio is imported at the first use, tenacity at the first fault.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from evaluator import ports
from evaluator.egress import prompt
from evaluator.egress.prompt import ANSWER_TOKENS, schema_of
from evaluator.egress.reader_answer import parse_answer
from evaluator.errors import ReaderError
from evaluator.model import LEAST_TO_DESTROY, Look, Sample, Subject, Thresholds
from evaluator.record import Record, replace
from evaluator.settings.keys import Settings
from evaluator.verdict import convergence

if TYPE_CHECKING:
    import asyncio

    from tenacity import RetryCallState

RETRIES: Final = 1
"""Of one reader, on 429, 529, 5xx and broken connections."""
RETRY_SECONDS: Final = 2.0
"""Before a retry, unless the server says otherwise."""
RISK: Final = 0.01
"""The chance at which the outstanding readers of a second look may still change its verdict."""

SHORTEST_ATTEMPT_SECONDS: Final = 0.5
"""A retry that would leave the reader less time than this is not made."""

SETTLED: Final = "cancelled: verdict settled"

FIRST_LOOK_SHARE: Final = 0.5
"""Of the check's seconds; the second look needs the rest."""

Ends = Callable[[Sequence[Sample], int], bool]
"""(samples so far, how many are outstanding) -> whether those cannot change anything any more."""


class SamplingPlan(Record):
    """How many readers are asked, and how. Times are in seconds.

    `first_look`: how many readers are asked for a quick look, 0 for none. Of the second look's `n` the last `blind` are
    not shown the write, and `at_once` are asked together, None for all; the others only if these do not settle the
    verdict, which a chance of at most `risk` that it still changes does. A reader whose answer is invalid is asked
    `again` that often. `short`: all are told in the words for small models.
    """

    n: int
    temperature: float | None
    max_output_tokens: int
    sample_timeout_seconds: float
    min_valid_samples: int
    retries: int = RETRIES
    retry_seconds: float = RETRY_SECONDS
    first_look: int = 0
    at_once: int | None = None
    risk: float = 0.0
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
        looks_twice = settings.sampling.strategy == "two_looks" and n > convergence.FIRST_LOOK
        return cls(
            n=n,
            first_look=convergence.FIRST_LOOK if looks_twice else 0,
            at_once=min(n, least) if looks_twice else None,
            risk=RISK if looks_twice else 0.0,
            temperature=evaluator.temperature,
            max_output_tokens=evaluator.max_output_tokens,
            sample_timeout_seconds=seconds,
            min_valid_samples=least,
            again=again,
            short=short,
        ).with_blind(settings.convergence.blind)

    def with_blind(self, blind: int) -> SamplingPlan:
        """At least one reader has to see the write, or nobody judges it."""
        return replace(self, blind=min(blind, self.n - 1))


class _Asked(Record):
    """One reader's question. `look` and `blind` say what is to be answered."""

    name: str
    request: ports.ReaderRequest
    look: Look
    blind: bool = False


class SampledReaders:
    """Asks `backend` as `plan` says. `nonce` gives fresh letters and digits, one for each check: what the readers of a
    look are sent is the same to the letter, which a server needs to read once."""

    def __init__(
        self,
        backend: ports.Backend,
        plan: SamplingPlan,
        *,
        thresholds: Callable[[Subject], Thresholds | None],
        clock: ports.Clock,
        nonce: Callable[[], str],
    ) -> None:
        """`thresholds`: what the subject's check is held against; None where all readers are to be heard."""
        self.name = backend.name
        self.model = backend.model
        self._backend = backend
        self._plan = plan
        self._thresholds = thresholds
        self._clock = clock
        self._nonce = nonce
        self._sent: ports.Sent = {}

    def telling(self, sent: ports.Sent) -> SampledReaders:
        """As `evaluator.ports.CountedReaders` has it."""
        found = SampledReaders(
            self._backend, self._plan, thresholds=self._thresholds, clock=self._clock, nonce=self._nonce
        )
        found._sent = sent
        return found

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """`collect_async` on a loop of its own; closes the backend's connections. Not in a running loop."""
        from evaluator.readers import event_loop

        left = max(seconds - ports.GRACE_SECONDS, seconds / 2)
        return event_loop.run_to_end(self.collect_async(subject, left), self._backend.aclose())

    async def aclose(self) -> None:
        """Closes the backend's connections; on the loop that they belong to."""
        await self._backend.aclose()

    async def collect_async(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """The samples of the first look, where there is one, then those of the second, where the first does not pass;
        each in reader order. Within `seconds`; connections stay open for the next check."""
        seconds = max(seconds - ports.GRACE_SECONDS, seconds / 2)
        started, nonce = self._clock.monotonic(), self._nonce()
        held = self._thresholds(subject)
        destructive = subject.effects.operation_class == "destructive"
        quick: tuple[Sample, ...] = ()
        if (
            held is not None
            and self._plan.first_look
            and convergence.first_look_may_pass(held, destructive=destructive)
        ):
            quick = await self._sample_first_look(subject, nonce, held, started + seconds * FIRST_LOOK_SHARE)
            if convergence.first_look_passes(quick, held, destructive=destructive):
                return quick
        end = started + seconds
        return quick + await self._sample_second_look(subject, nonce, held, end, destructive=destructive)

    async def _sample_first_look(
        self, subject: Subject, nonce: str, held: Thresholds, end: float
    ) -> tuple[Sample, ...]:
        request = self._build_reader_request(subject, nonce, "first")
        asked = [
            _Asked(f"first-{number}", request, "first") for number in range(1, self._plan.first_look + 1)
        ]

        def cannot_pass(samples: Sequence[Sample], outstanding: int) -> bool:
            hopeful = [
                one
                for one in samples
                if one.valid and convergence.score_of(one) >= held.confidence - convergence.TOLERANCE
            ]
            return len(hopeful) < len(samples)

        return await self._sample_in_waves(asked, end, (len(asked),), cannot_pass)

    async def _sample_second_look(
        self, subject: Subject, nonce: str, held: Thresholds | None, end: float, *, destructive: bool
    ) -> tuple[Sample, ...]:
        plan = self._plan
        seeing, blind = (
            self._build_reader_request(subject, nonce, "second", blind=hidden) for hidden in (False, True)
        )
        asked = [
            _Asked(f"reader-{number}", blind if hidden else seeing, "second", hidden)
            for number in range(1, plan.n + 1)
            for hidden in (number > plan.n - plan.blind,)
        ]
        # Fewer than LEAST_TO_DESTROY must not pass a destructive call, so they do not settle it either.
        least = max(plan.min_valid_samples, LEAST_TO_DESTROY) if destructive else plan.min_valid_samples

        def settled(samples: Sequence[Sample], outstanding: int) -> bool:
            valid = [one for one in samples if one.valid]
            if held is None or len(valid) < least or all(one.blind for one in valid):
                return False
            scores = [convergence.score_of(one) for one in valid]
            return convergence.may_stop(scores, len(scores) + outstanding, held, plan.risk)

        # One more often settles it; after that, waiting costs more than the calls that it may save.
        waves = (plan.n,) if plan.at_once is None else (plan.at_once, 1, plan.n)
        return await self._sample_in_waves(asked, end, waves, settled)

    async def _sample_in_waves(
        self, asked: Sequence[_Asked], end: float, waves: Sequence[int], ends: Ends
    ) -> tuple[Sample, ...]:
        """The samples of those who were asked, in their order: so many in each wave, the next one begun where all of
        the last are in and `ends` does not say that the rest is not needed."""
        import asyncio

        started = self._clock.monotonic()
        tasks: list[asyncio.Task[Sample]] = []
        reason = "timeout: the check's deadline came first"
        try:
            for wave in waves:
                more = asked[len(tasks) : len(tasks) + wave]
                tasks += [asyncio.create_task(self._sample_reader(one, end)) for one in more]
                if await self._wait_for_samples(tasks, end, len(asked) - len(tasks), ends):
                    reason = SETTLED
                    break
        finally:
            # What does not end by that within the grace is left behind.
            running = [task for task in tasks if not task.done()]
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running, timeout=ports.GRACE_SECONDS)
        elapsed = self._sampling_ms_since(started)
        return tuple(
            _sample_of_task(task, one, reason, elapsed) for task, one in zip(tasks, asked, strict=False)
        )

    async def _wait_for_samples(
        self, tasks: Sequence[asyncio.Task[Sample]], end: float, unasked: int, ends: Ends
    ) -> bool:
        """Whether the rest is not needed, the `unasked` included; False at the deadline, or once all samples are in."""
        import asyncio

        pending = {task for task in tasks if not task.done()}
        while pending and (left := end - self._clock.monotonic()) > 0:
            done, pending = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            ended = [task for task in tasks if task.done() and not task.cancelled()]
            samples = [task.result() for task in ended if task.exception() is None]
            if done and ends(samples, len(pending) + unasked):
                return True
        return False

    async def _sample_reader(self, asked: _Asked, end: float) -> Sample:
        """The last answer of a reader, with what all of them took."""
        name = asked.name
        started = self._clock.monotonic()
        self._sent[name] = 0.0
        replies: list[ports.ReaderReply] = []
        while True:
            answer: ports.ReaderReply | None = None
            try:
                answer = await self._ask_reader_with_retry(asked.request, end)
            except ports.UnusableReplyError as fault:
                sample, answer = _failed_sample(asked, str(fault)), fault.reply
            except ReaderError as fault:
                sample = _failed_sample(asked, str(fault))
            else:
                lenient = not answer.keeps_schema
                sample = parse_answer(answer.text, name, look=asked.look, blind=asked.blind, lenient=lenient)
            replies += [] if answer is None else [answer]
            self._sent[name] = _reader_replies_cost(replies) or 0.0
            late = self._clock.monotonic() + SHORTEST_ATTEMPT_SECONDS > end
            if sample.valid or answer is None or late or len(replies) > self._plan.again:
                break
        return replace(
            sample,
            latency_ms=self._sampling_ms_since(started),
            input_tokens=sum(answer.input_tokens for answer in replies),
            output_tokens=sum(answer.output_tokens for answer in replies),
            cost_usd=_reader_replies_cost(replies),
        )

    def _build_reader_request(
        self, subject: Subject, nonce: str, look: Look, *, blind: bool = False
    ) -> ports.ReaderRequest:
        asked = prompt.build_prompt(subject.evidence, nonce, look=look, blind=blind, short=self._plan.short)
        return ports.ReaderRequest(
            system=asked.system,
            user=asked.user,
            schema=schema_of(look, blind=blind),
            max_output_tokens=max(self._plan.max_output_tokens, ANSWER_TOKENS[look]),
            temperature=self._plan.temperature,
            timeout=self._plan.sample_timeout_seconds,
            user_id=user_id_of(subject.pending.session_id),
        )

    async def _ask_reader_with_retry(self, request: ports.ReaderRequest, end: float) -> ports.ReaderReply:
        """Asked again while that can help and fits before `end`."""
        try:
            return await self._attempt_reader_request(request, end)
        except ReaderError as fault:
            if not fault.retryable:
                raise
            ended = [fault]
        from tenacity import AsyncRetrying, retry_if_exception

        async def attempt() -> ports.ReaderReply:
            if ended:
                raise ended.pop()
            return await self._attempt_reader_request(request, end)

        def wait(state: RetryCallState) -> float:
            fault = state.outcome.exception() if state.outcome else None
            wish = fault.retry_after if isinstance(fault, ReaderError) else None
            return self._plan.retry_seconds if wish is None else wish

        def stop(state: RetryCallState) -> bool:
            back = self._clock.monotonic() + state.upcoming_sleep
            return state.attempt_number > self._plan.retries or back + SHORTEST_ATTEMPT_SECONDS > end

        def may_pass(fault: BaseException) -> bool:
            return isinstance(fault, ReaderError) and fault.retryable

        retrying = AsyncRetrying(retry=retry_if_exception(may_pass), wait=wait, stop=stop, reraise=True)
        return await retrying(attempt)

    async def _attempt_reader_request(self, request: ports.ReaderRequest, end: float) -> ports.ReaderReply:
        """One request; also a backend that does not mind its timeout is held to it."""
        import asyncio

        seconds = max(min(request.timeout, end - self._clock.monotonic()), 0.0)
        try:
            async with asyncio.timeout(seconds):
                return await self._backend.ask(replace(request, timeout=seconds))
        except TimeoutError as fault:
            raise ReaderError("timeout", f"no answer within {seconds:.3g} s") from fault

    def _sampling_ms_since(self, started: float) -> int:
        return round((self._clock.monotonic() - started) * 1000)


def _reader_replies_cost(replies: Sequence[ports.ReaderReply]) -> float | None:
    known = [answer.cost_usd for answer in replies if answer.cost_usd is not None]
    return sum(known) if known else None


def user_id_of(session_id: str) -> str:
    """What the API learns of a session: 32 hex digits that cannot be turned back."""
    return hashlib.sha256(b"compass:" + session_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _sample_of_task(task: asyncio.Task[Sample], asked: _Asked, reason: str, elapsed_ms: int) -> Sample:
    if not task.done() or task.cancelled():
        return replace(_failed_sample(asked, reason), latency_ms=elapsed_ms)
    fault = task.exception()
    if fault is None:
        return task.result()
    crashed = f"invalid: the reader crashed ({type(fault).__name__})"
    return replace(_failed_sample(asked, crashed), latency_ms=elapsed_ms)


def _failed_sample(asked: _Asked, error: str) -> Sample:
    return Sample(reader=asked.name, error=error, blind=asked.blind, look=asked.look)
