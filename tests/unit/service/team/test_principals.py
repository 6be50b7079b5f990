"""Tokens that nobody knows keep nobody waiting whose token holds."""

from __future__ import annotations

import asyncio
import secrets
import time

import pytest

from compass.team import guard as module
from compass.team.guard import BELIEVED_SECONDS, STRANGERS_MAX, Principals
from compass.team.model import Refused
from evaluator.readers.team.wire import Principal

ADA = Principal("red", "ada", "0123456789ab", ("evaluate",), time.time() + 3600)


def bearer() -> bytes:
    return f"Bearer cmp_red_{secrets.token_hex(6)}_{secrets.token_urlsafe(32)}".encode()


class Store:
    """Knows `held`, and does not answer for others while it is `busy`."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self.free = asyncio.Event()
        self.free.set()
        self.at_once = self.most = 0
        self.now = 0.0

    async def look(self, token: str) -> Principal | None:
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            if token not in self.held:
                await self.free.wait()
            return ADA if token in self.held else None
        finally:
            self.at_once -= 1

    async def used(self, who: Principal) -> None:
        """Kept by nobody here."""

    def principals(self) -> Principals:
        return Principals(self.look, self.used, clock=lambda: self.now)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_guesses_are_bounded_and_who_holds_a_token_waits_for_none_of_them() -> None:
    async def play() -> None:
        store, mine = Store(), bearer()
        store.held.add(mine.decode().split()[1])
        found = store.principals()
        assert await found.of(mine) == ADA
        store.now += 2 * BELIEVED_SECONDS
        store.free.clear()
        guesses = [asyncio.create_task(found.of(bearer())) for _ in range(STRANGERS_MAX)]
        await settle()
        assert store.at_once == module.STRANGERS_AT_ONCE
        async with asyncio.timeout(1):
            assert await found.of(mine) == ADA
            with pytest.raises(Refused) as refused:
                await found.of(bearer())
        assert refused.value.kind == "overloaded"
        store.free.set()
        assert await asyncio.gather(*guesses) == [None] * STRANGERS_MAX
        assert store.most == module.STRANGERS_AT_ONCE + 1
        assert await found.of(bearer()) is None

    asyncio.run(play())


def test_no_number_of_guesses_makes_one_who_holds_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HELD_MAX", 10)

    async def play() -> None:
        store, mine = Store(), bearer()
        store.held.add(mine.decode().split()[1])
        found = store.principals()
        assert await found.of(mine) == ADA
        for _ in range(30):
            assert await found.of(bearer()) is None
        store.now += 2 * BELIEVED_SECONDS
        store.free.clear()
        waiting = [asyncio.create_task(found.of(bearer())) for _ in range(STRANGERS_MAX)]
        await settle()
        async with asyncio.timeout(1):
            assert await found.of(mine) == ADA
        store.free.set()
        await asyncio.gather(*waiting)

    asyncio.run(play())


def test_a_token_that_is_taken_back_is_refused_and_one_that_waits_too_long_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "STRANGER_SECONDS", 0.05)

    async def play() -> None:
        store, mine = Store(), bearer()
        store.held.add(mine.decode().split()[1])
        found = store.principals()
        assert await found.of(mine) == ADA
        store.held.clear()
        store.now += 2 * BELIEVED_SECONDS
        assert await found.of(mine) is None
        store.free.clear()
        waiting = [asyncio.create_task(found.of(bearer())) for _ in range(module.STRANGERS_AT_ONCE)]
        await settle()
        with pytest.raises(Refused):
            await found.of(bearer())
        store.free.set()
        assert await asyncio.gather(*waiting) == [None] * len(waiting)

    asyncio.run(play())
