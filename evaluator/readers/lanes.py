"""Many requests at once to one server, spread over several clients.

A client's pool looks at each of its connections whenever a request begins or ends, so that n at once in one pool take
work in n². A lane is a client for a few of them. Knows no client.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

C = TypeVar("C")

LANE: Final = 20
"""Requests at once in a lane: some three checks. Half a thousand cost half as much as in one pool, and fewer in each
gain nothing more."""


class _Lane(Generic[C]):
    def __init__(self, client: C) -> None:
        self.client = client
        self.busy = 0


class Lanes(Generic[C]):
    """Clients of one event loop, made as they are needed by `make`."""

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._lanes: list[_Lane[C]] = []

    @contextmanager
    def client(self) -> Generator[C]:
        """One for a single request: the first that has room, so that few requests share few connections."""
        lane = next((one for one in self._lanes if one.busy < LANE), None)
        if lane is None:
            lane = _Lane(self._make())
            self._lanes.append(lane)
        lane.busy += 1
        try:
            yield lane.client
        finally:
            lane.busy -= 1

    async def aclose(self, close: Callable[[C], Awaitable[None]]) -> None:
        lanes, self._lanes = self._lanes, []
        await asyncio.gather(*(close(one.client) for one in lanes))
