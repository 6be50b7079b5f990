"""Nested tokens and notes of the machine, as SQL inside a transaction of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from evaluator.state.tables.records import loaded, stored, stored_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

T = TypeVar("T")


def add_token(connection: Connection, token: str, expires_at: float) -> str:
    connection.execute("INSERT INTO tokens (token, expires_at) VALUES (?, ?)", (token, expires_at))
    return token


def holds_token(connection: Connection, token: str, now: float) -> bool:
    query = "SELECT 1 FROM tokens WHERE token = ? AND expires_at > ?"
    return connection.execute(query, (stored_id(token), now)).fetchone() is not None


def drop_token(connection: Connection, token: str) -> None:
    connection.execute("DELETE FROM tokens WHERE token = ?", (stored_id(token),))


def get(connection: Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM notes WHERE key = ?", (stored_id(key),)).fetchone()
    return None if row is None else loaded(row[0])


def put(connection: Connection, key: str, value: str) -> None:
    connection.execute(
        "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (stored_id(key), stored(value)),
    )


def change(connection: Connection, key: str, make: Callable[[str | None], tuple[str | None, T]]) -> T:
    """`make` gives what is kept from now on, None to leave it, and what is returned."""
    value, found = make(get(connection, key))
    if value is not None:
        put(connection, key, value)
    return found


def add_spend(connection: Connection, day: str, usd: float, samples: int) -> None:
    connection.execute(
        """INSERT INTO spending (day, usd, samples) VALUES (?, ?, ?)
        ON CONFLICT (day) DO UPDATE
        SET usd = spending.usd + excluded.usd, samples = spending.samples + excluded.samples""",
        (day, usd, samples),
    )


def spent(connection: Connection, day: str) -> float:
    row = connection.execute("SELECT usd FROM spending WHERE day = ?", (day,)).fetchone()
    return 0.0 if row is None else float(row[0])


def samples_of(connection: Connection, day: str) -> int:
    row = connection.execute("SELECT samples FROM spending WHERE day = ?", (day,)).fetchone()
    return 0 if row is None else int(row[0])
