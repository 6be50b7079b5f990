"""The state in memory: the same SQL over a database that ends with the process. Stands in where no file can be used."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from evaluator.state.database import commit, transaction, undo
from evaluator.state.migrations import migrate
from evaluator.state.sql import SqlStore

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")


class MemoryDatabase:
    """What `Database` offers, for the threads of one process."""

    def __init__(self) -> None:
        import sqlite3

        self._lock = threading.RLock()
        self._commits = True
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _fill(self._connection)

    def __del__(self) -> None:
        self._connection.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def read(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            return act(self._connection)

    def write(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            return transaction(self._connection, act, self._commits)

    @contextmanager
    def together(self, what: str) -> Generator[None, None, None]:
        with self._lock:
            self._commits = False
            try:
                yield
                commit(self._connection)
            except BaseException:
                undo(self._connection)
                raise
            finally:
                self._commits = True


def _fill(connection: sqlite3.Connection) -> None:
    """Make the tables; a process that needs them again copies them, in a tenth of the time."""
    if not hasattr(connection, "deserialize"):
        # SQLite may be built without it.
        migrate(connection)
        return
    global _empty  # noqa: PLW0603 - one a process
    if _empty:
        connection.deserialize(_empty)
    else:
        migrate(connection)
        _empty = connection.serialize()


_empty = b""


class MemoryStore(SqlStore):
    """Forgets all when it is closed. `faults` are those that led here."""

    def __init__(self, random: Callable[[int], bytes] = os.urandom, faults: Sequence[str] = ()) -> None:
        super().__init__(MemoryDatabase(), faults, random)
