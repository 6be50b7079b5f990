"""Who a bearer token is: asked of the store, and believed for so short that a revoked token is refused at once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

from compass.team.model import Refused
from compass.team.replica import Work
from compass.team.store import TeamStore
from evaluator.errors import StateError
from evaluator.readers.team.wire import Principal

BELIEVED_SECONDS: Final = 2.0
"""From the moment at which the store was asked, for tokens that hold and for those that do not."""
KNOWN_SECONDS: Final = 3600.0
"""The same, for a token that held and that the store looks at again before anything is answered."""
USED_SECONDS: Final = 60.0
HELD_MAX: Final = 20_000
STRANGERS_MAX: Final = 256
"""So many tokens that never held here may wait for the store: more of them are refused, and cost nothing."""
STRANGERS_AT_ONCE: Final = 4
"""So many of them are looked up beside each other: whoever guesses keeps the store from nobody whose token holds."""
STRANGER_SECONDS: Final = 5.0
TOKEN_BYTES_MAX: Final = 120
_SCHEME: Final = b"bearer "


class _Known(NamedTuple):
    principal: Principal | None
    until: float


class Principals:
    """Holds digests alone, never a token. `look` asks the store, `used` tells it of a use, a minute apart at most."""

    def __init__(
        self,
        look: Callable[[str], Awaitable[Principal | None]],
        used: Callable[[Principal], Coroutine[Any, Any, None]],
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._look, self._used = look, used
        self._clock, self._wall = clock, wall
        self._known: OrderedDict[bytes, _Known] = OrderedDict()
        self._refused: OrderedDict[bytes, _Known] = OrderedDict()
        self._strangers = 0
        self._turn = asyncio.Semaphore(STRANGERS_AT_ONCE)
        self._asking: dict[bytes, asyncio.Task[Principal | None]] = {}
        self._noted: OrderedDict[str, float] = OrderedDict()
        self._noting: set[asyncio.Task[None]] = set()

    @classmethod
    def over(cls, store: TeamStore, work: Work) -> Principals:
        async def look(token: str) -> Principal | None:
            return await work(partial(store.principal, token))

        async def used(who: Principal) -> None:
            # What is lost is told by the next minute's use.
            with suppress(StateError):
                await work(partial(store.note_use, who.team, who.token_id))

        return cls(look, used)

    async def of(self, authorization: bytes | None, *, rechecked: bool = False) -> Principal | None:
        """None without a token that holds, or that held within the last hour where it is `rechecked`. Raises StateError
        where the store cannot be asked, and Refused where too many tokens that nobody knows are shown at once.
        """
        token = _token_of(authorization)
        if token is None:
            return None
        digest = hashlib.sha256(token.encode()).digest()
        known = self._known.get(digest) or self._refused.get(digest)
        longer = KNOWN_SECONDS - BELIEVED_SECONDS if rechecked and digest in self._known else 0.0
        if known is None or known.until + longer <= self._clock():
            found = await self._ask(digest, token)
        else:
            found = known.principal
        if found is None or found.expires_at <= self._wall():
            return None
        self._note(found)
        return found

    def forget(self, authorization: bytes | None) -> None:
        """The store said that it holds no more."""
        token = _token_of(authorization)
        if token is not None:
            self._known.pop(hashlib.sha256(token.encode()).digest(), None)

    async def _ask(self, digest: bytes, token: str) -> Principal | None:
        asking = self._asking.get(digest)
        if asking is None:
            stranger = digest not in self._known
            if stranger and self._strangers >= STRANGERS_MAX:
                raise _crowd()
            self._strangers += stranger
            learning = self._learn_in_turn(digest, token) if stranger else self._learn(digest, token)
            asking = self._asking[digest] = asyncio.create_task(learning)
            asking.add_done_callback(lambda ended: self._asked(digest, ended))
        return await asyncio.shield(asking)

    def _asked(self, digest: bytes, ended: asyncio.Task[Principal | None]) -> None:
        del self._asking[digest]
        if not ended.cancelled():
            ended.exception()  # told to those who wait; with nobody left it is nobody's

    async def _learn_in_turn(self, digest: bytes, token: str) -> Principal | None:
        try:
            try:
                async with asyncio.timeout(STRANGER_SECONDS):
                    await self._turn.acquire()
            except TimeoutError:
                raise _crowd() from None
            try:
                return await self._learn(digest, token)
            finally:
                self._turn.release()
        finally:
            self._strangers -= 1

    async def _learn(self, digest: bytes, token: str) -> Principal | None:
        asked = self._clock()
        found = await self._look(token)
        # Apart, so that no number of guesses makes one that holds a stranger.
        kept, other = (self._refused, self._known) if found is None else (self._known, self._refused)
        other.pop(digest, None)
        kept[digest] = _Known(found, asked + BELIEVED_SECONDS)
        kept.move_to_end(digest)
        while len(kept) > HELD_MAX:
            kept.popitem(last=False)
        return found

    def _note(self, who: Principal) -> None:
        key = f"{who.team}_{who.token_id}"
        now = self._clock()
        if now < self._noted.get(key, float("-inf")) + USED_SECONDS:
            return
        self._noted[key] = now
        self._noted.move_to_end(key)
        while len(self._noted) > HELD_MAX:
            self._noted.popitem(last=False)
        noting = asyncio.create_task(self._used(who))
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)


def _crowd() -> Refused:
    return Refused("overloaded", "too many tokens at once that are not known here; ask again", retry_after=1)


def _token_of(authorization: bytes | None) -> str | None:
    """What is sent as a bearer token, if it may be one of ours."""
    if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    token = authorization[len(_SCHEME) :].strip()
    if not token.startswith(b"cmp_") or len(token) > TOKEN_BYTES_MAX or not token.isascii():
        return None
    return token.decode("ascii")
