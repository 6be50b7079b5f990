"""When a check of N readers ends: timeouts, deadlines, the early end, and the loop and connections it leaves."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from apis import scriptedreaders
from apis.loopback_api import LoopbackApi, answer, hang, reply
from apis.scriptedreaders import (
    BLOCKS_ALL,
    PATIENCE_SECONDS,
    PLAN,
    SUBJECT,
    Scripted,
    errors,
    fails,
    readers,
    said,
    says,
)

from evaluator.errors import ReaderError
from evaluator.model import Sample, Thresholds
from evaluator.ports import ReaderReply
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.sampling import SETTLED

backend = scriptedreaders.backend


def test_one_hung_sample_costs_its_timeout_and_no_more() -> None:
    """The others answer in their first turn on the loop, before any timer."""
    hung = Scripted(forever, says())
    started = time.monotonic()
    samples = readers(hung, replace(PLAN, sample_timeout_seconds=0.5)).collect(SUBJECT, PATIENCE_SECONDS)
    assert errors(samples) == ["timeout", "valid", "valid", "valid", "valid"]
    assert time.monotonic() - started < PATIENCE_SECONDS / 2


async def forever() -> ReaderReply:
    await asyncio.Event().wait()
    raise AssertionError


def test_the_deadline_of_the_check_ends_samples_that_could_go_on(
    api: LoopbackApi, backend: AnthropicBackend
) -> None:
    api.default = hang()
    started = time.monotonic()
    samples = readers(backend).collect(SUBJECT, 1.0)
    assert errors(samples) == ["timeout"] * 5
    assert time.monotonic() - started < PATIENCE_SECONDS / 2


def test_the_check_ends_when_the_slowest_sample_does() -> None:
    ended: list[str] = []

    async def slowest() -> ReaderReply:
        await asyncio.sleep(0.2)
        ended.append("slowest")
        return await says()()

    started = time.monotonic()
    samples = readers(Scripted(slowest, says())).collect(SUBJECT, 2 * PATIENCE_SECONDS)
    assert ended == ["slowest"] and errors(samples) == ["valid"] * 5
    assert time.monotonic() - started < PATIENCE_SECONDS


@pytest.mark.full
def test_a_backend_that_clings_to_its_connection_does_not_hold_the_check(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def stuck() -> ReaderReply:
        while True:
            try:
                await asyncio.sleep(PATIENCE_SECONDS)
            except asyncio.CancelledError:
                continue

    started = time.monotonic()
    samples = readers(Scripted(stuck, says())).collect(SUBJECT, 5.0)
    assert errors(samples) == ["timeout", "valid", "valid", "valid", "valid"]
    assert time.monotonic() - started < PATIENCE_SECONDS / 2
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
        task = asyncio.create_task(readers(Scripted(slow)).collect_async(SUBJECT, PATIENCE_SECONDS))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert ended == ["cancelled"] * 5


def test_a_lookup_that_never_ends_does_not_keep_the_process_alive() -> None:
    program = """
import asyncio, time
from evaluator.readers import event_loop

async def stuck():
    return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, time.sleep, 60), 0.1)

async def nothing():
    pass

try:
    event_loop.run(stuck(), nothing(), 0.1)
except TimeoutError:
    print("let go")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("let go\n", "")


def test_collect_is_refused_within_a_running_loop_without_a_trace_left() -> None:
    async def inside() -> None:
        with pytest.raises(RuntimeError):
            readers(Scripted(says())).collect(SUBJECT, PATIENCE_SECONDS)

    asyncio.run(inside())


def test_the_service_can_collect_again_and_again_on_its_loop(
    api: LoopbackApi, backend: AnthropicBackend
) -> None:
    async def twice() -> list[Sample]:
        judge = readers(backend)
        samples = [
            *await judge.collect_async(SUBJECT, PATIENCE_SECONDS),
            *await judge.collect_async(SUBJECT, PATIENCE_SECONDS),
        ]
        await backend.aclose()
        return samples

    assert all(sample.valid for sample in asyncio.run(twice()))


def test_collect_closes_the_connections_and_can_be_called_again(backend: AnthropicBackend) -> None:
    judge = readers(backend)
    assert all(sample.valid for _ in range(2) for sample in judge.collect(SUBJECT, PATIENCE_SECONDS))
    scripted = Scripted(says())
    readers(scripted).collect(SUBJECT, PATIENCE_SECONDS)
    assert scripted.closed == 1


# The early end.


def test_what_cannot_change_the_verdict_is_cancelled(api: LoopbackApi, backend: AnthropicBackend) -> None:
    api.queue(*(reply(answer(0.1)) for _ in range(3)), hang(), hang())
    started = time.monotonic()
    samples = readers(backend, thresholds=Thresholds(0.5, 0.2)).collect(SUBJECT, PATIENCE_SECONDS)
    assert time.monotonic() - started < PATIENCE_SECONDS / 2
    assert sorted(sample.error or "" for sample in samples) == ["", "", "", SETTLED, SETTLED]


def test_no_sample_is_cancelled_before_the_minimum_is_valid() -> None:
    refused = fails(ReaderError("refused", "no"))
    backend = Scripted(says(), says(), refused, refused, says(after=0.2))
    samples = readers(backend, thresholds=BLOCKS_ALL).collect(SUBJECT, PATIENCE_SECONDS)
    assert errors(samples) == ["valid", "valid", "refused", "refused", "valid"]


def test_an_unsettled_verdict_waits_for_all() -> None:
    backend = Scripted(says(), says(), says(), says(), says(after=0.2))
    assert all(sample.valid for sample in readers(backend).collect(SUBJECT, PATIENCE_SECONDS))


@pytest.mark.parametrize(("thresholds", "asked"), [(BLOCKS_ALL, 3), (None, 5)])
def test_a_second_look_asks_the_others_only_if_the_first_do_not_settle_it(
    thresholds: Thresholds | None, asked: int
) -> None:
    backend = Scripted(lambda: said(answer()))
    samples = readers(backend, replace(PLAN, at_once=3), thresholds).collect(SUBJECT, PATIENCE_SECONDS)
    assert len(backend.requests) == len(samples) == asked
    assert all(sample.valid for sample in samples)
