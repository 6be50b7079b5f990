"""The state in memory: the same SQL over a database that ends with the process. Stands in where no file can be used."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from evaluator.state.migrations import migrate
from evaluator.state.sqlite import SqliteStore

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")


class MemoryDatabase:
    """What `Database` offers, for the threads of one process."""

    def __init__(self) -> None:
        import sqlite3

        self._lock = threading.Lock()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self._connection)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def read(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            return act(self._connection)

    def write(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            return act(self._connection)


class MemoryStore(SqliteStore):
    """Forgets all when it is closed. `faults` are those that led here."""

    def __init__(self, random: Callable[[int], bytes] = os.urandom, faults: Sequence[str] = ()) -> None:
        super().__init__(MemoryDatabase(), faults, random)
