"""What a turn has used up, wrote and may go on writing, and what cooled down in it. SQL in a transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from evaluator.model import SEVERITY, Effect, OperationClass
from evaluator.ports import TurnKey, Written
from evaluator.state.records import Stored, loaded, stored, stored_id, texts, value_of
from evaluator.state.sessions import touch
from evaluator.trigger.rules import Cooldown, directory_and_stem

if TYPE_CHECKING:
    from sqlite3 import Connection

WRITES_MAX = 200
THIS_TURN = "session_id = ? AND agent_id = ? AND ordinal = ?"


def checks_taken(db: Connection, turn: TurnKey) -> int:
    """How many paid checks the turn has counted."""
    query = f"SELECT checks_taken + destructive_taken FROM turns WHERE {THIS_TURN}"  # noqa: S608
    return value_of(db, query, _key(turn), 0)


def take_check(db: Connection, turn: TurnKey, limit: int, *, act: bool = False) -> bool:
    """Count one paid check of the turn, unless `limit` were already taken; of an `act` of its own, unless as many
    were of such.
    """
    column = _column(act=act)
    touch(db, turn.session_id)
    db.execute(
        "INSERT OR IGNORE INTO turns (session_id, agent_id, ordinal, checks_taken) VALUES (?, ?, ?, 0)",
        _key(turn),
    )
    update = f"UPDATE turns SET {column} = {column} + 1 WHERE {THIS_TURN} AND {column} < ?"  # noqa: S608
    return bool(db.execute(update, (*_key(turn), limit)).rowcount)


def give_back_check(db: Connection, turn: TurnKey, *, act: bool = False) -> None:
    """A check that was counted and could not be made counts no more."""
    column = _column(act=act)
    update = f"UPDATE turns SET {column} = {column} - 1 WHERE {THIS_TURN} AND {column} > 0"  # noqa: S608
    db.execute(update, _key(turn))


def note_call(
    db: Connection,
    tool_use_id: str,
    turn: TurnKey,
    each: Sequence[Effect],
    judged: Sequence[Effect],
    now: float,
) -> None:
    """Remember that this call was let through, until its result is known; `judged` are those that were."""
    import json

    touch(db, turn.session_id, now)
    kept = [
        [one.target, one.operation == "create", one.operation_class if one in judged else "", one.act]
        for one in each
        if one.target or one.act
    ]
    db.execute(
        """INSERT OR REPLACE INTO judged
        (tool_use_id, session_id, ordinal, targets, operation_class, at, creates, judged)
        VALUES (?, ?, ?, ?, '', ?, 0, 0)""",
        (stored_id(tool_use_id), stored_id(turn.session_id), turn.ordinal, json.dumps(kept), now),
    )


def settle(db: Connection, tool_use_id: str, now: float, *, succeeded: bool) -> None:
    """The call ended. One that succeeded is written; if it was judged, its cooldown starts. An id that was never
    judged, or is settled, changes nothing.
    """
    import json

    key = (stored_id(tool_use_id),)
    row = db.execute(
        "SELECT session_id, ordinal, targets, operation_class, creates, judged FROM judged WHERE tool_use_id = ?",
        key,
    ).fetchone()
    if row is None:
        return
    db.execute("DELETE FROM judged WHERE tool_use_id = ?", key)
    if not succeeded:
        return
    session, ordinal, kept, whole_class, creates, judged = row
    for item in json.loads(kept):
        # 0.1.0 kept one class for all targets.
        of_all = isinstance(item, str)
        target, created, kind, act = (item, creates, whole_class if judged else "", "") if of_all else item
        if act:
            db.execute(
                "INSERT OR IGNORE INTO acts (session_id, act, ordinal) VALUES (?, ?, ?)",
                (session, stored(act), ordinal),
            )
        if not target:
            continue
        db.execute(
            """INSERT INTO writes (session_id, ordinal, target, created, at, judged) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (session_id, ordinal, target)
            DO UPDATE SET at = excluded.at, judged = excluded.judged, created = max(created, excluded.created)""",
            (session, ordinal, stored(target), int(created), now, int(bool(kind))),
        )
        if kind:
            directory, stem = directory_and_stem(target)
            db.execute(
                """INSERT OR REPLACE INTO cooldowns (session_id, ordinal, directory, stem, operation_class, at)
                VALUES (?, ?, ?, ?, ?, ?)""",
                (session, ordinal, stored(directory), stored(stem), kind, now),
            )


def cooldowns(db: Connection, turn: TurnKey, since: float) -> tuple[Cooldown, ...]:
    """Those of the turn's session and ordinal, of all its agents, oldest first."""
    rows = db.execute(
        """SELECT directory, stem, operation_class, at FROM cooldowns
        WHERE session_id = ? AND ordinal = ? AND at >= ? ORDER BY at, directory, stem""",
        (stored_id(turn.session_id), turn.ordinal, since),
    )
    return tuple(Cooldown(*texts(row)) for row in rows)


def written(db: Connection, turn: TurnKey) -> tuple[Written, ...]:
    """What the turn wrote, all its agents together, oldest first, at most `WRITES_MAX`."""
    rows = db.execute(
        """SELECT target, created, judged FROM writes WHERE session_id = ? AND ordinal = ?
        ORDER BY at, target LIMIT ?""",
        (stored_id(turn.session_id), turn.ordinal, WRITES_MAX),
    )
    return tuple(Written(loaded(target), bool(created), bool(judged)) for target, created, judged in rows)


def made(db: Connection, session_id: str, targets: Sequence[str]) -> frozenset[str]:
    """Those of the targets that some turn of the session created."""
    kept = dict.fromkeys(map(stored, targets[:WRITES_MAX]))
    marks = ", ".join("?" * len(kept))
    rows = db.execute(
        f"SELECT target FROM writes WHERE session_id = ? AND created = 1 AND target IN ({marks})",  # noqa: S608
        (stored_id(session_id), *kept),
    )
    return frozenset(loaded(target) for (target,) in rows)


def ran_before(db: Connection, turn: TurnKey, acts: Collection[str]) -> bool:
    """Whether acts of each of these kinds ran in earlier turns of the session."""
    query = "SELECT 1 FROM acts WHERE session_id = ? AND act = ? AND ordinal < ?"
    return all(
        value_of(db, query, (stored_id(turn.session_id), stored(act), turn.ordinal), 0) for act in acts
    )


def note_judged(db: Connection, turn: TurnKey, targets: Sequence[str]) -> None:
    """What the turn wrote there was judged since."""
    for target in targets:
        db.execute(
            "UPDATE writes SET judged = 1 WHERE session_id = ? AND ordinal = ? AND target = ?",
            (stored_id(turn.session_id), turn.ordinal, stored(target)),
        )


def open_coverage(
    db: Connection, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass, calls: int
) -> None:
    """A check passed: that many further calls of the class or milder in these folders are covered."""
    for directory in dict.fromkeys(directories):
        db.execute(
            """INSERT OR REPLACE INTO coverage (session_id, agent_id, ordinal, directory, severity, calls)
            VALUES (?, ?, ?, ?, ?, ?)""",
            (*_key(turn), stored(directory), SEVERITY[operation_class], calls),
        )


def use_coverage(
    db: Connection, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass
) -> bool:
    """Whether all these folders are covered for that class; each then has one call less."""
    found: list[tuple[Stored, int]] = []
    for directory in map(stored, dict.fromkeys(directories)):
        severity = value_of(
            db,
            f"""SELECT severity FROM coverage WHERE {THIS_TURN}
            AND directory = ? AND severity >= ? AND calls > 0 ORDER BY severity LIMIT 1""",  # noqa: S608
            (*_key(turn), directory, SEVERITY[operation_class]),
            -1,
        )
        if severity < 0:
            return False
        found.append((directory, severity))
    for one in found:
        db.execute(
            f"UPDATE coverage SET calls = calls - 1 WHERE {THIS_TURN} AND directory = ? AND severity = ?",  # noqa: S608
            (*_key(turn), *one),
        )
    return bool(found)


def _column(*, act: bool) -> str:
    """Of acts of their own: named when only destructive calls had a reserve."""
    return "destructive_taken" if act else "checks_taken"


def _key(turn: TurnKey) -> tuple[Stored, Stored, int]:
    return stored_id(turn.session_id), stored_id(turn.agent_id), turn.ordinal
