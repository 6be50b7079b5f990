"""The private record of checks, and checks in flight, which parallel calls share. SQL in a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from evaluator.model import Check
from evaluator.ports import LandedCheck, TurnKey
from evaluator.record import decoded, values_of
from evaluator.state.records import loaded, stored, stored_id, text_of_record, value_of
from evaluator.state.sessions import touch

if TYPE_CHECKING:
    from sqlite3 import Connection

BEYOND = "\U0010ffff"
"""Sorts after every character that an id may go on with."""
AHEAD_SECONDS = 2.0
"""How far another's moment may lie ahead and not be of the future: each reads the clock, then waits to write."""


_INSERT = """INSERT INTO checks (check_id, at, session_id, agent_id, ordinal, verdict, reason,
    decision, tool_name, target, record, project_dir, duration_ms, cost_usd, host)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (check_id) DO NOTHING"""


def row_of(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> tuple[object, ...]:
    """The columns of a check, in the order of `save_check`; made before the transaction, which stays short."""
    targets = () if check.effects is None else check.effects.targets
    costs = [sample.cost_usd for sample in check.samples if sample.cost_usd is not None]
    return (
        stored_id(check.check_id),
        check.at,
        stored_id(check.pending.session_id),
        None if turn is None else stored_id(turn.agent_id),
        None if turn is None else turn.ordinal,
        check.verdict,
        check.reason,
        check.decision,
        stored_id(check.pending.tool_name),
        stored(targets[0]) if targets else None,
        text_of_record(check, turn, store_evidence=store_evidence),
        stored(check.pending.project_dir),
        check.duration_ms,
        # None where nobody was paid, or no price is known.
        sum(costs) if costs else None,
        stored_id(check.pending.host),
    )


def save_check(db: Connection, session_id: str, at: float, row: tuple[object, ...]) -> None:
    """A check that was saved before is replaced, and is then the newest."""
    touch(db, session_id, at)
    if not db.execute(_INSERT, row).rowcount:
        db.execute("DELETE FROM checks WHERE check_id = ?", row[:1])
        db.execute(_INSERT, row)


def check(db: Connection, check_id: str | None) -> Mapping[str, object] | None:
    """The record (`records.record_of`) with that id, or with the only id that begins so.

    None gives the one that was saved last: the clock may have jumped in between.
    """
    if check_id is None:
        rows = db.execute("SELECT record FROM checks ORDER BY rowid DESC LIMIT 1").fetchall()
    else:
        rows = _named(db, check_id) or _named(db, check_id.upper())
    if len(rows) != 1:
        return None
    import json

    return cast(dict[str, object], json.loads(rows[0][0]))


def _named(db: Connection, check_id: str) -> list[tuple[str]]:
    found = db.execute("SELECT record FROM checks WHERE check_id = ?", (stored_id(check_id),)).fetchall()
    prefix = stored(check_id)
    if found or not check_id or not isinstance(prefix, str):
        return found
    query = "SELECT record FROM checks WHERE check_id BETWEEN ? AND ? LIMIT 2"
    return db.execute(query, (prefix, prefix + BEYOND)).fetchall()


def enter_flight(
    db: Connection, session_id: str, identity: str, token: str, since: float, now: float, seconds: float
) -> bool:
    """Whether the caller, as `token`, checks this evidence; else another one does, or landed since `since`.

    A flight whose owner did not land within its `seconds` is taken over; so is one of the future, which a
    clock that jumped back leaves behind.
    """
    key = (stored_id(session_id), identity)
    row = db.execute(
        "SELECT started_at, until, outcome FROM flights WHERE session_id = ? AND identity = ?", key
    ).fetchone()
    if row is not None:
        started, until, outcome = row
        latest = now + AHEAD_SECONDS
        under_way = outcome is None and started <= latest and now < until
        # Of a flight that has landed, `until` is the moment: it ran beside the caller if that is not before its start.
        if under_way or (outcome is not None and since <= until <= latest):
            return False
    db.execute(
        """INSERT OR REPLACE INTO flights (session_id, identity, token, started_at, until, outcome)
        VALUES (?, ?, ?, ?, ?, NULL)""",
        (*key, token, now, now + seconds),
    )
    return True


def outcome_of(check: Check) -> str:
    """The end of a check as JSON; made before the transaction."""
    import json

    return json.dumps({name: getattr(check, name) for name in LandedCheck.__match_args__}, default=values_of)


def land_flight(db: Connection, session_id: str, identity: str, token: str, now: float, outcome: str) -> None:
    """Tell those who wait. Nothing if the flight was taken over."""
    db.execute(
        "UPDATE flights SET outcome = ?, until = ? WHERE session_id = ? AND identity = ? AND token = ?",
        (stored(outcome), now, stored_id(session_id), identity, token),
    )


def leave_flight(db: Connection, session_id: str, identity: str, token: str) -> None:
    """The check broke: nobody has to wait for it."""
    db.execute(
        "DELETE FROM flights WHERE session_id = ? AND identity = ? AND token = ?",
        (stored_id(session_id), identity, token),
    )


def flight(db: Connection, session_id: str, identity: str) -> LandedCheck | None:
    """How the check of this evidence ended; None while it is under way, and where there is none."""
    query = "SELECT outcome FROM flights WHERE session_id = ? AND identity = ?"
    outcome: object = value_of(db, query, (stored_id(session_id), identity), None)
    if outcome is None:
        return None
    import json

    return decoded(LandedCheck, json.loads(loaded(outcome)))
