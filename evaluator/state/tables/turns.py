"""What a turn has used up and what cooled down in it, as SQL inside a transaction of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from evaluator.model import Effect
from evaluator.ports import TurnKey
from evaluator.state.tables import sessions, writes
from evaluator.state.tables.records import Stored, loaded, stored, stored_id
from evaluator.trigger.cooldown import Cooldown, directory_and_stem

if TYPE_CHECKING:
    from sqlite3 import Connection


def checks_taken(connection: Connection, turn: TurnKey) -> int:
    query = "SELECT checks_taken + destructive_taken FROM turns WHERE session_id = ? AND agent_id = ? AND ordinal = ?"
    row = connection.execute(query, _key(turn)).fetchone()
    return 0 if row is None else int(row[0])


def take_check(connection: Connection, turn: TurnKey, limit: int, *, act: bool = False) -> bool:
    """As many are kept for acts of their own as for all else."""
    column = _column(act=act)
    sessions.touch(connection, turn.session_id)
    connection.execute(
        """INSERT INTO turns (session_id, agent_id, ordinal, checks_taken) VALUES (?, ?, ?, 0)
        ON CONFLICT (session_id, agent_id, ordinal) DO NOTHING""",
        _key(turn),
    )
    taken = connection.execute(
        f"""UPDATE turns SET {column} = {column} + 1
        WHERE session_id = ? AND agent_id = ? AND ordinal = ? AND {column} < ?""",  # noqa: S608 - a constant
        (*_key(turn), limit),
    )
    return bool(taken.rowcount)


def give_back_check(connection: Connection, turn: TurnKey, *, act: bool = False) -> None:
    """Of a check that could not be made."""
    column = _column(act=act)
    connection.execute(
        f"""UPDATE turns SET {column} = {column} - 1
        WHERE session_id = ? AND agent_id = ? AND ordinal = ? AND {column} > 0""",  # noqa: S608 - a constant
        _key(turn),
    )


def _column(*, act: bool) -> str:
    """Of acts of their own: named when only destructive calls had a reserve."""
    return "destructive_taken" if act else "checks_taken"


def note_call(
    connection: Connection,
    tool_use_id: str,
    turn: TurnKey,
    each: Sequence[Effect],
    judged: Sequence[Effect],
    now: float,
) -> None:
    import json

    sessions.touch(connection, turn.session_id, now)
    kept = [
        [one.target, one.operation == "create", one.operation_class if one in judged else ""]
        for one in each
        if one.target
    ]
    connection.execute(
        """INSERT INTO judged
            (tool_use_id, session_id, ordinal, targets, operation_class, at, creates, judged)
        VALUES (?, ?, ?, ?, '', ?, 0, 0)
        ON CONFLICT (tool_use_id) DO UPDATE SET session_id = excluded.session_id, ordinal = excluded.ordinal,
            targets = excluded.targets, operation_class = '', at = excluded.at, creates = 0, judged = 0""",
        (
            stored_id(tool_use_id),
            stored_id(turn.session_id),
            turn.ordinal,
            json.dumps(kept),
            now,
        ),
    )


def settle(connection: Connection, tool_use_id: str, now: float, *, succeeded: bool) -> None:
    import json

    key = (stored_id(tool_use_id),)
    row = connection.execute(
        "SELECT session_id, ordinal, targets, operation_class, creates, judged FROM judged WHERE tool_use_id = ?",
        key,
    ).fetchone()
    if row is None:
        return
    connection.execute("DELETE FROM judged WHERE tool_use_id = ?", key)
    if not succeeded:
        return
    session, ordinal, kept, whole_class, creates, judged = row
    for item in cast(list[object], json.loads(kept)):
        if isinstance(item, str):
            # Noted by 0.1.0, which kept one class for all targets.
            target, created, operation_class = item, bool(creates), whole_class if judged else ""
        else:
            target, created, operation_class = cast(tuple[str, bool, str], item)
        judges = bool(operation_class)
        writes.add(connection, session, ordinal, target, now, created=created, judged=judges)
        if not judges:
            continue
        directory, stem = directory_and_stem(target)
        connection.execute(
            """INSERT INTO cooldowns (session_id, ordinal, directory, stem, operation_class, at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (session_id, ordinal, directory, stem, operation_class)
            DO UPDATE SET at = excluded.at""",
            (session, ordinal, stored(directory), stored(stem), operation_class, now),
        )


def cooldowns(connection: Connection, turn: TurnKey, since: float) -> tuple[Cooldown, ...]:
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
