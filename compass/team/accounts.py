"""Who may ask a team's evaluator, and what a team has set: tokens, settings, policy, thresholds.

A token is kept as its SHA-256 alone.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

from compass.team.database import Connection, Tables, reads, writes
from compass.team.documents import SharedThresholds, Token
from compass.team.model import TeamSettings
from evaluator.errors import StateError
from evaluator.readers.team.documents import PolicyDocument
from evaluator.readers.team.wire import SCOPES, Principal, Scope
from evaluator.record import values_of

TEAM: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_TOKEN = re.compile(rf"cmp_({TEAM.pattern})_([0-9a-f]{{12}})_([A-Za-z0-9_-]{{43}})")
TOKEN_CHARS_MAX: Final = 120
SECRET_BYTES: Final = 32
DIGEST_CHARS: Final = 16


class Accounts(Tables):
    """Safe for threads. Every method is one transaction within one team, by the database's own clock. Each raises
    StateError where the database cannot be used within its wait."""

    def make_team(self, team: str) -> bool:
        """False where there is one of that name. Raises StateError for a name that is none."""
        if not TEAM.fullmatch(team):
            raise StateError(
                f"{team[:40]!r}: a team's name must have 1 to 40 characters from a-z, 0-9 and -, and must not "
                "begin with -"
            )
        return self._make_team(team)

    @writes
    def _make_team(self, held: Connection) -> bool:
        held.execute("INSERT INTO compass_teams (name) VALUES (%s) ON CONFLICT DO NOTHING", (held.team,))
        done = held.execute(
            """INSERT INTO team_settings (created_at, settings, policy, policy_digest)
            VALUES (%s, '{}', %s, '') ON CONFLICT (team) DO NOTHING""",
            (held.began_at, json.dumps({"settings": {}})),
        )
        return bool(done.rowcount)

    # Tokens

    def principal(self, token: str) -> Principal | None:
        """The principal whose token it is; None for one that is unknown, expired or revoked."""
        found = _TOKEN.fullmatch(token) if len(token) <= TOKEN_CHARS_MAX else None
        return None if found is None else self._find_account_principal(found[1], found[2], token)

    @reads
    def _find_account_principal(self, held: Connection, token_id: str, token: str) -> Principal | None:
        row = held.execute(
            """SELECT hash, person, scopes, expires_at FROM team_tokens
            WHERE token_id = %s AND revoked_at IS NULL AND expires_at > %s""",
            (token_id, held.began_at),
        ).fetchone()
        known = _hash_team_token("") if row is None else row[0]
        if not hmac.compare_digest(known, _hash_team_token(token)) or row is None:
            return None
        return Principal(held.team, row[1], token_id, _parse_account_scopes(row[2]), row[3])

    @writes
    def make_token(
        self, held: Connection, person: str, scopes: tuple[Scope, ...], seconds: float
    ) -> tuple[str, Token]:
        """(the token, which is nowhere kept, its row)."""
        settings_in(held)
        token_id = secrets.token_hex(6)
        token = f"cmp_{held.team}_{token_id}_{secrets.token_urlsafe(SECRET_BYTES)}"
        now = held.began_at
        row = Token(token_id=token_id, person=person, scopes=scopes, created_at=now, expires_at=now + seconds)
        held.execute(
            """INSERT INTO team_tokens (token_id, hash, person, scopes, created_at, expires_at)
            VALUES (%s, %s, %s, %s, %s, %s)""",
            (token_id, _hash_team_token(token), person, " ".join(scopes), row.created_at, row.expires_at),
        )
        return token, row

    @reads
    def tokens(self, held: Connection) -> tuple[Token, ...]:
        names = ("token_id", "person", "scopes", "created_at", "expires_at", "revoked_at")
        rows = held.execute(f"SELECT {', '.join(names)} FROM team_tokens ORDER BY created_at, token_id")  # noqa: S608
        found = (dict(zip(names, row, strict=True)) for row in rows)
        return tuple(
            Token.model_validate(row | {"scopes": _parse_account_scopes(row["scopes"])}) for row in found
        )

    @writes
    def revoke_token(self, held: Connection, token_id: str) -> bool:
        """False where there is none of that id that holds."""
        done = held.execute(
            """UPDATE team_tokens SET revoked_at = %s
            WHERE token_id = %s AND revoked_at IS NULL AND expires_at > %s""",
            (held.began_at, token_id, held.began_at),
        )
        return done.rowcount > 0

    # What a team sets for itself, pushes to its gates and shares

    @reads
    def settings(self, held: Connection) -> TeamSettings:
        return settings_in(held)

    @writes
    def set_settings(self, held: Connection, chosen: TeamSettings) -> None:
        held.execute("UPDATE team_settings SET settings = %s", (json.dumps(values_of(chosen)),))

    @reads
    def policy(self, held: Connection) -> PolicyDocument:
        text, digest = _require_team_row(
            held.execute("SELECT policy, policy_digest FROM team_settings").fetchone()
        )
        return PolicyDocument(**json.loads(text), digest=digest)

    @writes
    def set_policy(self, held: Connection, chosen: PolicyDocument) -> PolicyDocument:
        """Sets a team's policy; the same with its digest, whatever it stated as one."""
        text, digest = _team_document_digest({"settings": chosen.settings})
        held.execute("UPDATE team_settings SET policy = %s, policy_digest = %s", (text, digest))
        return PolicyDocument(settings=chosen.settings, digest=digest)

    @reads
    def thresholds(self, held: Connection, repository: str) -> SharedThresholds | None:
        row = held.execute(
            "SELECT digest, document, person, at FROM team_thresholds WHERE repository = %s", (repository,)
        ).fetchone()
        if row is None:
            return None
        digest, text, person, at = row
        return SharedThresholds(
            repository=repository, digest=digest, document=json.loads(text), person=person, at=at
        )

    @writes
    def set_thresholds(
        self, held: Connection, repository: str, document: Mapping[str, object], by: str
    ) -> SharedThresholds:
        text, digest = _team_document_digest(document)
        held.execute(
            """INSERT INTO team_thresholds (repository, digest, document, person, at)
            VALUES (%s, %s, %s, %s, %s)
            ON CONFLICT (team, repository) DO UPDATE SET digest = excluded.digest,
                document = excluded.document, person = excluded.person, at = excluded.at""",
            (repository, digest, text, by, held.began_at),
        )
        return SharedThresholds(
            repository=repository, digest=digest, document=dict(document), person=by, at=held.began_at
        )


# In a transaction of the caller


def settings_in(held: Connection) -> TeamSettings:
    """What a team has set. Raises StateError where the team is not there."""
    return settings_and_policy_in(held)[0]


def settings_and_policy_in(held: Connection) -> tuple[TeamSettings, str]:
    """What a team has set, and the digest of its policy. Raises StateError where the team is not there."""
    text, digest = _require_team_row(
        held.execute("SELECT settings, policy_digest FROM team_settings").fetchone()
    )
    return TeamSettings(**json.loads(text)), digest


def _require_team_row(row: tuple[Any, ...] | None) -> tuple[Any, ...]:
    if row is None:
        raise StateError("there is no such team: `compass serve --team --init` creates it")
    return row


def _team_document_digest(document: object) -> tuple[str, str]:
    text = json.dumps(document, sort_keys=True)
    return text, hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def _hash_team_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _parse_account_scopes(text: str) -> tuple[Scope, ...]:
    held = text.split()
    return tuple(scope for scope in SCOPES if scope in held)
