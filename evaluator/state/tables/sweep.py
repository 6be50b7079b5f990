"""What goes when, in figures and as SQL inside a transaction of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.state.stamp import rfc3339
from evaluator.state.tables.sessions import UNKNOWN_TIME

if TYPE_CHECKING:
    from sqlite3 import Connection

DAY_SECONDS = 86_400.0
ENDED_SECONDS = DAY_SECONDS
"""How long the prompts of an ended session wait for a resume; its ordinals live for the retention."""
PENDING_SECONDS = DAY_SECONDS
"""How long a judged call may take, and the longest that `cooldown.seconds` can be."""

ORPHANS = (
    "DELETE FROM prompts WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM agents WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM turns WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM judged WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM cooldowns WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM writes WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM coverage WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM interventions WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM owed WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM exchanges WHERE session_id NOT IN (SELECT session_id FROM sessions)",
    "DELETE FROM outages_told WHERE session_id NOT IN (SELECT session_id FROM sessions)",
)


def sweep(connection: Connection, now: float, retention_days: int) -> None:
    """Delete checks, breakers, outages and idle sessions past the retention, prompts of ended sessions, what expired.

    A session that was only named without a time counts as alive now.
    """
    oldest = now - retention_days * DAY_SECONDS
    connection.execute("DELETE FROM checks WHERE at < ?", (oldest,))
    connection.execute("UPDATE sessions SET heartbeat = ? WHERE heartbeat = ?", (now, UNKNOWN_TIME))
    connection.execute("DELETE FROM sessions WHERE heartbeat < ?", (oldest,))
    for statement in ORPHANS:
        connection.execute(statement)
    connection.execute(
        "DELETE FROM prompts WHERE session_id IN (SELECT session_id FROM sessions WHERE ended_at < ?)",
        (now - ENDED_SECONDS,),
    )
    connection.execute(
        "DELETE FROM exchanges WHERE session_id IN (SELECT session_id FROM sessions WHERE ended_at < ?)",
        (now - ENDED_SECONDS,),
    )
    pending = (now - PENDING_SECONDS, now + PENDING_SECONDS)
    connection.execute("DELETE FROM judged WHERE at NOT BETWEEN ? AND ?", pending)
    connection.execute("DELETE FROM cooldowns WHERE at NOT BETWEEN ? AND ?", pending)
    connection.execute("DELETE FROM tokens WHERE expires_at <= ?", (now,))
    connection.execute("DELETE FROM flights WHERE until < ?", (now - PENDING_SECONDS,))
    connection.execute("DELETE FROM spending WHERE day < ?", (rfc3339(oldest)[:10],))
    connection.execute("DELETE FROM breakers WHERE at < ?", (oldest,))
    connection.execute("DELETE FROM outages WHERE last < ?", (oldest,))
