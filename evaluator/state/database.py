"""One SQLite file that several processes share: its transactions and its failures. Knows no table."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from evaluator.errors import StateError
from evaluator.state.connection import Identity, Suspect, identity_of, is_corrupt, is_locked, open_connection
from evaluator.state.faults import FaultLog

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

BUSY_SECONDS = 2.0
IMPATIENT_SECONDS = 0.05
"""How long a process waits for a lock once it waited `BUSY_SECONDS` in vain, until it gets one again."""


class Database:
    """A connection that is opened again when the file was replaced, deleted, or found corrupt.

    Safe for threads: one transaction at a time. Faults go to the log; the caller gets its safe answer.
    """

    def __init__(self, path: str, faults: FaultLog) -> None:
        self.path = path
        self._faults = faults
        self._name = os.path.basename(path)
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._identity: Identity | None = None
        self._busy_seconds = BUSY_SECONDS
        self._commits = True

    def __del__(self) -> None:
        """A connection that nobody closed ends with its owner, not with the process."""
        if self._connection is not None:
            self._connection.close()

    def open(self, now: float) -> str | None:
        """Returns a notice of what was moved aside. Raises StateError, OSError, sqlite3.Error."""
        with self._lock:
            return self._open(now)

    def close(self) -> None:
        with self._lock:
            self._drop()

    def read(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What `act` returns; if the database fails, the fault is noted and `otherwise` returned."""
        return self._run(what, act, otherwise)

    def write(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Like `read`, with `act` in one BEGIN IMMEDIATE transaction that happens wholly or not at all."""
        return self._run(what, lambda connection: transaction(connection, act, self._commits), otherwise)

    @contextmanager
    def together(self, what: str) -> Generator[None, None, None]:
        """One transaction for all writes of this thread within; it begins with the first. Other threads wait.

        A write that fails undoes those before it. A fault at the end is noted: none of them happened then.
        """
        with self._lock:
            self._commits = False
            try:
                yield
            except BaseException:
                self._run(what, undo, None)
                raise
            else:
                self._run(what, commit, None)
            finally:
                self._commits = True

    def _run(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        import sqlite3

        with self._lock:
            try:
                answer = self._attempt(act)
            except sqlite3.ProgrammingError:
                raise
            except (sqlite3.Error, OSError, StateError) as error:
                self._wait_for(IMPATIENT_SECONDS if is_locked(error) else BUSY_SECONDS)
                self._faults.note(f"{self._name}: {what}", error)
                return otherwise
            self._wait_for(BUSY_SECONDS)
            return answer

    def _attempt(self, act: Callable[[sqlite3.Connection], T]) -> T:
        import sqlite3

        try:
            return act(self._current())
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
        assert self._connection is not None
        suspect = Suspect(self._identity, self._connection)
        self._connection = None
        self._reopen(suspect)
        return act(self._current())

    def _current(self) -> sqlite3.Connection:
        if self._connection is None or identity_of(self.path) != self._identity:
            self._drop()
            self._reopen(None)
        assert self._connection is not None
        return self._connection

    def _reopen(self, suspect: Suspect | None) -> None:
        notice = self._open(self._faults.clock(), suspect)
        if notice is not None:
            self._faults.note(self._name, notice)

    def _open(self, now: float, suspect: Suspect | None = None) -> str | None:
        self._connection, notice = open_connection(self.path, now, self._busy_seconds, suspect)
        self._identity = identity_of(self.path)
        return notice

    def _drop(self) -> None:
        import sqlite3

        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.close()
        except sqlite3.Error as error:
            self._faults.note(f"{self._name}: close", error)

    def _wait_for(self, seconds: float) -> None:
        if seconds == self._busy_seconds:
            return
        self._busy_seconds = seconds
        if self._connection is not None:
            self._connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def transaction(connection: sqlite3.Connection, act: Callable[[sqlite3.Connection], T], commits: bool) -> T:
    """What `act` returns; without `commits` the transaction, which may be under way, goes on."""
    if not connection.in_transaction:
        connection.execute("BEGIN IMMEDIATE")
    try:
        answer = act(connection)
        if commits:
            connection.execute("COMMIT")
    except BaseException:
        undo(connection)
        raise
    return answer


def commit(connection: sqlite3.Connection) -> None:
    """End the transaction under way, if one is."""
    if connection.in_transaction:
        transaction(connection, _nothing, commits=True)


def undo(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _nothing(_: sqlite3.Connection) -> None:
    """All of the transaction stands in it already."""
