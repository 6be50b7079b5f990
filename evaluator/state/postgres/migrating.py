"""Brings a PostgreSQL database to the state's schema, and refuses one that cannot keep teams apart."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.errors import StateError
from evaluator.state.migrations import STEPS, Migration
from evaluator.state.postgres.connection import LOCK_SPACE, Bounded
from evaluator.state.postgres.dialect import AS_IT_IS, schema
from evaluator.state.tables.for_teams import STATEMENTS

SERVER_MINIMUM = 150_000
ALL_TEAMS = 0
"""What the lock of migrations is called where teams have a hash."""

POSTGRES_STEPS: tuple[Migration, ...] = (
    (
        "the order in which checks were kept",
        (
            # SQLite's tables have such a column without being told.
            f"{AS_IT_IS} ALTER TABLE checks ADD COLUMN rowid bigint GENERATED ALWAYS AS IDENTITY",
            "CREATE INDEX checks_by_rowid ON checks (rowid)",
        ),
    ),
    ("what a team's evaluators share", STATEMENTS),
)
"""Steps for PostgreSQL alone. Names are unique among all steps: they tell what a database has."""

ROLE = "CREATE ROLE compass LOGIN PASSWORD '...' NOSUPERUSER NOBYPASSRLS"


def refuse_unfit(connection: Bounded) -> None:
    """Raises StateError for a server, a database or a role that the state cannot be kept with."""
    if connection.info.server_version < SERVER_MINIMUM:
        raise StateError("PostgreSQL 15 or newer is needed")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StateError(f"the database's encoding is {encoding}: make one with ENCODING 'UTF8'")
    row = connection.execute(
        b"SELECT rolsuper OR rolbypassrls, current_user FROM pg_roles WHERE rolname = current_user"
    ).fetchone()
    if row is None or row[0]:
        role = "" if row is None else f" {row[1]!r}"
        raise StateError(
            f"the role{role} may read the rows of all teams (superuser or BYPASSRLS): "
            f"connect as one that may not, made by {ROLE}"
        )


def migrate(connection: Bounded, steps: Sequence[Migration] = (*STEPS, *POSTGRES_STEPS)) -> tuple[str, ...]:
    """Apply what is missing in one transaction, one process at a time; returns the names of the steps.

    Raises StateError for a database that a newer Compass wrote, psycopg.Error.
    """
    with connection.transaction():
        connection.execute(b"SELECT pg_advisory_xact_lock(%s, %s)", (LOCK_SPACE, ALL_TEAMS))
        connection.execute(
            b"CREATE TABLE IF NOT EXISTS compass_steps (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())"
        )
        applied = {name for (name,) in connection.execute(b"SELECT name FROM compass_steps")}
        newer = applied.difference(name for name, _ in steps)
        if newer:
            raise StateError(f"a newer Compass wrote the database (step {min(newer)!r}): upgrade this one")
        missing = [step for step in steps if step[0] not in applied]
        for name, statements in missing:
            for statement in statements:
                for each in schema(statement):
                    connection.execute(each.encode())
            connection.execute(b"INSERT INTO compass_steps (name) VALUES (%s)", (name,))
    return tuple(name for name, _ in missing)
