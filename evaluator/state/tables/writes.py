"""What a turn wrote, and which folders a passed check covers. SQL in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.model import SEVERITY, OperationClass
from evaluator.ports import TurnKey, Written
from evaluator.state.tables.records import loaded, stored, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection

WRITES_MAX = 200


def add(
    connection: Connection,
    session: object,
    ordinal: int,
    target: str,
    now: float,
    *,
    created: bool,
    judged: bool,
) -> None:
    """Note a write that succeeded; a file that the turn created stays created, and its newest write tells `judged`."""
    connection.execute(
        """INSERT INTO writes (session_id, ordinal, target, created, at, judged) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (session_id, ordinal, target)
        DO UPDATE SET at = excluded.at, judged = excluded.judged, created =
            CASE WHEN writes.created < excluded.created THEN excluded.created ELSE writes.created END""",
        (session, ordinal, stored(target), int(created), now, int(judged)),
    )


def note_judged(connection: Connection, turn: TurnKey, targets: Sequence[str]) -> None:
    """What the turn wrote there was judged since."""
    for target in targets:
        connection.execute(
            "UPDATE writes SET judged = 1 WHERE session_id = ? AND ordinal = ? AND target = ?",
            (stored_id(turn.session_id), turn.ordinal, stored(target)),
        )


def of_turn(connection: Connection, turn: TurnKey) -> tuple[Written, ...]:
    """Oldest first, at most `WRITES_MAX`."""
    rows = connection.execute(
        """SELECT target, created, judged FROM writes WHERE session_id = ? AND ordinal = ?
        ORDER BY at, target LIMIT ?""",
        (stored_id(turn.session_id), turn.ordinal, WRITES_MAX),
    )
    return tuple(Written(loaded(target), bool(created), bool(judged)) for target, created, judged in rows)


def made(connection: Connection, session_id: str, targets: Sequence[str]) -> frozenset[str]:
    """Those of the targets that some turn of the session created."""
    kept = {stored(target): target for target in targets[:WRITES_MAX]}
    if not kept:
        return frozenset()
    marks = ", ".join("?" * len(kept))
    rows = connection.execute(
        f"SELECT target FROM writes WHERE session_id = ? AND created = 1 AND target IN ({marks})",  # noqa: S608 - marks alone
        (stored_id(session_id), *kept),
    )
    return frozenset(loaded(target) for (target,) in rows)


def open_coverage(
    connection: Connection,
    turn: TurnKey,
    directories: Sequence[str],
    operation_class: OperationClass,
    calls: int,
) -> None:
    """A check passed: writes to these folders of the same or a milder class are covered, `calls` times."""
    for directory in dict.fromkeys(directories):
        connection.execute(
            """INSERT INTO coverage (session_id, agent_id, ordinal, directory, severity, calls)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (session_id, agent_id, ordinal, directory, severity) DO UPDATE SET calls = excluded.calls""",
            (*_key(turn), stored(directory), SEVERITY[operation_class], calls),
        )


def use_coverage(
    connection: Connection,
    turn: TurnKey,
    directories: Sequence[str],
    operation_class: OperationClass,
) -> bool:
    """Whether every folder is covered for that class; each then has one covered call less."""
    found: list[tuple[object, int]] = []
    for directory in dict.fromkeys(directories):
        row = connection.execute(
            """SELECT severity FROM coverage WHERE session_id = ? AND agent_id = ? AND ordinal = ?
            AND directory = ? AND severity >= ? AND calls > 0 ORDER BY severity LIMIT 1""",
            (*_key(turn), stored(directory), SEVERITY[operation_class]),
        ).fetchone()
        if row is None:
            return False
        found.append((stored(directory), int(row[0])))
    for kept, severity in found:
        connection.execute(
            """UPDATE coverage SET calls = calls - 1 WHERE session_id = ? AND agent_id = ? AND ordinal = ?
            AND directory = ? AND severity = ?""",
            (*_key(turn), kept, severity),
        )
    return bool(found)


def _key(turn: TurnKey) -> tuple[object, object, int]:
    return stored_id(turn.session_id), stored_id(turn.agent_id), turn.ordinal
