"""The breakers of the machine, as SQL inside a transaction of the caller. The rules are `breaker.transitions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.breaker.state import (
    Admission,
    BreakerRules,
    BreakerState,
    Closed,
    EvaluationOutcome,
    HalfOpen,
    Open,
    Transition,
)
from evaluator.state.tables.records import loaded, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection

BreakerRow = tuple[str, int, str | None, float | None]
"""(state, failures, token, since)"""


def get(connection: Connection, key: str) -> BreakerState:
    query = "SELECT state, failures, token, since FROM breakers WHERE key = ?"
    row = connection.execute(query, (stored_id(key),)).fetchone()
    return Closed() if row is None else _state_of(row)


def every(connection: Connection) -> dict[str, BreakerState]:
    """By key; a breaker that is closed and has no failures has no row."""
    rows = connection.execute("SELECT key, state, failures, token, since FROM breakers ORDER BY key")
    return {loaded(key): _state_of((state, failures, *rest)) for key, state, failures, *rest in rows}


def admit(connection: Connection, key: str, rules: BreakerRules, now: float, token: str) -> Admission:
    from evaluator.breaker.transitions import Asked, admission_of, step

    before = get(connection, key)
    after, effects = step(before, Asked(token), now, rules)
    _put(connection, key, before, after, now)
    return admission_of(effects)


def report(
    connection: Connection,
    key: str,
    rules: BreakerRules,
    now: float,
    outcome: EvaluationOutcome,
    token: str | None,
) -> Transition | None:
    from evaluator.breaker.transitions import Reported, step, transition_of

    before = get(connection, key)
    after, effects = step(before, Reported(outcome, token), now, rules)
    _put(connection, key, before, after, now)
    return transition_of(effects)


def _put(connection: Connection, key: str, before: BreakerState, after: BreakerState, now: float) -> None:
    if after == before:
        return
    if after == Closed():
        connection.execute("DELETE FROM breakers WHERE key = ?", (stored_id(key),))
        return
    connection.execute(
        """INSERT INTO breakers (key, state, failures, token, since, at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET state = excluded.state, failures = excluded.failures,
            token = excluded.token, since = excluded.since, at = excluded.at""",
        (stored_id(key), *_row_of(after), now),
    )


def _row_of(state: BreakerState) -> BreakerRow:
    match state:
        case Closed(failures):
            return "closed", failures, None, None
        case Open(since):
            return "open", 0, None, since
        case HalfOpen(token, since):
            return "half-open", 0, token, since


def _state_of(row: BreakerRow) -> BreakerState:
    state, failures, token, since = row
    if state == "open" and since is not None:
        return Open(since)
    if state == "half-open" and since is not None:
        return HalfOpen(token, since)
    return Closed(failures)
