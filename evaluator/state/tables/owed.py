"""What sessions are owed, as SQL inside a transaction of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.intervention.owed import Owed
from evaluator.state.tables.records import loaded, stored, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection

OWED_MAX = 10
"""Of one session; past it the oldest goes."""


def add(connection: Connection, session_id: str, owed: Owed) -> None:
    key = stored_id(session_id)
    connection.execute(
        "INSERT INTO owed (session_id, person, agent, held) VALUES (?, ?, ?, ?)",
        (key, stored(owed.person), stored(owed.agent), int(owed.held)),
    )
    connection.execute(
        """DELETE FROM owed WHERE session_id = ? AND id NOT IN
        (SELECT id FROM owed WHERE session_id = ? ORDER BY id DESC LIMIT ?)""",
        (key, key, OWED_MAX),
    )


def any_of(connection: Connection, session_id: str) -> bool:
    query = "SELECT 1 FROM owed WHERE session_id = ? LIMIT 1"
    return connection.execute(query, (stored_id(session_id),)).fetchone() is not None


def take(connection: Connection, session_id: str) -> tuple[Owed, ...]:
    key = stored_id(session_id)
    rows = connection.execute(
        "SELECT person, agent, held FROM owed WHERE session_id = ? ORDER BY id", (key,)
    ).fetchall()
    connection.execute("DELETE FROM owed WHERE session_id = ?", (key,))
    return tuple(Owed(loaded(person), loaded(agent), bool(held)) for person, agent, held in rows)
