"""Readers of one check for a test: over the loopback API, or over a backend whose answers are coroutines.

A test file takes the fixture by name, as in `backend = scriptedreaders.backend`.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence

import pytest
from apis.backends import api_backend
from apis.loopback_api import LoopbackApi, answer

from compass.composition.gate import SystemClock
from evaluator.model import Effects, Evidence, Exchange, PendingWrite, Sample, Subject, Thresholds
from evaluator.ports import Backend, ReaderReply, ReaderRequest
from evaluator.readers.anthropic_api import AnthropicBackend
from evaluator.readers.sampling import SampledReaders, SamplingPlan

SECRET = "the text of the file itself"

SUBJECT = Subject(
    pending=PendingWrite("claude-code", "session-1", "Write", {"content": SECRET}, "/p", "/p"),
    effects=Effects("write", "create", "additive", ("/p/a.py",), lines=1),
    exchange=Exchange(("add a.py",)),
    evidence=Evidence("Write", "create", "additive", ("a.py",), "add a.py", lines=1),
)

PATIENCE_SECONDS = 30.0
"""For what has to succeed, however busy the machine is."""

PLAN = SamplingPlan(
    n=5, temperature=0.3, max_output_tokens=128, sample_timeout_seconds=PATIENCE_SECONDS, min_valid_samples=3,
    retries=1, retry_seconds=0.05,
)  # fmt: skip


BLOCKS_ALL = Thresholds(1.0, 1.0)
"""No answer of `says` reaches that: any of them settles the verdict."""


def readers(
    backend: Backend, plan: SamplingPlan = PLAN, thresholds: Thresholds | None = None
) -> SampledReaders:
    nonces = map("nonce{}".format, itertools.count(1))
    return SampledReaders(
        backend, plan, thresholds=lambda _: thresholds, clock=SystemClock(), nonce=lambda: next(nonces)
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


async def said(text: str) -> ReaderReply:
    return ReaderReply(text)


@pytest.fixture
def backend(api: LoopbackApi) -> AnthropicBackend:
    return api_backend(api)


def errors(samples: Sequence[Sample]) -> list[str]:
    return [(sample.error or "valid").split(":")[0] for sample in samples]
