"""Whom a token is believed to be; and tokens that nobody knows keep nobody waiting whose token holds."""

from __future__ import annotations

import asyncio
import secrets

import pytest
from corpora import corpus

from compass.team import admission as module
from compass.team.admission import BELIEVED_SECONDS, STRANGERS_AT_ONCE, STRANGERS_MAX, Principals
from compass.team.model import Refused
from evaluator.errors import StateError
from evaluator.readers.team.wire import Principal

TOKEN = f"cmp_acme_0123456789ab_{'s' * 43}"
HEADER = f"Bearer {TOKEN}".encode()


class Asked:
    """Principals over a store whose answers and clock a test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self.holds: Principal | None = Principal("acme", "ada", "0123456789ab", ("evaluate",), 1e12)
        self.fault: Exception | None = None
        self.looked: list[str] = []
        self.used: list[Principal] = []
        self.answers_strangers = asyncio.Event()
        self.answers_strangers.set()
        self.at_once = self.most = 0
        self.principals = Principals(self._look, self._use, clock=lambda: self.now, wall=lambda: self.now)

    async def _look(self, token: str) -> Principal | None:
        self.looked.append(token)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            await asyncio.sleep(0)
            if self.fault is not None:
                raise self.fault
            if token != TOKEN:
                await self.answers_strangers.wait()
            return self.holds if token == TOKEN else None
        finally:
            self.at_once -= 1

    async def _use(self, who: Principal) -> None:
        self.used.append(who)


def run(work):
    return asyncio.run(work)


def test_a_token_is_asked_again_after_two_seconds_and_then_refused():
    asked = Asked()

    async def course() -> None:
        assert await asked.principals.of(HEADER) is asked.holds
        asked.holds, asked.now = None, asked.now + 1.9
        assert await asked.principals.of(HEADER) is not None
        asked.now += 0.1
        assert await asked.principals.of(HEADER) is None

    run(course())
    assert len(asked.looked) == 2


def test_one_that_the_store_looks_at_again_is_believed_for_an_hour_or_until_it_holds_no_more():
    asked = Asked()

    async def course() -> None:
        assert await asked.principals.of(HEADER, rechecked=True) is asked.holds
        asked.now += 3599.9
        assert await asked.principals.of(HEADER, rechecked=True) is asked.holds
        assert len(asked.looked) == 1
        assert await asked.principals.of(HEADER) is asked.holds  # elsewhere nobody looks at it again
        asked.holds, asked.now = None, asked.now + 60
        assert await asked.principals.of(HEADER, rechecked=True) is not None
        asked.principals.forget(HEADER)
        assert await asked.principals.of(HEADER, rechecked=True) is None
        asked.now += 2.0
        assert await asked.principals.of(HEADER, rechecked=True) is None

    run(course())
    assert len(asked.looked) == 4


def test_a_token_that_was_made_meanwhile_holds_as_soon():
    asked = Asked()
    found, asked.holds = asked.holds, None

    async def course() -> None:
        assert await asked.principals.of(HEADER) is None
        asked.holds, asked.now = found, asked.now + 2.0
        assert await asked.principals.of(HEADER) is found

    run(course())


def test_many_at_once_ask_the_store_once_and_a_use_is_told_once_a_minute():
    asked = Asked()

    async def course() -> None:
        found = await asyncio.gather(*(asked.principals.of(HEADER) for _ in range(50)))
        assert found == [asked.holds] * 50
        asked.now += 61
        await asked.principals.of(HEADER)
        await asyncio.sleep(0)

    run(course())
    assert (len(asked.looked), len(asked.used)) == (2, 2)


def test_one_that_expires_while_it_is_believed_is_refused():
    asked = Asked()

    async def course() -> None:
        asked.holds = Principal("acme", "ada", "0123456789ab", ("evaluate",), asked.now + 1.0)
        assert await asked.principals.of(HEADER) is not None
        asked.now += 1.0
        assert await asked.principals.of(HEADER) is None

    run(course())


def test_a_store_that_is_out_of_reach_is_told_and_asked_again():
    asked = Asked()

    async def course() -> None:
        asked.fault = StateError("gone")
        for _ in range(2):
            with pytest.raises(StateError):
                await asked.principals.of(HEADER)
        asked.fault = None
        assert await asked.principals.of(HEADER) is asked.holds

    run(course())
    assert len(asked.looked) == 3


@corpus(
    "header",
    [
        None, b"", b"Bearer", b"Bearer x", TOKEN.encode(), b"Basic " + TOKEN.encode(),
        b"Bearer cmp_" + b"x" * 200, b"Bearer cmp_\xff",
    ],
)  # fmt: skip
def test_what_cannot_be_a_token_is_not_asked_for(header):
    asked = Asked()
    assert run(asked.principals.of(header)) is None
    assert asked.looked == []


def stranger() -> bytes:
    return f"Bearer cmp_red_{secrets.token_hex(6)}_{secrets.token_urlsafe(32)}".encode()


async def waiting(asked: Asked, count: int) -> list[asyncio.Task[Principal | None]]:
    """So many strangers whom the store does not answer, after the token was last asked about long ago."""
    asked.now += 2 * BELIEVED_SECONDS
    asked.answers_strangers.clear()
    found = [asyncio.create_task(asked.principals.of(stranger())) for _ in range(count)]
    for _ in range(10):
        await asyncio.sleep(0)
    return found


def test_guesses_are_bounded_and_who_holds_a_token_waits_for_none_of_them():
    asked = Asked()

    async def course() -> None:
        assert await asked.principals.of(HEADER) is asked.holds
        guesses = await waiting(asked, STRANGERS_MAX)
        assert asked.at_once == STRANGERS_AT_ONCE
        async with asyncio.timeout(1):
            assert await asked.principals.of(HEADER) is asked.holds
            with pytest.raises(Refused) as refused:
                await asked.principals.of(stranger())
        assert refused.value.kind == "overloaded"
        asked.answers_strangers.set()
        assert await asyncio.gather(*guesses) == [None] * STRANGERS_MAX
        assert asked.most == STRANGERS_AT_ONCE + 1
        assert await asked.principals.of(stranger()) is None

    run(course())


def test_no_number_of_guesses_makes_one_who_holds_a_stranger(monkeypatch):
    monkeypatch.setattr(module, "HELD_MAX", 10)
    asked = Asked()

    async def course() -> None:
        assert await asked.principals.of(HEADER) is asked.holds
        for _ in range(30):
            assert await asked.principals.of(stranger()) is None
        guesses = await waiting(asked, STRANGERS_MAX)
        async with asyncio.timeout(1):
            assert await asked.principals.of(HEADER) is asked.holds
        asked.answers_strangers.set()
        await asyncio.gather(*guesses)

    run(course())


def test_a_stranger_who_waits_too_long_is_told_so(monkeypatch):
    monkeypatch.setattr(module, "STRANGER_SECONDS", 0.05)
    asked = Asked()

    async def course() -> None:
        guesses = await waiting(asked, STRANGERS_AT_ONCE)
        with pytest.raises(Refused):
            await asked.principals.of(stranger())
        asked.answers_strangers.set()
        assert await asyncio.gather(*guesses) == [None] * len(guesses)

    run(course())
