"""Connections to the shared SQLite file: creation by many at once, rescue of a corrupt one, and migration.

What each release left of the schema stands in `schema/` as SQL, applied in order and once. And how values of outside
origin are kept: ids, text with lone surrogates, folders.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from evaluator.errors import NewerStateError, StateError
from evaluator.files import PRIVATE_FILE, lock_file, private_folder, tighten
from evaluator.text import for_file_name

if TYPE_CHECKING:
    import sqlite3
    from sqlite3 import Connection

Identity = tuple[int, int]
"""(device, inode) of a file."""

Migration = tuple[int, str]
"""The version that a database has by it, and the file of its SQL."""

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

    A file that is sound and of the latest schema costs one read; everything else happens under
    `compass.lock` and looks again first. Waits at most `busy_seconds` for each lock; who waits and finds the
    file sound needs no lock. `corrupt`: a file that proved so in use. Raises StateError, OSError, sqlite3.Error.
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
                found = _ready(path, busy_seconds)
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
                    notice = f"was corrupt: it is kept as {_move_aside(path, now)}, and a fresh one was made"
                return _migrated(path, busy_seconds), notice
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

    return _primary_code(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_locked(error: BaseException) -> bool:
    import sqlite3

    return isinstance(error, TimeoutError) or _primary_code(error) in {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    }


def _primary_code(error: BaseException) -> int | None:
    """The low byte of an extended result code, https://www.sqlite.org/rescode.html."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def _ready(path: str, busy_seconds: float) -> sqlite3.Connection | None:
    """None where the file is missing or its schema is older."""
    if identity_of(path) is None:
        return None
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "not writable", path)
    connection = _connect(path, busy_seconds)
    try:
        connection.execute("PRAGMA synchronous=NORMAL")
        version = version_of(connection)
        refuse_newer(version)
    except BaseException:
        connection.close()
        raise
    if version == LATEST:
        return connection
    connection.close()
    return None


def _migrated(path: str, busy_seconds: float) -> sqlite3.Connection:
    _create(path)
    connection = _connect(path, busy_seconds)
    try:
        connection.execute("PRAGMA journal_mode=WAL").fetchone()
        connection.execute("PRAGMA synchronous=NORMAL")
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: str, busy_seconds: float) -> sqlite3.Connection:
    import sqlite3

    return sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)


def _create(path: str) -> None:
    """Never opens a file that exists: closing it would drop the locks that SQLite holds in this process."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE))
    except FileExistsError:
        return


def _move_aside(path: str, now: float) -> str:
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


def refuse_newer(version: int, known: int = LATEST) -> None:
    """Raises NewerStateError for a database that a newer Compass wrote: it is left as it is."""
    if version > known:
        raise NewerStateError(version, known)


def migrate(
    connection: sqlite3.Connection, steps: Sequence[Migration] = STEPS, folder: str = SCHEMA
) -> tuple[str, ...]:
    """Apply the steps that are missing, all in one transaction; returns the names of their files.

    A process that is killed in the middle leaves the database as it was. Raises sqlite3.Error, OSError,
    NewerStateError, and StateError for a database that no release left.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version, latest = version_of(connection), steps[-1][0]
        refuse_newer(version, latest)
        _refuse_unreleased(version, steps)
        missing = tuple(name for of, name in steps if of > version)
        for name in missing:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                # One by one: `executescript` would commit before.
                for statement in file.read().split(";"):
                    connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {latest}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return missing


def _refuse_unreleased(version: int, steps: Sequence[Migration]) -> None:
    if version and version not in [of for of, _ in steps]:
        raise StateError(f"schema {version} belongs to no release: move the database away, or delete it")


T = TypeVar("T")

ID_CHARS_MAX = 200
DIGEST_PREFIX = "sha256:"
NEXT_TO_SLASH = "0"
"""Sorts right behind every path below a folder."""

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


def value_of(db: Connection, query: str, given: tuple[object, ...], otherwise: T) -> T:
    """The first column of the first row; `otherwise` where there is no row, or nothing in it."""
    row = db.execute(query, given).fetchone()
    return otherwise if row is None or row[0] is None else cast(T, row[0])


def below(project: str) -> tuple[str, tuple[object, ...]]:
    """A condition on `project_dir` that holds for a project's folder and those below it, as a host may be started in
    one of these; and what it is given."""
    whole = project.rstrip("/")
    bounds = (stored(project), stored(f"{whole}/"), stored(whole + NEXT_TO_SLASH))
    return "(project_dir = ? OR (project_dir >= ? AND project_dir < ?))", bounds
