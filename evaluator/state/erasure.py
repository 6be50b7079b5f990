"""Counts and erases what is kept of a session, of a project or of a person. What is gone leaves no bytes.

What stays: what the machine learnt of readers, what they cost, and their breakers, none of which names a session.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from typing import TypeVar

from evaluator.errors import StateError
from evaluator.record import Record
from evaluator.state.database import is_locked, loaded, stored_id, transaction
from evaluator.state.history import below, up_to_date
from evaluator.state.sessions import forget_precedents

T = TypeVar("T")

BUSY_SECONDS = 10.0
PRECEDENTS = "precedents"
SESSION = "session_id"
SHOWN = ("checks", "sessions", "prompts", "interventions", PRECEDENTS)
"""The tables that are told by name; the rest are traces of sessions."""
TRACES = "traces"


class ErasureScope(Record):
    """Whose rows are meant: a session's, or a project's by its folder and its key, or, without either, all of them."""

    session_id: str = ""
    folder: str = ""
    key: str = ""


class ErasedRows(Record):
    """`rows` by what they are (`SHOWN` and `TRACES`); `sessions` are the ids of those that are meant."""

    rows: Mapping[str, int]
    sessions: tuple[str, ...]


NOTHING = ErasedRows(dict.fromkeys((*SHOWN, TRACES), 0), ())


def erase(
    state_dir: str, scope: ErasureScope, now: float, before: Callable[[ErasedRows], None] | None = None
) -> ErasedRows:
    """What was taken, in one transaction; the file then holds no byte of it. `before` is told what will be taken, and
    may raise to stop it. Raises StateError, nothing erased then."""

    def act(database: sqlite3.Connection) -> ErasedRows:
        found = _count_erasable_rows(database, scope)
        if before is not None:
            before(found)
        for table, where in _erasure_conditions(database):
            database.execute(f"DELETE FROM {table} WHERE {where}")  # noqa: S608 - names of our own schema
        kept = "SELECT precedent_id FROM precedents"
        database.execute(f"DELETE FROM precedent_words WHERE precedent_id NOT IN ({kept})")  # noqa: S608
        return found

    if before is not None and up_to_date(state_dir, now) is None:
        before(NOTHING)
    return _run_erasure(state_dir, act, NOTHING, now)


def erase_precedents(state_dir: str, ids: Collection[str], now: float) -> int:
    """How many there were. Raises StateError, nothing erased then."""
    return _run_erasure(state_dir, lambda database: forget_precedents(database, ids), 0, now)


def _run_erasure(state_dir: str, act: Callable[[sqlite3.Connection], T], nothing: T, now: float) -> T:
    path = up_to_date(state_dir, now)
    if path is None:
        return nothing
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as database:
            database.execute("PRAGMA secure_delete = ON")
            found = transaction(database, act, commits=True)
            # Rewrites the file, as rows replaced before left their bytes in it, and empties the log beside it. Another
            # process may hold the file longer than we wait: what was deleted just now is overwritten all the same.
            for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                try:
                    database.execute(statement).fetchall()
                except sqlite3.Error as error:
                    if not is_locked(error):
                        raise
            return found
    except sqlite3.Error as error:
        raise StateError(f"{path}: {error}; nothing in it was erased") from None


def _count_erasable_rows(database: sqlite3.Connection, scope: ErasureScope) -> ErasedRows:
    """Leaves the ids of what is meant in temporary tables."""
    database.execute("PRAGMA temp_store = MEMORY")
    _mark_erasure_scope(database, scope)
    rows = {**NOTHING.rows}
    for table, where in _erasure_conditions(database):
        (count,) = database.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()  # noqa: S608
        rows[table if table in SHOWN else TRACES] += int(count)
    sessions = database.execute(f"SELECT {SESSION} FROM meant_sessions ORDER BY 1")  # noqa: S608
    return ErasedRows(rows, tuple(loaded(one) for (one,) in sessions))


def _mark_erasure_scope(database: sqlite3.Connection, scope: ErasureScope) -> None:
    database.execute(f"CREATE TEMP TABLE meant_sessions ({SESSION} PRIMARY KEY)")
    database.execute("CREATE TEMP TABLE meant_checks (check_id PRIMARY KEY)")
    database.execute("CREATE TEMP TABLE meant_keys (project PRIMARY KEY)")
    if scope.session_id:
        database.execute("INSERT INTO meant_sessions VALUES (?)", (stored_id(scope.session_id),))
        return
    if not scope.folder:
        for table in _erasable_session_tables(database):
            query = f"INSERT OR IGNORE INTO meant_sessions SELECT {SESSION} FROM {table}"  # noqa: S608
            database.execute(query)
        database.execute("INSERT OR IGNORE INTO meant_keys SELECT project FROM precedents")
        return
    where, given = below(scope.folder)
    database.execute(f"INSERT INTO meant_checks SELECT check_id FROM checks WHERE {where}", given)  # noqa: S608
    # A session that its host never announced is where its checks are, if all of them are.
    database.execute(
        f"""INSERT INTO meant_sessions SELECT {SESSION} FROM sessions WHERE {where}
        UNION SELECT {SESSION} FROM checks AS c WHERE check_id IN (SELECT check_id FROM meant_checks)
        AND NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.{SESSION} = c.{SESSION} AND s.project_dir IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM checks AS o WHERE o.{SESSION} = c.{SESSION}
            AND o.check_id NOT IN (SELECT check_id FROM meant_checks))""",  # noqa: S608
        given,
    )
    database.execute("INSERT INTO meant_keys VALUES (?)", (scope.key,))


def _erasure_conditions(database: sqlite3.Connection) -> list[tuple[str, str]]:
    """(table, condition on the rows that are meant): every table that names a session, whichever step made it."""
    of_session = f"{SESSION} IN (SELECT {SESSION} FROM meant_sessions)"  # noqa: S608 - constants
    also = {
        "checks": "check_id IN (SELECT check_id FROM meant_checks)",
        PRECEDENTS: "project IN (SELECT project FROM meant_keys)",
    }
    tables = _erasable_session_tables(database)
    return [(one, f"({of_session} OR {also[one]})" if one in also else of_session) for one in tables]


def _erasable_session_tables(database: sqlite3.Connection) -> list[str]:
    query = """SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
        WHERE m.type = 'table' AND c.name = ? ORDER BY m.name"""
    return [str(name) for (name,) in database.execute(query, (SESSION,))]
