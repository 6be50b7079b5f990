"""N readers at once: order, retries, deadlines, the early end, and what a check reveals of its session."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from loopback_api import Behaviour, LoopbackApi, answer, barrier, garbage, hang, reply, reset, status

from evaluator.errors import ReaderError
from evaluator.model import Effect, Evidence, Exchange, PendingWrite, Sample, Subject
from evaluator.ports import Backend, ReaderReply, ReaderRequest
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.sampling import SETTLED, SampledReaders, SamplingPlan, Settled, user_id_of
from evaluator.settings import build
from evaluator.stages import prompt

MODEL = "claude-haiku-4-5-20251001"
SECRET = "the text of the file itself"

SUBJECT = Subject(
    pending=PendingWrite("claude-code", "session-1", "Write", {"content": SECRET}, "/p", "/p"),
    effect=Effect("write", "create", "additive", ("/p/a.py",), lines=1),
    exchange=Exchange(("add a.py",)),
    evidence=Evidence("Write", "create", "additive", ("a.py",), "add a.py", lines=1),
)

PLAN = SamplingPlan(
    n=5, temperature=0.3, max_output_tokens=128, sample_timeout_seconds=2.0, min_valid_samples=3, retries=1,
    retry_seconds=0.05,
)  # fmt: skip


class RealClock:
    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()


def never(valid: Sequence[Sample], outstanding: int) -> bool:
    return False


def always(valid: Sequence[Sample], outstanding: int) -> bool:
    return True


def readers(backend: Backend, plan: SamplingPlan = PLAN, settled: Settled = never) -> SampledReaders:
    numbers = itertools.count(1)
    return SampledReaders(
        backend, plan, settled=settled, clock=RealClock(), nonce=lambda: f"nonce{next(numbers)}"
    )


class Scripted:
    """A backend whose answers are coroutines, one per request in turn; the last one repeats."""

    name = "scripted"
    model = "scripted-1"

    def __init__(self, *behaviours: Callable[[], Awaitable[ReaderReply]]) -> None:
        self.behaviours = list(behaviours)
        self.requests: list[ReaderRequest] = []
        self.closed = 0

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        self.requests.append(request)
        behaviour = self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]
        return await behaviour()

    async def aclose(self) -> None:
        self.closed += 1


def says(score: float = 0.9, *, after: float = 0.0) -> Callable[[], Awaitable[ReaderReply]]:
    async def behaviour() -> ReaderReply:
        await asyncio.sleep(after)
        return ReaderReply(answer(score), input_tokens=100, output_tokens=20, cost_usd=0.0002)

    return behaviour


def fails(fault: Exception) -> Callable[[], Awaitable[ReaderReply]]:
    async def behaviour() -> ReaderReply:
        raise fault

    return behaviour


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    with LoopbackApi() as server:
        yield server


@pytest.fixture
def backend(api: LoopbackApi) -> AnthropicBackend:
    return AnthropicBackend(MODEL, {"ANTHROPIC_API_KEY": "sk-ant-test-not-a-key"}, base_url=api.url)


def errors(samples: Sequence[Sample]) -> list[str]:
    return [(sample.error or "valid").split(":")[0] for sample in samples]


def test_all_readers_are_in_flight_together(api: LoopbackApi, backend: AnthropicBackend) -> None:
    api.default = barrier(5)
    samples = readers(backend).collect(SUBJECT, 5.0)
    assert [sample.reader for sample in samples] == [f"reader-{n}" for n in range(1, 6)]
    assert all(sample.valid for sample in samples)
    assert api.in_flight_max == 5


def test_every_sample_has_latency_tokens_and_cost_valid_or_not(
    api: LoopbackApi, backend: AnthropicBackend
) -> None:
    api.default = reply(delay=0.05)
    api.queue(reply("no answer at all", delay=0.05), reply('{"score', stop_reason="max_tokens", delay=0.05))
    samples = readers(backend).collect(SUBJECT, 5.0)
    assert sorted(errors(samples)) == ["invalid", "invalid", "valid", "valid", "valid"]
    for sample in samples:
        assert (sample.input_tokens, sample.output_tokens) == (100, 20)
        assert sample.cost_usd == pytest.approx(0.0002)
        assert 40 <= sample.latency_ms < 5000


def test_a_request_reveals_no_session_and_no_file_content(
    api: LoopbackApi, backend: AnthropicBackend
) -> None:
    readers(backend).collect(SUBJECT, 5.0)
    for received in api.requests:
        assert received.body["metadata"] == {"user_id": user_id_of("session-1")}
        said = json.dumps([received.body, dict(received.headers)])
        assert "session-1" not in said
        assert SECRET not in said
    assert re.fullmatch(r"[0-9a-f]{32}", user_id_of("a\ud800\x00../b"))


def test_each_request_has_a_nonce_of_its_own(api: LoopbackApi, backend: AnthropicBackend) -> None:
    readers(backend).collect(SUBJECT, 5.0)
    users = [received.body["messages"][0]["content"] for received in api.requests]
    nonces = [re.findall(r"<current_request-(\w+)>", user) for user in users]
    assert sorted(itertools.chain(*nonces)) == [f"nonce{n}" for n in range(1, 6)]


def test_the_answer_gets_the_tokens_that_it_needs() -> None:
    small, large = Scripted(says()), Scripted(says())
    readers(small).collect(SUBJECT, 5.0)
    readers(large, replace(PLAN, max_output_tokens=4000)).collect(SUBJECT, 5.0)
    assert {request.max_output_tokens for request in small.requests} == {prompt.ANSWER_TOKENS}
    assert {request.max_output_tokens for request in large.requests} == {4000}


def test_the_plan_of_a_backend_follows_its_own_settings() -> None:
    settings = build({"claude_cli.n": 2, "claude_cli.timeout_seconds": 11.0, "evaluator.n": 7})
    paid, nested = SamplingPlan.of(settings, "anthropic"), SamplingPlan.of(settings, "claude-cli")
    assert (paid.n, paid.sample_timeout_seconds) == (7, 8.0)
    assert (nested.n, nested.sample_timeout_seconds) == (2, 11.0)


# Failures.


def test_failed_readers_become_invalid_samples_and_lose_none_of_the_others(
    api: LoopbackApi, backend: AnthropicBackend
) -> None:
    api.queue(status(401), status(400), garbage())
    samples = readers(backend, replace(PLAN, retries=0)).collect(SUBJECT, 5.0)
    assert sorted(errors(samples)) == ["authentication", "invalid", "refused", "valid", "valid"]


def test_a_backend_that_breaks_is_an_invalid_sample() -> None:
    samples = readers(Scripted(fails(KeyError("x")), says())).collect(SUBJECT, 5.0)
    assert [sample.error for sample in samples] == ["invalid: the reader broke (KeyError)"] + [None] * 4


@pytest.mark.parametrize("behaviour", [status(429), status(500), status(529), reset()])
def test_what_may_pass_is_asked_again_once(
    api: LoopbackApi, backend: AnthropicBackend, behaviour: Behaviour
) -> None:
    api.queue(behaviour)
    samples = readers(backend, replace(PLAN, n=1)).collect(SUBJECT, 5.0)
    assert errors(samples) == ["valid"]
    assert len(api.requests) == 2
    assert samples[0].latency_ms >= 50


@pytest.mark.parametrize(("code", "asked"), [(500, 2), (400, 1), (401, 1), (403, 1), (404, 1)])
def test_what_stays_is_asked_no_more_than_allowed(
    api: LoopbackApi, backend: AnthropicBackend, code: int, asked: int
) -> None:
    api.default = status(code)
    assert not readers(backend, replace(PLAN, n=1)).collect(SUBJECT, 5.0)[0].valid
    assert len(api.requests) == asked


def test_retry_after_is_honoured(api: LoopbackApi, backend: AnthropicBackend) -> None:
    api.queue(status(429, retry_after=0.4))
    assert readers(backend, replace(PLAN, n=1)).collect(SUBJECT, 5.0)[0].valid
    first, second = api.requests
    assert second.at - first.at >= 0.4


def test_a_retry_that_does_not_fit_is_not_made(api: LoopbackApi, backend: AnthropicBackend) -> None:
    api.default = status(429, retry_after=60)
    started = time.monotonic()
    (sample,) = readers(backend, replace(PLAN, n=1)).collect(SUBJECT, 5.0)
    assert time.monotonic() - started < 2.0
    assert sample.error is not None
    assert sample.error.startswith("rate: 429 from 127.0.0.1:")
    assert len(api.requests) == 1


# Time.


def test_one_hung_sample_costs_its_timeout_and_no_more(api: LoopbackApi, backend: AnthropicBackend) -> None:
    api.queue(hang())
    started = time.monotonic()
    samples = readers(backend, replace(PLAN, sample_timeout_seconds=0.5)).collect(SUBJECT, 10.0)
    assert sorted(errors(samples)) == ["timeout", "valid", "valid", "valid", "valid"]
    assert 0.4 < time.monotonic() - started < 3.0


def test_the_deadline_of_the_check_ends_samples_that_could_go_on(
    api: LoopbackApi, backend: AnthropicBackend
) -> None:
    api.default = hang()
    started = time.monotonic()
    samples = readers(backend, replace(PLAN, sample_timeout_seconds=30.0)).collect(SUBJECT, 1.0)
    assert errors(samples) == ["timeout"] * 5
    assert 0.3 < time.monotonic() - started < 1.5


def test_the_check_ends_when_the_slowest_sample_does() -> None:
    started = time.monotonic()
    readers(Scripted(says(after=0.2), says())).collect(SUBJECT, 30.0)
    assert 0.19 < time.monotonic() - started < 2.0


def test_a_backend_that_clings_to_its_connection_does_not_hold_the_check(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def stuck() -> ReaderReply:
        while True:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                continue

    started = time.monotonic()
    samples = readers(Scripted(stuck, says())).collect(SUBJECT, 1.0)
    assert errors(samples) == ["timeout", "valid", "valid", "valid", "valid"]
    assert time.monotonic() - started < 2.0
    assert capfd.readouterr().err == ""


def test_the_samples_before_a_stop_of_the_caller_are_cancelled() -> None:
    ended: list[str] = []

    async def slow() -> ReaderReply:
        try:
            await asyncio.sleep(30)
        finally:
            ended.append("cancelled")
        raise AssertionError

    async def leave() -> None:
        task = asyncio.create_task(readers(Scripted(slow)).collect_async(SUBJECT, 30.0))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert ended == ["cancelled"] * 5


def test_a_lookup_that_never_ends_does_not_keep_the_process_alive() -> None:
    program = """
import asyncio, time
from evaluator.readers import loop

async def stuck():
    return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, time.sleep, 60), 0.1)

async def nothing():
    pass

try:
    loop.run(stuck(), nothing(), 0.1)
except TimeoutError:
    print("let go")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=True
    )
    assert (done.stdout, done.stderr) == ("let go\n", "")


def test_collect_is_refused_within_a_running_loop_without_a_trace_left() -> None:
    async def inside() -> None:
        with pytest.raises(RuntimeError):
            readers(Scripted(says())).collect(SUBJECT, 1.0)

    asyncio.run(inside())


def test_the_service_can_collect_again_and_again_on_its_loop(
    api: LoopbackApi, backend: AnthropicBackend
) -> None:
    async def twice() -> list[Sample]:
        judge = readers(backend)
        samples = [*await judge.collect_async(SUBJECT, 5.0), *await judge.collect_async(SUBJECT, 5.0)]
        await backend.aclose()
        return samples

    assert all(sample.valid for sample in asyncio.run(twice()))


def test_collect_closes_the_connections_and_can_be_called_again(backend: AnthropicBackend) -> None:
    judge = readers(backend)
    assert all(sample.valid for _ in range(2) for sample in judge.collect(SUBJECT, 5.0))
    scripted = Scripted(says())
    readers(scripted).collect(SUBJECT, 5.0)
    assert scripted.closed == 1


# The early end.


def test_what_cannot_change_the_verdict_is_cancelled(api: LoopbackApi, backend: AnthropicBackend) -> None:
    api.queue(*(reply(answer(0.1)) for _ in range(3)), hang(), hang())
    seen: list[tuple[int, int]] = []

    def settled(valid: Sequence[Sample], outstanding: int) -> bool:
        seen.append((len(valid), outstanding))
        return True

    started = time.monotonic()
    samples = readers(backend, settled=settled).collect(SUBJECT, 20.0)
    assert time.monotonic() - started < 2.0
    assert sorted(sample.error or "" for sample in samples) == ["", "", "", SETTLED, SETTLED]
    assert seen == [(3, 2)]


def test_no_sample_is_cancelled_before_the_minimum_is_valid() -> None:
    refused = fails(ReaderError("refused", "no"))
    backend = Scripted(says(), says(), refused, refused, says(after=0.2))
    samples = readers(backend, settled=always).collect(SUBJECT, 5.0)
    assert errors(samples) == ["valid", "valid", "refused", "refused", "valid"]


def test_an_unsettled_verdict_waits_for_all() -> None:
    backend = Scripted(says(), says(), says(), says(), says(after=0.2))
    assert all(sample.valid for sample in readers(backend).collect(SUBJECT, 5.0))


def test_nothing_heavy_is_imported_before_the_first_use() -> None:
    program = (
        "import sys; import evaluator.readers.sampling, evaluator.readers.ready, evaluator.readers.pricing; "
        "print([m for m in ('asyncio', 'tenacity', 'pydantic', 'anthropic', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_blind_readers_are_the_last_and_are_not_shown_the_write() -> None:
    backend = Scripted(lambda: said(answer_without_fits()))
    plan = replace(PLAN, n=5, blind=2, min_valid_samples=3)

    async def by_kind(request: ReaderRequest) -> ReaderReply:
        backend.requests.append(request)
        blind = "fits" not in json.dumps(request.schema)
        return ReaderReply(answer_without_fits() if blind else answer())

    backend.ask = by_kind  # type: ignore[method-assign]
    samples = readers(backend, plan).collect(SUBJECT, 5)
    assert [sample.blind for sample in samples] == [False, False, False, True, True]
    assert [sample.fits for sample in samples] == [True, True, True, None, None]
    assert all(sample.valid for sample in samples)
    shown = ["a.py" in request.user.replace("add a.py", "") for request in backend.requests]
    assert sorted(shown) == [False, False, True, True, True]


def test_a_blind_readers_answer_that_speaks_of_the_write_is_invalid() -> None:
    samples = readers(Scripted(lambda: said(answer())), replace(PLAN, blind=1)).collect(SUBJECT, 5)
    assert [sample.valid for sample in samples] == [True, True, True, True, False]


@pytest.mark.parametrize(("settled", "asked"), [(always, 3), (never, 5)])
def test_sequential_sampling_asks_the_others_only_if_the_first_do_not_settle_it(
    settled: Settled, asked: int
) -> None:
    backend = Scripted(lambda: said(answer()))
    samples = readers(backend, replace(PLAN, first=3), settled).collect(SUBJECT, 5)
    assert len(backend.requests) == len(samples) == asked
    assert all(sample.valid for sample in samples)


def answer_without_fits() -> str:
    found = json.loads(answer())
    del found["fits"]
    return json.dumps(found)


async def said(text: str) -> ReaderReply:
    return ReaderReply(text)
