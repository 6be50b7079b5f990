"""What was dear to find in a transcript, as SQL inside a transaction of the caller. One a session and agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.state.tables.records import loaded, stored, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection


def recall(connection: Connection, session_id: str, agent_id: str) -> str | None:
    query = "SELECT data FROM exchanges WHERE session_id = ? AND agent_id = ?"
    row = connection.execute(query, (stored_id(session_id), stored_id(agent_id))).fetchone()
    return None if row is None else loaded(row[0])


def remember(connection: Connection, session_id: str, agent_id: str, data: str) -> None:
    connection.execute(
        """INSERT INTO exchanges (session_id, agent_id, data) VALUES (?, ?, ?)
        ON CONFLICT (session_id, agent_id) DO UPDATE SET data = excluded.data""",
        (stored_id(session_id), stored_id(agent_id), stored(data)),
    )
