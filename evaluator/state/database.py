"""One SQLite file that several processes share: its transactions, and its faults, kept so that `doctor` can show them.

Knows no table.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from evaluator.errors import StateError
from evaluator.files import append_line
from evaluator.state.connection import (
    Identity,
    identity_of,
    is_corrupt,
    is_locked,
    migrate,
    open_connection,
)
from evaluator.text import rfc3339

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

BUSY_SECONDS = 2.0
IMPATIENT_SECONDS = 0.05
"""How long a process waits for a lock once it waited `BUSY_SECONDS` in vain, until it gets one again."""
FAULTS_NAME = "faults.log"
BYTES_MAX = 64 * 1024
LINE_CHARS_MAX = 400
KEPT_IN_MEMORY = 100
LOCK_SECONDS = 0.2


class FaultLog:
    """Faults of this process in `lines`, and of all processes, one line each, in `<state_dir>/faults.log`.

    Never raises for I/O. The file is best effort and stays under `BYTES_MAX`: it begins anew when it is full.
    `clock` gives seconds since the epoch.
    """

    def __init__(self, state_dir: str, clock: Callable[[], float]) -> None:
        self.path = os.path.join(state_dir, FAULTS_NAME)
        self.clock = clock
        self.lines: list[str] = []

    def note(self, what: str, cause: object) -> str:
        """Record that `what` went wrong; returns the fault as one bounded line without a time."""
        fault = one_line(f"{what}: {cause}")
        self.lines.append(fault)
        del self.lines[:-KEPT_IN_MEMORY]
        try:
            if os.path.exists(self.path) and os.path.getsize(self.path) > BYTES_MAX - LINE_CHARS_MAX:
                os.unlink(self.path)
            append_line(self.path, f"{rfc3339(self.clock())} {fault}".encode("ascii"), LOCK_SECONDS)
        except (OSError, ValueError):
            pass  # what is at fault is most often the folder of this very file
        return fault


def recent_faults(state_dir: str, limit: int = 20) -> tuple[str, ...]:
    """The newest lines of the fault log, oldest first; empty if there is none or it cannot be read."""
    try:
        with open(os.path.join(state_dir, FAULTS_NAME), "rb") as file:
            lines = file.read(BYTES_MAX).decode("ascii", "replace").splitlines()
    except OSError:
        return ()
    return tuple(lines[-limit:])


def one_line(text: str) -> str:
    """Printable ASCII, at most `LINE_CHARS_MAX` characters."""
    escaped = text.encode("unicode_escape").decode("ascii")
    return escaped if len(escaped) <= LINE_CHARS_MAX else escaped[: LINE_CHARS_MAX - 3] + "..."


class Transactions:
    """Runs SQL, one transaction at a time: safe for threads. The subclass knows the connection."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._commits = True

    def close(self) -> None:
        raise NotImplementedError

    def read(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What `act` returns; `otherwise` if the database fails, whose fault is noted under `what`."""
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
        raise NotImplementedError


class Database(Transactions):
    """A connection that is opened again when the file was replaced, deleted, or found corrupt.

    Faults go to the log; the caller gets its safe answer.
    """

    def __init__(self, path: str, faults: FaultLog) -> None:
        super().__init__()
        self.path = path
        self._faults = faults
        self._name = os.path.basename(path)
        self._connection: sqlite3.Connection | None = None
        self._identity: Identity | None = None
        self._busy_seconds = BUSY_SECONDS

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
        self._drop()
        self._reopen(self._identity)
        return act(self._current())

    def _current(self) -> sqlite3.Connection:
        if self._connection is None or identity_of(self.path) != self._identity:
            self._drop()
            self._reopen(None)
        assert self._connection is not None
        return self._connection

    def _reopen(self, corrupt: Identity | None) -> None:
        notice = self._open(self._faults.clock(), corrupt)
        if notice is not None:
            self._faults.note(self._name, notice)

    def _open(self, now: float, corrupt: Identity | None = None) -> str | None:
        self._connection, notice = open_connection(self.path, now, self._busy_seconds, corrupt)
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


class MemoryDatabase(Transactions):
    """A database that ends when it is closed. What fails there is a bug, and raised."""

    def __init__(self) -> None:
        import sqlite3

        super().__init__()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self._connection)

    def __del__(self) -> None:
        self._connection.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _run(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            return act(self._connection)


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
        transaction(connection, lambda _: None, commits=True)


def undo(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")
