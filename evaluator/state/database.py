"""One SQLite file that several processes share: its connections, its transactions, and how values are kept in it.

Created by many at once, rescued where it is corrupt, and migrated: what each release left of the schema stands in
`schema/` as SQL, applied in order and once. Knows no table.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from evaluator.errors import NewerStateError, StateError
from evaluator.files import PRIVATE_FILE, FaultLog, lock_file, private_folder, tighten
from evaluator.text import for_file_name

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

Identity = tuple[int, int]
"""(device, inode) of a file."""
Migration = tuple[int, str]
"""The version that a database has by it, and the file of its SQL."""

BUSY_SECONDS = 2.0
IMPATIENT_SECONDS = 0.05
"""How long a process waits for a lock once it waited `BUSY_SECONDS` in vain, until it gets one again."""
STEPS: tuple[Migration, ...] = ((7, "0.1.0.sql"), (20, "since-0.1.0.sql"))
LATEST = STEPS[-1][0]
SCHEMA = os.path.join(os.path.dirname(__file__), "schema")
LOCK_NAME = "compass.lock"
SIDECARS = ("-wal", "-shm")
LOOK_AGAIN_SECONDS = 0.1
"""How long the lock is waited for before the file is looked at again: its holder may have made what is needed."""


def open_connection(
    path: str, now: float, busy_seconds: float, corrupt: Identity | None = None
) -> tuple[sqlite3.Connection, str | None]:
    """A connection to a database of the latest schema, and a notice of what was moved aside for it.

    A sound file of the latest schema costs one read; all else happens under `compass.lock` and looks again first.
    Waits at most `busy_seconds` for each lock. `corrupt`: a file that proved so in use. Raises StateError, OSError,
    sqlite3.Error.
    """
    import sqlite3

    waited = 0.0
    folder = os.path.dirname(path)
    private_folder(folder, repair=True)
    tighten(path)
    while True:
        identity = identity_of(path)
        if identity != corrupt:
            try:
                found = _open_ready_database(path, busy_seconds)
            except sqlite3.DatabaseError as error:
                if not is_corrupt(error):
                    raise
                corrupt = identity
            else:
                if found is not None:
                    return found, None
        patience = min(LOOK_AGAIN_SECONDS, busy_seconds - waited)
        try:
            with lock_file(os.path.join(folder, LOCK_NAME), patience):
                notice = None
                if corrupt is not None and identity_of(path) == corrupt:
                    notice = f"was corrupt: it is kept as {_move_database_aside(path, now)}, and a new one was created"
                return _open_migrated_database(path, busy_seconds), notice
        except TimeoutError:
            waited += patience
            if waited >= busy_seconds:
                raise TimeoutError(f"{LOCK_NAME} stayed locked for {busy_seconds:g} s") from None


def identity_of(path: str) -> Identity | None:
    """What tells a database's file from another. None for a file that is not there. Raises OSError."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def is_corrupt(error: BaseException) -> bool:
    import sqlite3

    return _database_error_code(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_locked(error: BaseException) -> bool:
    import sqlite3

    locked = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return isinstance(error, TimeoutError) or _database_error_code(error) in locked


def _database_error_code(error: BaseException) -> int:
    """The low byte of an extended result code, https://www.sqlite.org/rescode.html; 0 for what is none of SQLite's."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _open_ready_database(path: str, busy_seconds: float) -> sqlite3.Connection | None:
    """None where the file is missing or its schema is older."""
    if identity_of(path) is None:
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "not writable", path)
    with _database_connection(path, busy_seconds) as connection:
        version = version_of(connection)
        refuse_unknown(version)
    if version == LATEST:
        return connection
    connection.close()
    return None


def _open_migrated_database(path: str, busy_seconds: float) -> sqlite3.Connection:
    # Never opens a file that exists: closing it would drop the locks that SQLite holds in this process.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE))
    with _database_connection(path, busy_seconds) as connection:
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
        migrate(connection)
    return connection


@contextmanager
def _database_connection(path: str, busy_seconds: float) -> Generator[sqlite3.Connection]:
    """A connection that stays open unless something is raised within."""
    import sqlite3

    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous=NORMAL")
        yield connection
    except BaseException:
        connection.close()
        raise


def _move_database_aside(path: str, now: float) -> str:
    """Sidecars first: SQLite deletes a log that it finds beside a new, empty database."""
    aside = f"{path}.corrupt-{for_file_name(now)}"
    while os.path.exists(aside):
        aside += "-again"
    for suffix in (*SIDECARS, ""):
        try:
            os.rename(path + suffix, aside + suffix)
        except FileNotFoundError:
            continue
    return os.path.basename(aside)


def version_of(connection: sqlite3.Connection) -> int:
    """As the database says it; 0 for an empty one. Raises sqlite3.Error."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def refuse_unknown(version: int, steps: Sequence[Migration] = STEPS) -> None:
    """A database that a newer Compass wrote, or no release, is left as it is. Raises NewerStateError, StateError."""
    latest = steps[-1][0]
    if version > latest:
        raise NewerStateError(version, latest)
    if version and version not in [of for of, _ in steps]:
        raise StateError(
            f"schema {version} does not belong to any release: move the database away or delete it"
        )


def migrate(
    connection: sqlite3.Connection, steps: Sequence[Migration] = STEPS, folder: str = SCHEMA
) -> tuple[str, ...]:
    """Apply the steps that are missing, all in one transaction; returns the names of their files.

    A process that is killed in the middle leaves the database as it was. Raises sqlite3.Error, OSError,
    NewerStateError, and StateError for a database that no release left.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)
        refuse_unknown(version, steps)
        missing = tuple(name for of, name in steps if of > version)
        for name in missing:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                # One by one: `executescript` would commit before.
                for statement in file.read().split(";"):
                    connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {steps[-1][0]}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return missing


class Transactions:
    """Runs SQL, one transaction at a time: safe for threads. The subclass knows the connection."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._commits = True

    def close(self) -> None:
        raise NotImplementedError

    def read(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What `act` returns; `otherwise` if the database fails, whose fault is noted under `what`."""
        raise NotImplementedError

    def write(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Like `read`, with `act` in one BEGIN IMMEDIATE transaction that happens wholly or not at all."""
        return self.read(what, lambda connection: transaction(connection, act, self._commits), otherwise)

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
                self.read(what, undo, None)
                raise
            else:
                self.read(what, commit, None)
            finally:
                self._commits = True


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

    def open(self, now: float, corrupt: Identity | None = None) -> str | None:
        """Returns a notice of what was moved aside. Raises StateError, OSError, sqlite3.Error."""
        with self._lock:
            self._connection, notice = open_connection(self.path, now, self._busy_seconds, corrupt)
            self._identity = identity_of(self.path)
            return notice

    def close(self) -> None:
        import sqlite3

        with self._lock:
            connection, self._connection = self._connection, None
            try:
                if connection is not None:
                    connection.close()
            except sqlite3.Error as error:
                self._faults.note(f"{self._name}: close", error)

    def read(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        import sqlite3

        with self._lock:
            try:
                answer = self._run_or_reopen_database(act)
            except sqlite3.ProgrammingError:
                raise
            except (sqlite3.Error, OSError, StateError) as error:
                self._set_database_timeout(IMPATIENT_SECONDS if is_locked(error) else BUSY_SECONDS)
                self._faults.note(f"{self._name}: {what}", error)
                return otherwise
            self._set_database_timeout(BUSY_SECONDS)
            return answer

    def _run_or_reopen_database(self, act: Callable[[sqlite3.Connection], T]) -> T:
        import sqlite3

        try:
            return act(self._current_connection())
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
        self._reopen_database(self._identity)
        return act(self._current_connection())

    def _current_connection(self) -> sqlite3.Connection:
        if self._connection is None or identity_of(self.path) != self._identity:
            self._reopen_database(None)
        assert self._connection is not None
        return self._connection

    def _reopen_database(self, corrupt: Identity | None) -> None:
        self.close()
        notice = self.open(self._faults.clock(), corrupt)
        if notice is not None:
            self._faults.note(self._name, notice)

    def _set_database_timeout(self, seconds: float) -> None:
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
        transaction(connection, lambda _: None, commits=True)


def undo(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


ID_CHARS_MAX = 200
DIGEST_PREFIX = "sha256:"
Stored = str | bytes


def stored(text: str) -> Stored:
    """`text` itself, or its bytes where lone surrogates keep it from being UTF-8. `loaded` undoes it."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def loaded(value: object) -> str:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else str(value)


def bounded_id(identifier: str) -> str:
    """The id, or its digest if it is over `ID_CHARS_MAX` characters. Different ids stay different."""
    if len(identifier) <= ID_CHARS_MAX and not identifier.startswith(DIGEST_PREFIX):
        return identifier
    import hashlib

    return DIGEST_PREFIX + hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()


def stored_id(identifier: str) -> Stored:
    return stored(bounded_id(identifier))


def texts(row: Iterable[Any]) -> list[Any]:
    """A row's values, with texts as they were before `stored`."""
    return [loaded(value) if isinstance(value, bytes) else value for value in row]


def value_of(db: sqlite3.Connection, query: str, given: tuple[object, ...], otherwise: T) -> T:
    """The first column of the first row; `otherwise` where there is no row, or nothing in it."""
    row = db.execute(query, given).fetchone()
    return otherwise if row is None or row[0] is None else cast(T, row[0])
