"""Precedents and the words they are found by, of a project by its key. SQL in a transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from evaluator.state.connection import loaded, stored, stored_id, texts, value_of

if TYPE_CHECKING:
    from sqlite3 import Connection

    from evaluator.precedents import Precedent

PRECEDENTS_MAX = 5_000
"""Of one project; past it the oldest goes."""
COLUMNS = (
    "precedent_id", "project", "checkout", "branch", "session_id", "check_id", "at", "source", "term", "said",
    "action", "target", "extent", "tightens",
)  # fmt: skip
LISTED = ", ".join(COLUMNS)
IDS = frozenset(("precedent_id", "session_id", "check_id"))
SOURCE = COLUMNS.index("source")
NEWEST_FIRST = "ORDER BY at DESC, precedent_id DESC"


def has_precedents(db: Connection, project: str) -> bool:
    """Whether there is any, at the cost of one look into an index."""
    return bool(value_of(db, "SELECT 1 FROM precedents WHERE project = ? LIMIT 1", (stored(project),), 0))


def keep_precedent(db: Connection, found: Precedent) -> None:
    """One with that id is replaced."""
    from evaluator.precedents import found_under

    forget_precedents(db, (found.precedent_id,))
    db.execute(
        f"INSERT INTO precedents ({LISTED}) VALUES ({_marks(COLUMNS)})",  # noqa: S608
        [_stored(name, getattr(found, name)) for name in COLUMNS],
    )
    db.executemany(
        "INSERT INTO precedent_words (project, word, precedent_id) VALUES (?, ?, ?)",
        [
            (stored(found.project), stored(word), stored_id(found.precedent_id))
            for word in sorted(found_under(found))
        ],
    )
    past = db.execute(
        f"SELECT precedent_id FROM precedents WHERE project = ? {NEWEST_FIRST} LIMIT -1 OFFSET ?",  # noqa: S608
        (stored(found.project), PRECEDENTS_MAX),
    ).fetchall()
    forget_precedents(db, [loaded(one) for (one,) in past])


def precedents_of(
    db: Connection, project: str, words: Collection[str], since: float, limit: int
) -> tuple[Precedent, ...]:
    """Those found by one of `words` (`looked_for`) and not older than `since`: newest first, `limit`."""
    if not words:
        return ()
    rows = db.execute(
        f"""SELECT {LISTED} FROM precedents WHERE precedent_id IN (
            SELECT precedent_id FROM precedent_words WHERE project = ? AND word IN ({_marks(words)})
        ) AND at >= ? {NEWEST_FIRST} LIMIT ?""",  # noqa: S608
        (stored(project), *map(stored, words), since, limit),
    )
    return _precedents(rows)


def precedent(db: Connection, precedent_id: str) -> Precedent | None:
    query = f"SELECT {LISTED} FROM precedents WHERE precedent_id = ?"  # noqa: S608
    return next(iter(_precedents(db.execute(query, (stored_id(precedent_id),)))), None)


def all_precedents(db: Connection, project: str | None) -> tuple[Precedent, ...]:
    """Those of the project, of every project for None: newest first."""
    where, given = ("TRUE", ()) if project is None else ("project = ?", (stored(project),))
    return _precedents(db.execute(f"SELECT {LISTED} FROM precedents WHERE {where} {NEWEST_FIRST}", given))  # noqa: S608


def forget_precedents(db: Connection, ids: Collection[str]) -> int:
    """Delete them and the words they are found by; returns how many there were."""
    keys = [(stored_id(one),) for one in ids]
    db.executemany("DELETE FROM precedent_words WHERE precedent_id = ?", keys)
    return sum(db.execute("DELETE FROM precedents WHERE precedent_id = ?", key).rowcount for key in keys)


def sweep_precedents(db: Connection, project: str, before: float) -> None:
    """Delete those of the project that are older, in seconds since the epoch."""
    query = "SELECT precedent_id FROM precedents WHERE project = ? AND at < ?"
    old = db.execute(query, (stored(project), before)).fetchall()
    forget_precedents(db, [loaded(one) for (one,) in old])


def _stored(name: str, value: object) -> object:
    if isinstance(value, str):
        return stored_id(value) if name in IDS else stored(value)
    return int(value) if isinstance(value, bool) else value


def _marks(columns: Collection[str]) -> str:
    return ", ".join("?" * len(columns))


def _precedents(rows: Iterable[Any]) -> tuple[Precedent, ...]:
    """Without those of a source that this version does not know."""
    from evaluator.precedents import SOURCES, Precedent

    kept: list[list[Any]] = [[*texts(row[:-1]), bool(row[-1])] for row in rows if row[SOURCE] in SOURCES]
    return tuple(Precedent(*row) for row in kept)
