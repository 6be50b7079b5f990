"""An executor whose workers may be killed: what one of them had in hand is done once more, by another."""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import BrokenExecutor, Executor
from types import TracebackType

TIMES = 2
"""How often a piece of work is begun before it counts as what ends its workers."""


class KilledError(BrokenExecutor):
    """The workers of one piece of work ended, each of the `TIMES` that it was begun."""

    def __init__(self) -> None:
        super().__init__(f"{TIMES} workers ended over it")


class Engine(Executor):
    """`jobs` pieces of work are done at a time.

    A future that was given cannot be cancelled; it raises `KilledError`, `BrokenExecutor` where no worker can be had
    any more, or what the work raises.
    """

    jobs: int

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=True, cancel_futures=True)


def cores() -> int:
    """Those that this process may use."""
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
