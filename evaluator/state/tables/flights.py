"""Checks in flight, so that parallel calls with identical evidence share one. SQL in the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.model import Check, Convergence, Thresholds
from evaluator.ports import Landed
from evaluator.record import values_of
from evaluator.state.tables.records import loaded, stored, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection

AHEAD_SECONDS = 2.0
"""How far another's moment may lie ahead and not be of the future: each reads the clock, then waits to write."""


def enter(
    connection: Connection,
    session_id: str,
    identity: str,
    token: str,
    since: float,
    now: float,
    seconds: float,
) -> bool:
    """Whether the caller, as `token`, is the one who checks; else another one does, or did since `since`.

    A flight whose owner did not land within its `seconds` is taken over; so is one of the future, which a
    clock that jumped back leaves behind.
    """
    key = (stored_id(session_id), identity)
    row = connection.execute(
        "SELECT started_at, until, outcome FROM flights WHERE session_id = ? AND identity = ?", key
    ).fetchone()
    if row is not None:
        started, until, outcome = row
        latest = now + AHEAD_SECONDS
        under_way = outcome is None and started <= latest and now < until
        # Of a flight that has landed, `until` is the moment: it ran beside the caller if that is not before its start.
        if under_way or (outcome is not None and since <= until <= latest):
            return False
    connection.execute(
        """INSERT INTO flights (session_id, identity, token, started_at, until, outcome)
        VALUES (?, ?, ?, ?, ?, NULL)
        ON CONFLICT (session_id, identity) DO UPDATE SET token = excluded.token,
            started_at = excluded.started_at, until = excluded.until, outcome = NULL""",
        (*key, token, now, now + seconds),
    )
    return True


def land(
    connection: Connection, session_id: str, identity: str, token: str, now: float, outcome: str
) -> None:
    """Tell those who wait. Nothing if the flight was taken over."""
    connection.execute(
        "UPDATE flights SET outcome = ?, until = ? WHERE session_id = ? AND identity = ? AND token = ?",
        (stored(outcome), now, stored_id(session_id), identity, token),
    )


def leave(connection: Connection, session_id: str, identity: str, token: str) -> None:
    connection.execute(
        "DELETE FROM flights WHERE session_id = ? AND identity = ? AND token = ?",
        (stored_id(session_id), identity, token),
    )


def outcome_of(check: Check) -> str:
    """The end of a check as JSON; made before the transaction."""
    import json

    convergence, thresholds = check.convergence, check.thresholds
    return json.dumps(
        {
            "check_id": check.check_id,
            "verdict": check.verdict,
            "reason": check.reason,
            "decision": check.decision,
            "detail": check.detail,
            "convergence": None if convergence is None else values_of(convergence),
            "thresholds": None if thresholds is None else values_of(thresholds),
            "backend": check.backend,
            "model": check.model,
        }
    )


def landed(connection: Connection, session_id: str, identity: str) -> Landed | None:
    """How the check ended; None while it is under way, and where there is none."""
    import json

    row = connection.execute(
        "SELECT outcome FROM flights WHERE session_id = ? AND identity = ?", (stored_id(session_id), identity)
    ).fetchone()
    if row is None or row[0] is None:
        return None
    data = json.loads(loaded(row[0]))
    convergence, thresholds = data.pop("convergence"), data.pop("thresholds")
    return Landed(
        **data,
        convergence=None if convergence is None else Convergence(**convergence),
        thresholds=None if thresholds is None else Thresholds(**thresholds),
    )
