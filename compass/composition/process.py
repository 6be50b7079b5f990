"""What one process keeps between calls: connections to readers, what was learnt of their servers, its books."""

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


class Books:
    """The machine's state by its folder, opened once somebody asks for the caps, and kept open. Safe for threads.

    Opened for each check, it would be emptied and synced to disk at each close.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: dict[str, list[Store]] = {}
        """The last one of a folder is in use; one in memory stands in until the folder can be used."""

    def of(self, folder: str) -> Store:
        with self._lock:
            opened = self._opened.setdefault(folder, [])
            if not opened or isinstance(opened[-1], MemoryStore):
                found = open_store(folder, now=time.time()).store
                if opened and isinstance(found, MemoryStore):
                    found.close()
                else:
                    opened.append(found)
            return opened[-1]

    def close(self) -> None:
        """Whoever asks later opens it again."""
        with self._lock:
            opened, self._opened = self._opened, {}
        for stores in opened.values():
            for store in stores:
                store.close()


class BookedStore(MemoryStore):
    """Forgets all but what is booked in `folder`, for what judges without leaving a record. `books` that are given
    stay open.
    """

    def __init__(self, folder: str, books: Books | None = None) -> None:
        super().__init__()
        self._folder = folder
        self._books = books or Books()
        self._owns = books is None

    def add_spend(self, day: str, usd: float, samples: int) -> None:
        self._books.of(self._folder).add_spend(day, usd, samples)

    def spent(self, day: str) -> float:
        return self._books.of(self._folder).spent(day)

    def samples_of(self, day: str) -> int:
        return self._books.of(self._folder).samples_of(day)

    def close(self) -> None:
        if self._owns:
            self._books.close()
        super().close()


class ProcessState:
    """What `kept` keeps."""

    def __init__(self) -> None:
        from evaluator.readers.warm_readers import ReaderLoop

        self.readers = ReaderLoop()
        self.learnt = MemoryStore()
        self.books = Books()

    def close(self) -> None:
        """Whatever uses it later begins anew."""
        self.readers.close()
        self.learnt.close()
        self.books.close()


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


def _forget() -> None:
    """In a forked child: its parent's threads and connections are not there."""
    global _kept, _lock
    if _kept is not None:
        _left.append(_kept)
    _kept, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)
