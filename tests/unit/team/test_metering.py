"""What an evaluation used, where answers fail in all their ways. Money is US dollars."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from apis.backends import REQUEST
from corpora import corpus

from compass.team.provider import Metered
from evaluator.errors import FaultKind, ReaderError
from evaluator.ports import ReaderReply, ReaderRequest, UnusableReplyError
from evaluator.readers.response import fault_of_status


class Answers:
    """A backend that does what it is told, one thing a request."""

    name, model = "toy", "toy"

    def __init__(self, *does: ReaderReply | Exception) -> None:
        self._does = list(does)

    async def ask(self, request: ReaderRequest) -> ReaderReply:
        if not self._does:
            await asyncio.sleep(60)
        found = self._does.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    async def aclose(self) -> None: ...


def asked(most: float | None, *does: ReaderReply | Exception) -> Metered:
    backend = Metered(Answers(*does), most)

    async def ask() -> None:
        for _ in does:
            with contextlib.suppress(ReaderError):
                await backend.ask(REQUEST)

    asyncio.run(ask())
    return backend


def test_answers_cost_what_they_cost() -> None:
    meter = asked(0.5, ReaderReply("x", cost_usd=0.1), UnusableReplyError("y", ReaderReply("", cost_usd=0.2)))
    assert meter.usd == pytest.approx(0.3)
    assert meter.requests == 2


@corpus(
    ("kind", "usd"),
    [
        ("rate", 0.0),
        ("limit", 0.0),
        ("authentication", 0.0),
        ("refused", 0.0),
        ("server", 0.0),
        ("timeout", 0.5),
        ("transport", 0.5),
        ("invalid", 0.5),
    ],
)
def test_a_fault_that_leaves_the_use_unknown_is_booked_at_the_most(kind: FaultKind, usd: float) -> None:
    meter = asked(0.5, ReaderError(kind, "x"))
    assert meter.usd == pytest.approx(usd)
    assert meter.requests == 1


def test_what_a_gateway_says_tells_nothing_of_the_use() -> None:
    meter = asked(0.5, fault_of_status(504, "x"), fault_of_status(503, "x"))
    assert meter.usd == pytest.approx(0.5)


def test_a_request_that_is_cancelled_is_booked_at_the_most() -> None:
    async def cancelled() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await meter.ask(REQUEST)

    meter = Metered(Answers(), 0.5)
    asyncio.run(cancelled())
    assert meter.usd == 0.5


@pytest.mark.parametrize("most", [None, 0.5])
def test_an_answer_without_a_price_leaves_the_sum_unknown(most: float | None) -> None:
    meter = asked(most, ReaderReply("x", cost_usd=0.1), ReaderReply("x"))
    assert meter.usd is None
    assert meter.requests == 2


def test_a_price_that_only_the_answers_tell_counts() -> None:
    known = ReaderReply("x", cost_usd=0.1)
    assert asked(None, known).usd == pytest.approx(0.1)
    assert asked(None, known, ReaderError("timeout", "late")).usd is None
