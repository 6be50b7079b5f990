"""Outages and who was told of them, as SQL inside a transaction of the caller. The words are `breaker.outages`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from evaluator.breaker.outages import STALE_SECONDS, Outage, ReadersBack
from evaluator.record import replace
from evaluator.state.tables import breakers, sessions
from evaluator.state.tables.records import loaded, stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection


def every(connection: Connection) -> tuple[Outage, ...]:
    """The newest of each line, oldest first, ended ones too until they are swept."""
    rows = connection.execute(
        "SELECT key, since, last, failures, cause, ended FROM outages ORDER BY since, key"
    )
    return tuple(_outage(row) for row in rows)


def meet(
    connection: Connection, session_id: str, key: str, now: float, cause: str | None
) -> tuple[Outage, bool]:
    """The outage that a call of the session met, and whether the session is to be told of it.

    `cause` names the fault of an evaluation that failed; None for a call that found the readers shut off.
    """
    found = _get(connection, key)
    if found is None or found.ended is not None or now - found.last >= STALE_SECONDS:
        found = Outage(key, since=_open_since(connection, key, now), last=now, failures=0)
    if cause is not None:
        found = replace(found, failures=found.failures + 1, last=now, cause=cause)
    _put(connection, found)
    first = _told(connection, session_id, key) != found.since
    if first:
        sessions.touch(connection, session_id, now)
        connection.execute(
            """INSERT INTO outages_told (session_id, key, since) VALUES (?, ?, ?)
            ON CONFLICT (session_id, key) DO UPDATE SET since = excluded.since""",
            (stored_id(session_id), stored_id(key), found.since),
        )
    return found, first


def is_out(connection: Connection, session_id: str, key: str) -> bool:
    """Whether `back` would change anything."""
    found = _get(connection, key)
    return (found is not None and found.ended is None) or _told(connection, session_id, key) is not None


def back(connection: Connection, session_id: str, key: str, now: float) -> ReadersBack | None:
    """The readers answered: the outage is over. What the session is to be told, None if it was told of no outage."""
    found, told = _get(connection, key), _told(connection, session_id, key)
    if found is not None and found.ended is None:
        found = replace(found, ended=now)
        _put(connection, found)
    if told is None:
        return None
    connection.execute(
        "DELETE FROM outages_told WHERE session_id = ? AND key = ?", (stored_id(session_id), stored_id(key))
    )
    if found is None:
        return None
    return _counted(connection, session_id, found, min(told, found.since), now)


def _counted(
    connection: Connection, session_id: str, outage: Outage, since: float, now: float
) -> ReadersBack:
    import json

    rows = connection.execute(
        """SELECT decision, record FROM checks WHERE at BETWEEN ? AND ? AND session_id = ?
            AND reason IN ('sampler_error', 'circuit_open')""",
        (since - _BEGINS_SECONDS, now, stored_id(session_id)),
    ).fetchall()
    unjudged = [
        (decision, ran.get("backend") == "embedded") for decision, text in rows if (ran := json.loads(text))
    ]
    return ReadersBack(
        outage,
        unjudged=unjudged.count(("allow", False)),
        by_rules=unjudged.count(("allow", True)),
        held=unjudged.count(("deny", False)),
    )


_BEGINS_SECONDS = 60.0
"""A check is stamped when it begins, and fails up to its deadline later."""


def _get(connection: Connection, key: str) -> Outage | None:
    query = "SELECT key, since, last, failures, cause, ended FROM outages WHERE key = ?"
    row = connection.execute(query, (stored_id(key),)).fetchone()
    return None if row is None else _outage(row)


def _put(connection: Connection, outage: Outage) -> None:
    connection.execute(
        """INSERT INTO outages (key, since, last, failures, cause, ended) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET since = excluded.since, last = excluded.last,
            failures = excluded.failures, cause = excluded.cause, ended = excluded.ended""",
        (stored_id(outage.key), outage.since, outage.last, outage.failures, outage.cause, outage.ended),
    )


def _outage(row: tuple[object, ...]) -> Outage:
    key, since, last, failures, cause, ended = row
    return Outage(
        loaded(key),
        float(cast(float, since)),
        float(cast(float, last)),
        int(cast(int, failures)),
        str(cause),
        None if ended is None else float(cast(float, ended)),
    )


def _told(connection: Connection, session_id: str, key: str) -> float | None:
    row = connection.execute(
        "SELECT since FROM outages_told WHERE session_id = ? AND key = ?",
        (stored_id(session_id), stored_id(key)),
    ).fetchone()
    return None if row is None else float(row[0])


def _open_since(connection: Connection, key: str, now: float) -> float:
    """A breaker that an older Compass left open knows since when."""
    since = getattr(breakers.get(connection, key), "since", now)
    return min(now, float(since))
