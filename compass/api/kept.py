"""What one process keeps between calls: connections to readers, what was learnt of their servers, the machine's books,
a few threads.
"""

from __future__ import annotations

import atexit
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from compass.joining.booking import Books
from evaluator.readers.warm import ReaderLoop
from evaluator.state.memory import MemoryStore

WORKERS = 4
"""Threads for the work of checks that are awaited; none of them ever waits for a reader."""


class Kept:
    def __init__(self) -> None:
        self.readers = ReaderLoop()
        self.learnt = MemoryStore()
        self.books = Books()
        self.workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="compass")

    def close(self) -> None:
        """Whatever uses it later begins anew."""
        self.workers.shutdown()
        self.readers.close()
        self.learnt.close()
        self.books.close()


_lock = threading.Lock()
_kept: Kept | None = None
_left: list[Kept] = []
"""A parent's, in a forked child: never closed there, since what is open in SQLite may not cross a fork."""


def kept() -> Kept:
    """That of this process, begun at the first call."""
    global _kept  # noqa: PLW0603 - one a process
    with _lock:
        if _kept is None:
            _kept = Kept()
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
