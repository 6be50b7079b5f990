"""The private record of checks, as SQL inside a transaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from evaluator.model import Check
from evaluator.ports import TurnKey
from evaluator.state.tables import sessions
from evaluator.state.tables.records import stored, stored_id, text_of_record

if TYPE_CHECKING:
    from sqlite3 import Connection

BEYOND = "\U0010ffff"
"""Sorts after every character that an id may go on with."""


_INSERT = """INSERT INTO checks (check_id, at, session_id, agent_id, ordinal, verdict, reason,
    decision, tool_name, target, record, project_dir, duration_ms, cost_usd, host)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (check_id) DO NOTHING"""


def row_of(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> tuple[object, ...]:
    """The columns of a check, in the order of `save`; made before the transaction, which stays short."""
    targets = () if check.effects is None else check.effects.targets
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
        cost_of(check),
        stored_id(check.pending.host),
    )


def cost_of(check: Check) -> float | None:
    """In US dollars; None where nobody was paid, or no price is known."""
    known = [sample.cost_usd for sample in check.samples if sample.cost_usd is not None]
    return sum(known) if known else None


def save(connection: Connection, session_id: str, at: float, row: tuple[object, ...]) -> None:
    sessions.touch(connection, session_id, at)
    if not connection.execute(_INSERT, row).rowcount:
        # A row that is made anew is the newest.
        connection.execute("DELETE FROM checks WHERE check_id = ?", row[:1])
        connection.execute(_INSERT, row)


def find(connection: Connection, check_id: str | None) -> Mapping[str, object] | None:
    """The newest is the one that was saved last: the clock may have jumped in between."""
    if check_id is None:
        rows = connection.execute("SELECT record FROM checks ORDER BY rowid DESC LIMIT 1").fetchall()
    else:
        rows = _named(connection, check_id) or _named(connection, check_id.upper())
    if len(rows) != 1:
        return None
    import json

    return cast(dict[str, object], json.loads(rows[0][0]))


def _named(connection: Connection, check_id: str) -> list[tuple[str]]:
    exact = connection.execute("SELECT record FROM checks WHERE check_id = ?", (stored_id(check_id),))
    found = exact.fetchall()
    prefix = stored(check_id)
    if found or not check_id or not isinstance(prefix, str):
        return found
    query = "SELECT record FROM checks WHERE check_id BETWEEN ? AND ? LIMIT 2"
    return connection.execute(query, (prefix, prefix + BEYOND)).fetchall()
