"""What a turn has used up and what cooled down in it, as SQL inside a transaction of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from evaluator.model import OperationClass
from evaluator.ports import Cooldown, TurnKey
from evaluator.stages.cooldown import directory_and_stem
from evaluator.state import sessions
from evaluator.state.records import Stored, loaded, stored, stored_id

if TYPE_CHECKING:
    import sqlite3


def checks_taken(connection: sqlite3.Connection, turn: TurnKey) -> int:
    query = "SELECT checks_taken FROM turns WHERE session_id = ? AND agent_id = ? AND ordinal = ?"
    row = connection.execute(query, _key(turn)).fetchone()
    return 0 if row is None else int(row[0])


def take_check(connection: sqlite3.Connection, turn: TurnKey, limit: int) -> bool:
    if checks_taken(connection, turn) >= limit:
        return False
    sessions.touch(connection, turn.session_id)
    connection.execute(
        """INSERT INTO turns (session_id, agent_id, ordinal, checks_taken) VALUES (?, ?, ?, 1)
        ON CONFLICT (session_id, agent_id, ordinal) DO UPDATE SET checks_taken = checks_taken + 1""",
        _key(turn),
    )
    return True


def note_judged(
    connection: sqlite3.Connection,
    tool_use_id: str,
    turn: TurnKey,
    targets: Sequence[str],
    operation_class: OperationClass,
    now: float,
) -> None:
    import json

    sessions.touch(connection, turn.session_id, now)
    session, kept = stored_id(turn.session_id), json.dumps(list(targets))
    connection.execute(
        """INSERT OR REPLACE INTO judged (tool_use_id, session_id, ordinal, targets, operation_class, at)
        VALUES (?, ?, ?, ?, ?, ?)""",
        (stored_id(tool_use_id), session, turn.ordinal, kept, operation_class, now),
    )


def settle(connection: sqlite3.Connection, tool_use_id: str, now: float, *, succeeded: bool) -> None:
    import json

    key = (stored_id(tool_use_id),)
    row = connection.execute(
        "SELECT session_id, ordinal, targets, operation_class FROM judged WHERE tool_use_id = ?", key
    ).fetchone()
    if row is None:
        return
    connection.execute("DELETE FROM judged WHERE tool_use_id = ?", key)
    if not succeeded:
        return
    session, ordinal, targets, operation_class = row
    for target in cast(list[str], json.loads(targets)):
        directory, stem = directory_and_stem(target)
        connection.execute(
            """INSERT INTO cooldowns (session_id, ordinal, directory, stem, operation_class, at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (session_id, ordinal, directory, stem, operation_class)
            DO UPDATE SET at = excluded.at""",
            (session, ordinal, stored(directory), stored(stem), operation_class, now),
        )


def cooldowns(connection: sqlite3.Connection, turn: TurnKey, since: float) -> tuple[Cooldown, ...]:
    rows = connection.execute(
        """SELECT directory, stem, operation_class, at FROM cooldowns
        WHERE session_id = ? AND ordinal = ? AND at >= ? ORDER BY at, directory, stem""",
        (stored_id(turn.session_id), turn.ordinal, since),
    )
    return tuple(
        Cooldown(loaded(directory), loaded(stem), operation_class, float(at))
        for directory, stem, operation_class, at in rows
    )


def _key(turn: TurnKey) -> tuple[Stored, Stored, int]:
    return stored_id(turn.session_id), stored_id(turn.agent_id), turn.ordinal
