"""Threads for what waits on the database, so that the loop does not."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Work:
    """`waited` hears how long a piece of work waited for its thread, in seconds."""

    def __init__(self, threads: int, waited: Callable[[float], None] = lambda _: None) -> None:
        self._pool = ThreadPoolExecutor(threads, "store")
        self._waited = waited

    async def __call__(self, work: Callable[[], T]) -> T:
        """Its result, or what it raises. Work that has begun ends even where nobody waits for it any more."""
        asked = time.perf_counter()
        waits: list[float] = []
        context = contextvars.copy_context()

        def run() -> T:
            waits.append(time.perf_counter() - asked)
            return context.run(work)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, run)
        finally:
            self._waited(waits[0] if waits else time.perf_counter() - asked)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
