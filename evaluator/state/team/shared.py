"""A team's own settings, what it pushes, its repositories' thresholds, and who changed them. SQL in a transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evaluator.errors import StateError
from evaluator.record import values_of
from evaluator.team.model import Policy, SharedThresholds, TeamSettings

if TYPE_CHECKING:
    from evaluator.state.tables.connection import Connection, Later

DIGEST_CHARS = 16


def teams(connection: Connection) -> tuple[str, ...]:
    """The names of all."""
    return tuple(name for (name,) in connection.execute("SELECT name FROM compass_teams ORDER BY name"))


def make_team(connection: Connection, team: str, now: float) -> bool:
    """False where there is one of that name."""
    connection.execute("INSERT INTO compass_teams (name) VALUES (?) ON CONFLICT DO NOTHING", (team,))
    done = connection.execute(
        """INSERT INTO team_settings (kind, created_at, settings, policy, policy_digest)
        VALUES ('team', ?, '{}', ?, '') ON CONFLICT (kind) DO NOTHING""",
        (now, json.dumps({"settings": {}, "backends": None})),
    )
    return bool(done.rowcount)


def settings(connection: Connection) -> TeamSettings:
    """Raises StateError where the team is not there."""
    return TeamSettings(**json.loads(_own(connection)[0]))


def set_settings(connection: Connection, chosen: TeamSettings) -> None:
    connection.execute("UPDATE team_settings SET settings = ?", (json.dumps(values_of(chosen)),))


def policy(connection: Connection) -> Policy:
    """Raises StateError where the team is not there."""
    _, text, digest = _own(connection)
    found = json.loads(text)
    backends = found["backends"]
    return Policy(found["settings"], None if backends is None else tuple(backends), digest)


def set_policy(connection: Connection, chosen: Policy) -> Policy:
    document = {
        "settings": chosen.settings,
        "backends": None if chosen.backends is None else list(chosen.backends),
    }
    text, digest = _digested(document)
    connection.execute("UPDATE team_settings SET policy = ?, policy_digest = ?", (text, digest))
    return Policy(chosen.settings, chosen.backends, digest)


def thresholds(connection: Connection, repository: str) -> SharedThresholds | None:
    row = connection.execute(
        "SELECT digest, document, person, at FROM team_thresholds WHERE repository = ?", (repository,)
    ).fetchone()
    if row is None:
        return None
    digest, text, person, at = row
    return SharedThresholds(repository, digest, json.loads(text), person, at)


def set_thresholds(
    connection: Connection, repository: str, document: Mapping[str, object], person: str, now: float
) -> SharedThresholds:
    text, digest = _digested(document)
    connection.execute(
        """INSERT INTO team_thresholds (repository, digest, document, person, at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (repository) DO UPDATE SET digest = excluded.digest, document = excluded.document,
            person = excluded.person, at = excluded.at""",
        (repository, digest, text, person, now),
    )
    return SharedThresholds(repository, digest, document, person, now)


def settings_and_digests(connection: Connection, repository: str) -> Later[tuple[TeamSettings, str, str]]:
    """The digests are of the policy and of the repository's thresholds; empty where there is none.

    Raises StateError where the team is not there.
    """
    rows = connection.execute(
        """SELECT settings, policy_digest,
            coalesce((SELECT digest FROM team_thresholds WHERE repository = ?), '')
        FROM team_settings""",
        (repository,),
    )

    def found() -> tuple[TeamSettings, str, str]:
        text, policy_digest, digest = _there(rows.fetchone())
        return TeamSettings(**json.loads(text)), policy_digest, digest

    return found


def note_act(connection: Connection, act: str, subject: str, by: str, now: float) -> None:
    connection.execute(
        "INSERT INTO team_acts (at, act, subject, by_person) VALUES (?, ?, ?, ?)", (now, act, subject, by)
    )


def _own(connection: Connection) -> tuple[Any, ...]:
    return _there(connection.execute("SELECT settings, policy, policy_digest FROM team_settings").fetchone())


def _there(row: Any) -> tuple[Any, ...]:
    if row is None:
        raise StateError("there is no such team: `compass serve --team --init` makes it")
    return tuple(row)


def _digested(document: object) -> tuple[str, str]:
    text = json.dumps(document, sort_keys=True)
    return text, hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]
