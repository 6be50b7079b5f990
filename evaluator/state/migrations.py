"""The schema of the state database: what each release left, as SQL in `schema/`, applied in order and once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.errors import NewerStateError, StateError

if TYPE_CHECKING:
    import sqlite3

Migration = tuple[int, str]
"""The version that a database has by it, and the file of its SQL."""

STEPS: tuple[Migration, ...] = ((7, "0.1.0.sql"), (17, "since-0.1.0.sql"))
LATEST = STEPS[-1][0]
SCHEMA = os.path.join(os.path.dirname(__file__), "schema")


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
            for statement in _statements(os.path.join(folder, name)):
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
        raise StateError(f"schema {version} is of no release: move the database away, or delete it")


def _statements(path: str) -> list[str]:
    """One by one: `executescript` would commit before."""
    with open(path, encoding="utf-8") as file:
        return [part for part in file.read().split(";") if part.strip()]
