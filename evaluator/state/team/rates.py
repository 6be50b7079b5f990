"""The rate towards a provider as a token bucket that all replicas share. SQL in the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.state.tables.connection import Connection


def take(connection: Connection, line: str, samples: int, per_minute: float, burst: int, now: float) -> float:
    """0.0 with the samples taken; else the seconds until that many are there, and nothing is taken.

    More than the bucket holds are taken once it is full, and are owed by it.
    """
    held = _held(connection, line, per_minute, burst, now)
    wanted = min(samples, burst)
    if held < wanted:
        return (wanted - held) * 60.0 / per_minute
    _put(connection, line, held - samples, now)
    return 0.0


def add(connection: Connection, line: str, samples: int, per_minute: float, burst: int, now: float) -> None:
    """Samples beyond those that were taken, or with a minus some that were not used."""
    if samples:
        held = _held(connection, line, per_minute, burst, now)
        _put(connection, line, min(held - samples, float(burst)), now)


def _held(connection: Connection, line: str, per_minute: float, burst: int, now: float) -> float:
    row = connection.execute("SELECT tokens, at FROM team_rates WHERE line = ?", (line,)).fetchone()
    if row is None:
        return float(burst)
    tokens, at = float(row[0]), float(row[1])
    return min(float(burst), tokens + max(now - at, 0.0) * per_minute / 60.0)


def _put(connection: Connection, line: str, tokens: float, now: float) -> None:
    connection.execute(
        """INSERT INTO team_rates (line, tokens, at) VALUES (?, ?, ?)
        ON CONFLICT (line) DO UPDATE SET tokens = excluded.tokens, at = excluded.at""",
        (line, tokens, now),
    )
