"""Precedents and the words they are found by, as SQL inside a transaction of the caller. Of SQLite alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from evaluator.precedents.precedent import SOURCES, Precedent
from evaluator.state.tables.records import loaded, stored, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection

PRECEDENTS_MAX = 5_000
"""Of one project; past it the oldest goes."""
COLUMNS = ", ".join(Precedent.__match_args__)
SLOTS = ", ".join("?" for _ in Precedent.__match_args__)
IDS = frozenset(("precedent_id", "session_id", "check_id"))
AT, SOURCE, TIGHTENS = map(Precedent.__match_args__.index, ("at", "source", "tightens"))
NEWEST_FIRST = "ORDER BY at DESC, precedent_id DESC"


def any_of(connection: Connection, project: str) -> bool:
    query = "SELECT 1 FROM precedents WHERE project = ? LIMIT 1"
    return connection.execute(query, (stored(project),)).fetchone() is not None


def keep(connection: Connection, found: Precedent, words: Collection[str]) -> None:
    """One with that id is replaced."""
    forget(connection, (found.precedent_id,))
    values = [_stored(name, getattr(found, name)) for name in Precedent.__match_args__]
    connection.execute(f"INSERT INTO precedents ({COLUMNS}) VALUES ({SLOTS})", values)  # noqa: S608
    for word in sorted(words):
        connection.execute(
            "INSERT INTO precedent_words (project, word, precedent_id) VALUES (?, ?, ?)",
            (stored(found.project), stored(word), stored_id(found.precedent_id)),
        )
    past = connection.execute(
        f"SELECT precedent_id FROM precedents WHERE project = ? {NEWEST_FIRST} LIMIT -1 OFFSET ?",  # noqa: S608
        (stored(found.project), PRECEDENTS_MAX),
    ).fetchall()
    forget(connection, [loaded(row[0]) for row in past])


def bearing(
    connection: Connection, project: str, words: Collection[str], since: float, limit: int
) -> tuple[Precedent, ...]:
    """Those of the project, not older than `since`, that are found by one of `words`: newest first."""
    if not words:
        return ()
    listed = ", ".join("?" for _ in words)
    rows = connection.execute(
        f"""SELECT {COLUMNS} FROM precedents WHERE precedent_id IN (
            SELECT precedent_id FROM precedent_words WHERE project = ? AND word IN ({listed})
        ) AND at >= ? {NEWEST_FIRST} LIMIT ?""",  # noqa: S608
        (stored(project), *map(stored, words), since, limit),
    )
    return _precedents(rows)


def one(connection: Connection, precedent_id: str) -> Precedent | None:
    query = f"SELECT {COLUMNS} FROM precedents WHERE precedent_id = ?"  # noqa: S608
    return next(iter(_precedents(connection.execute(query, (stored_id(precedent_id),)))), None)


def every(connection: Connection, project: str | None) -> tuple[Precedent, ...]:
    """Those of a project, of all projects for None: newest first."""
    if project is None:
        return _precedents(connection.execute(f"SELECT {COLUMNS} FROM precedents {NEWEST_FIRST}"))  # noqa: S608
    query = f"SELECT {COLUMNS} FROM precedents WHERE project = ? {NEWEST_FIRST}"  # noqa: S608
    return _precedents(connection.execute(query, (stored(project),)))


def forget(connection: Connection, ids: Collection[str]) -> int:
    """How many there were."""
    gone = 0
    for precedent_id in ids:
        key = (stored_id(precedent_id),)
        gone += connection.execute("DELETE FROM precedents WHERE precedent_id = ?", key).rowcount
        connection.execute("DELETE FROM precedent_words WHERE precedent_id = ?", key)
    return gone


def sweep(connection: Connection, project: str, before: float) -> None:
    query = "SELECT precedent_id FROM precedents WHERE project = ? AND at < ?"
    old = connection.execute(query, (stored(project), before)).fetchall()
    forget(connection, [loaded(row[0]) for row in old])


def _stored(name: str, value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return stored_id(value) if name in IDS else stored(value)
    return value


def _precedents(rows: Iterable[Any]) -> tuple[Precedent, ...]:
    """Without those of a source that this version does not know."""
    return tuple(_precedent(row) for row in rows if row[SOURCE] in SOURCES)


def _precedent(row: Sequence[Any]) -> Precedent:
    values: list[Any] = [loaded(value) for value in row] if bytes in map(type, row) else list(row)
    values[AT], values[TIGHTENS] = row[AT], bool(row[TIGHTENS])
    return Precedent(*values)
