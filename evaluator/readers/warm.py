"""Readers that outlive a check: one event loop in a thread of its own, where backends keep their connections.

For the service; a hook that judges by itself uses `SampledReaders` directly. Imports asyncio.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import TimeoutError as LateError

from evaluator.model import Sample, Subject
from evaluator.ports import Backend
from evaluator.readers.sampling import GRACE_SECONDS, SampledReaders

BACKENDS_MAX = 16


class ReaderLoop:
    """The loop, started with the first check, and its backends by what makes them different."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._backends: OrderedDict[object, Backend] = OrderedDict()

    def backend(self, key: object, make: Callable[[], Backend]) -> Backend:
        """The backend of that key; the one that was used the longest ago makes room for a new one."""
        with self._lock:
            found = self._backends.get(key)
            if found is None:
                found = self._backends[key] = make()
            self._backends.move_to_end(key)
            old = self._backends.popitem(last=False)[1] if len(self._backends) > BACKENDS_MAX else None
        if old is not None:
            asyncio.run_coroutine_threadsafe(old.aclose(), self.running())
        return found

    def running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="readers", daemon=True).start()
            return self._loop

    def close(self, seconds: float = 2.0) -> None:
        """Close the connections, at most that long, and end the loop."""
        with self._lock:
            loop, self._loop = self._loop, None
            backends = list(self._backends.values())
            self._backends.clear()
        if loop is None:
            return
        closing = asyncio.run_coroutine_threadsafe(_close_all(backends), loop)
        try:
            closing.result(seconds)
        except LateError:
            closing.cancel()
        loop.call_soon_threadsafe(loop.stop)


class WarmReaders:
    """`SampledReaders` on a `ReaderLoop`."""

    def __init__(self, readers: SampledReaders, loop: ReaderLoop) -> None:
        self.name = readers.name
        self.model = readers.model
        self._readers = readers
        self._loop = loop

    def collect(self, subject: Subject, seconds: float) -> tuple[Sample, ...]:
        """As `SampledReaders.collect`, with the connections left open. Not on the loop's own thread."""
        work = asyncio.run_coroutine_threadsafe(
            self._readers.collect_async(subject, seconds), self._loop.running()
        )
        try:
            return work.result(seconds + GRACE_SECONDS)
        except LateError:
            work.cancel()
            return (Sample(reader="reader-1", error="timeout: the readers' loop did not answer"),)


async def _close_all(backends: list[Backend]) -> None:
    await asyncio.gather(*(backend.aclose() for backend in backends), return_exceptions=True)
