"""Personal tokens, as SQL in the caller's transaction. A token is kept as its SHA-256 alone."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import TYPE_CHECKING, Any

from evaluator.team.model import SCOPES, Principal, Scope, Token

if TYPE_CHECKING:
    from evaluator.state.tables.connection import Connection, Later

TEAM = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_TOKEN = re.compile(rf"cmp_({TEAM.pattern})_([0-9a-f]{{12}})_([A-Za-z0-9_-]{{43}})")
TOKEN_CHARS_MAX = 120
SECRET_BYTES = 32
USED_EVERY_SECONDS = 60.0
"""How exactly it is kept when a token was last used: each request would write otherwise."""


def parts_of(token: str) -> tuple[str, str] | None:
    """(team, token id) of what looks like a token; None for anything else."""
    found = _TOKEN.fullmatch(token) if len(token) <= TOKEN_CHARS_MAX else None
    return None if found is None else (found[1], found[2])


def make(
    connection: Connection, team: str, person: str, scopes: tuple[Scope, ...], now: float, seconds: float
) -> tuple[str, Token]:
    """(the token, its row)."""
    token_id = secrets.token_hex(6)
    token = f"cmp_{team}_{token_id}_{secrets.token_urlsafe(SECRET_BYTES)}"
    row = Token(token_id, person, scopes, now, now + seconds)
    connection.execute(
        """INSERT INTO team_tokens (token_id, hash, person, scopes, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?)""",
        (token_id, _hash(token), person, " ".join(scopes), row.created_at, row.expires_at),
    )
    return token, row


def principal(connection: Connection, team: str, token_id: str, token: str, now: float) -> Principal | None:
    """Whose it is; None for one that is unknown, expired or revoked."""
    row = connection.execute(
        """SELECT hash, person, scopes, expires_at FROM team_tokens
        WHERE token_id = ? AND revoked_at IS NULL AND expires_at > ?""",
        (token_id, now),
    ).fetchone()
    known = _hash("") if row is None else row[0]
    if not hmac.compare_digest(known, _hash(token)) or row is None:
        return None
    return Principal(team, row[1], token_id, _scopes(row[2]), row[3])


def note_use(connection: Connection, token_id: str, now: float) -> None:
    connection.execute(
        "UPDATE team_tokens SET used_at = ? WHERE token_id = ? AND coalesce(used_at, 0) < ?",
        (now, token_id, now - USED_EVERY_SECONDS),
    )


def every(connection: Connection) -> tuple[Token, ...]:
    rows = connection.execute(
        """SELECT token_id, person, scopes, created_at, expires_at, revoked_at, used_at
        FROM team_tokens ORDER BY created_at, token_id"""
    )
    return tuple(Token(one, person, _scopes(scopes), *rest) for one, person, scopes, *rest in rows)


def revoke(connection: Connection, token_id: str, now: float) -> bool:
    done = connection.execute(
        "UPDATE team_tokens SET revoked_at = ? WHERE token_id = ? AND revoked_at IS NULL AND expires_at > ?",
        (now, token_id, now),
    )
    return done.rowcount > 0


def holds(connection: Connection, token_id: str, now: float) -> Later[bool]:
    """Whether it is neither expired nor revoked."""
    query = "SELECT 1 FROM team_tokens WHERE token_id = ? AND revoked_at IS NULL AND expires_at > ?"
    rows = connection.execute(query, (token_id, now))
    return lambda: rows.fetchone() is not None


def is_revoked(connection: Connection, token_id: str) -> Later[bool]:
    query = "SELECT 1 FROM team_tokens WHERE token_id = ? AND revoked_at IS NOT NULL"
    rows = connection.execute(query, (token_id,))
    return lambda: rows.fetchone() is not None


def revoke_of(connection: Connection, person: str, now: float) -> None:
    connection.execute(
        "UPDATE team_tokens SET revoked_at = ? WHERE person = ? AND revoked_at IS NULL", (now, person)
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _scopes(text: Any) -> tuple[Scope, ...]:
    held = str(text).split()
    return tuple(scope for scope in SCOPES if scope in held)
