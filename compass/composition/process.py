"""What one process keeps between calls: connections to readers, what was learnt of their servers."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable

from evaluator.state.store import MemoryStore, Store, open_store

JOBS_MAX = 8
_lock = threading.Lock()
_kept: ProcessState | None = None
_left: list[ProcessState] = []
"""A parent's, in a forked child: never closed there, since what is open in SQLite may not cross a fork."""


class Aside:
    """Safe for threads."""

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(JOBS_MAX)

    def start(self, job: Callable[[], None]) -> bool:
        """Whether the job was begun: not while JOBS_MAX others run. Nobody waits for it."""
        if not self._free.acquire(blocking=False):
            return False

        def run() -> None:
            try:
                job()
            finally:
                self._free.release()

        try:
            threading.Thread(target=run, name="aside", daemon=True).start()
        except RuntimeError:
            # The machine gives no further thread.
            self._free.release()
            return False
        return True


class BookedStore(MemoryStore):
    """Forgets all but what is booked in the state in `folder`, for what judges without leaving a record. That is opened
    once somebody asks for the caps."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder
        self._opening = threading.Lock()
        self._machine: Store | None = None

    def _open_process_store(self) -> Store:
        with self._opening:
            if self._machine is None:
                self._machine = open_store(self._folder, now=time.time()).store
            return self._machine

    def add_spend(self, day: str, usd: float, samples: int) -> None:
        self._open_process_store().add_spend(day, usd, samples)

    def spent(self, day: str) -> float:
        return self._open_process_store().spent(day)

    def close(self) -> None:
        if self._machine is not None:
            self._machine.close()
        super().close()


class ProcessState:
    """What `kept` keeps."""

    def __init__(self) -> None:
        from evaluator.readers.event_loop import ReaderLoop

        self.readers = ReaderLoop()
        self.learnt = MemoryStore()

    def close(self) -> None:
        """Whatever uses it later begins anew."""
        self.readers.close()
        self.learnt.close()


def kept() -> ProcessState:
    """What this process keeps between calls, begun at the first one."""
    global _kept  # noqa: PLW0603 - one a process
    with _lock:
        if _kept is None:
            _kept = ProcessState()
        return _kept


@atexit.register
def close() -> None:
    """End what is kept, as at the end of the process; the next call begins anew."""
    global _kept
    with _lock:
        found, _kept = _kept, None
    if found is not None:
        found.close()


def _reset_forked_process() -> None:
    """In a forked child: its parent's threads and connections are not there."""
    global _kept, _lock
    if _kept is not None:
        _left.append(_kept)
    _kept, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_reset_forked_process)
