"""Sessions, their prompts and subagents, as SQL. Every function runs inside a transaction of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.model import KeptPrompt
from evaluator.state.tables.records import PROMPT_CHARS_MAX, loaded, stored, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection

UNKNOWN_TIME = 0.0
"""The heartbeat of a session that was only ever named without a time."""


def touch(connection: Connection, session_id: str, now: float = UNKNOWN_TIME) -> None:
    """Make sure that the session has a row: a host may have started it before Compass was there."""
    connection.execute(
        """INSERT INTO sessions (session_id, heartbeat) VALUES (?, ?)
        ON CONFLICT (session_id) DO UPDATE SET heartbeat =
            CASE WHEN sessions.heartbeat < excluded.heartbeat THEN excluded.heartbeat ELSE sessions.heartbeat END""",
        (stored_id(session_id), now),
    )


def start(connection: Connection, session_id: str, project_dir: str, now: float) -> None:
    connection.execute(
        """INSERT INTO sessions (session_id, project_dir, started_at, heartbeat) VALUES (?, ?, ?, ?)
        ON CONFLICT (session_id) DO UPDATE SET project_dir = excluded.project_dir, ended_at = NULL,
            started_at = coalesce(sessions.started_at, excluded.started_at), heartbeat = excluded.heartbeat""",
        (stored_id(session_id), stored(project_dir), now, now),
    )


def note_mode(connection: Connection, session_id: str, mode: str, rests: float, now: float) -> None:
    touch(connection, session_id, now)
    connection.execute(
        "UPDATE sessions SET mode = ?, rests = ? WHERE session_id = ?", (mode, rests, stored_id(session_id))
    )


def set_backend(connection: Connection, session_id: str, backend: str) -> None:
    touch(connection, session_id)
    connection.execute(
        "UPDATE sessions SET backend = ? WHERE session_id = ?", (backend, stored_id(session_id))
    )


def backend_of(connection: Connection, session_id: str) -> str:
    """Empty where none was kept."""
    query = "SELECT backend FROM sessions WHERE session_id = ?"
    row = connection.execute(query, (stored_id(session_id),)).fetchone()
    return "" if row is None or row[0] is None else str(row[0])


def end(connection: Connection, session_id: str, now: float) -> None:
    touch(connection, session_id, now)
    connection.execute("UPDATE sessions SET ended_at = ? WHERE session_id = ?", (now, stored_id(session_id)))


def ordinal_of(connection: Connection, session_id: str) -> int:
    """The ordinal of the running turn; 0 before the first prompt that opens one."""
    query = "SELECT turn_ordinal FROM sessions WHERE session_id = ?"
    row = connection.execute(query, (stored_id(session_id),)).fetchone()
    return 0 if row is None else int(row[0])


def add_prompt(
    connection: Connection,
    session_id: str,
    prompt_id: str | None,
    text: str,
    now: float,
    *,
    opens_turn: bool,
) -> int:
    session = stored_id(session_id)
    touch(connection, session_id, now)
    connection.execute(
        "UPDATE sessions SET ended_at = NULL, turn_ordinal = turn_ordinal + ? WHERE session_id = ?",
        (int(opens_turn), session),
    )
    ordinal = ordinal_of(connection, session_id)
    (position,) = connection.execute(
        "SELECT coalesce(max(position) + 1, 0) FROM prompts WHERE session_id = ?", (session,)
    ).fetchone()
    kept_id = None if prompt_id is None else stored_id(prompt_id)
    connection.execute(
        "INSERT INTO prompts (session_id, position, prompt_id, text, ordinal, at) VALUES (?, ?, ?, ?, ?, ?)",
        (session, position, kept_id, stored(text[:PROMPT_CHARS_MAX]), ordinal, now),
    )
    return ordinal


def prompts(connection: Connection, session_id: str) -> tuple[KeptPrompt, ...]:
    rows = connection.execute(
        "SELECT prompt_id, text, ordinal, position, at FROM prompts WHERE session_id = ? ORDER BY position",
        (stored_id(session_id),),
    )
    return tuple(
        KeptPrompt(
            None if prompt_id is None else loaded(prompt_id),
            loaded(text),
            int(ordinal),
            int(position),
            float(at),
        )
        for prompt_id, text, ordinal, position, at in rows
    )


def attend(connection: Connection, session_id: str) -> None:
    touch(connection, session_id)
    connection.execute("UPDATE sessions SET attended = 1 WHERE session_id = ?", (stored_id(session_id),))


def attended(connection: Connection, session_id: str) -> bool:
    query = "SELECT attended FROM sessions WHERE session_id = ?"
    row = connection.execute(query, (stored_id(session_id),)).fetchone()
    return row is not None and bool(row[0])


def agent_ordinal(connection: Connection, session_id: str, agent_id: str) -> int | None:
    """The turn in which the subagent first acted; None if it did not yet."""
    query = "SELECT ordinal FROM agents WHERE session_id = ? AND agent_id = ?"
    row = connection.execute(query, (stored_id(session_id), stored_id(agent_id))).fetchone()
    return None if row is None else int(row[0])


def bind_agent(connection: Connection, session_id: str, agent_id: str) -> int:
    """Bind the subagent to the running turn, unless another process was first."""
    touch(connection, session_id)
    bound = agent_ordinal(connection, session_id, agent_id)
    if bound is not None:
        return bound
    ordinal = ordinal_of(connection, session_id)
    connection.execute(
        "INSERT INTO agents (session_id, agent_id, ordinal) VALUES (?, ?, ?)",
        (stored_id(session_id), stored_id(agent_id), ordinal),
    )
    return ordinal


def next_sequence(connection: Connection, session_id: str) -> int:
    session = (stored_id(session_id),)
    advance = "UPDATE sessions SET sequence = sequence + 1 WHERE session_id = ?"
    if not connection.execute(advance, session).rowcount:
        touch(connection, session_id)
        connection.execute(advance, session)
    (sequence,) = connection.execute("SELECT sequence FROM sessions WHERE session_id = ?", session).fetchone()
    return int(sequence) - 1
