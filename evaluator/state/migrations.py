"""The schema of the state database: an ordered list of named steps, each applied once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.errors import NewerStateError

if TYPE_CHECKING:
    import sqlite3

Migration = tuple[str, tuple[str, ...]]

STEPS: tuple[Migration, ...] = (
    (
        "sessions, their prompts and subagents",
        (
            """CREATE TABLE sessions (
                session_id PRIMARY KEY,
                project_dir,
                started_at REAL,
                ended_at REAL,
                heartbeat REAL NOT NULL DEFAULT 0,
                sequence INTEGER NOT NULL DEFAULT 0,
                turn_ordinal INTEGER NOT NULL DEFAULT 0
            )""",
            """CREATE TABLE prompts (
                session_id NOT NULL,
                position INTEGER NOT NULL,
                prompt_id,
                text NOT NULL,
                ordinal INTEGER NOT NULL,
                at REAL NOT NULL,
                PRIMARY KEY (session_id, position)
            ) WITHOUT ROWID""",
            """CREATE TABLE agents (
                session_id NOT NULL,
                agent_id NOT NULL,
                ordinal INTEGER NOT NULL,
                PRIMARY KEY (session_id, agent_id)
            ) WITHOUT ROWID""",
        ),
    ),
    (
        "turns, judged calls and cooldowns",
        (
            """CREATE TABLE turns (
                session_id NOT NULL,
                agent_id NOT NULL,
                ordinal INTEGER NOT NULL,
                checks_taken INTEGER NOT NULL,
                PRIMARY KEY (session_id, agent_id, ordinal)
            ) WITHOUT ROWID""",
            """CREATE TABLE judged (
                tool_use_id PRIMARY KEY,
                session_id NOT NULL,
                ordinal INTEGER NOT NULL,
                targets TEXT NOT NULL,
                operation_class TEXT NOT NULL,
                at REAL NOT NULL
            ) WITHOUT ROWID""",
            """CREATE TABLE cooldowns (
                session_id NOT NULL,
                ordinal INTEGER NOT NULL,
                directory NOT NULL,
                stem NOT NULL,
                operation_class TEXT NOT NULL,
                at REAL NOT NULL,
                PRIMARY KEY (session_id, ordinal, directory, stem, operation_class)
            ) WITHOUT ROWID""",
        ),
    ),
    (
        "checks",
        (
            """CREATE TABLE checks (
                check_id PRIMARY KEY,
                at REAL NOT NULL,
                session_id NOT NULL,
                agent_id,
                ordinal INTEGER,
                verdict TEXT NOT NULL,
                reason TEXT NOT NULL,
                decision TEXT NOT NULL,
                tool_name NOT NULL,
                target,
                record TEXT NOT NULL
            )""",
            "CREATE INDEX checks_by_time ON checks (at)",
        ),
    ),
    (
        "tokens and notes",
        (
            "CREATE TABLE tokens (token PRIMARY KEY, expires_at REAL NOT NULL) WITHOUT ROWID",
            "CREATE TABLE notes (key PRIMARY KEY, value NOT NULL) WITHOUT ROWID",
        ),
    ),
    (
        "circuit breakers",
        (
            """CREATE TABLE breakers (
                key PRIMARY KEY,
                state TEXT NOT NULL CHECK (state = 'closed' OR since IS NOT NULL),
                failures INTEGER NOT NULL,
                token TEXT,
                since REAL,
                at REAL NOT NULL
            ) WITHOUT ROWID""",
        ),
    ),
    (
        "interventions, writes, coverage, flights, spending",
        (
            "CREATE TABLE interventions (session_id PRIMARY KEY, opened_at REAL NOT NULL, data TEXT NOT NULL)",
            """CREATE TABLE writes (
                session_id NOT NULL,
                ordinal INTEGER NOT NULL,
                target NOT NULL,
                created INTEGER NOT NULL,
                at REAL NOT NULL,
                PRIMARY KEY (session_id, ordinal, target)
            ) WITHOUT ROWID""",
            """CREATE TABLE coverage (
                session_id NOT NULL,
                agent_id NOT NULL,
                ordinal INTEGER NOT NULL,
                directory NOT NULL,
                severity INTEGER NOT NULL,
                calls INTEGER NOT NULL,
                PRIMARY KEY (session_id, agent_id, ordinal, directory, severity)
            ) WITHOUT ROWID""",
            """CREATE TABLE flights (
                session_id NOT NULL,
                identity TEXT NOT NULL,
                token TEXT NOT NULL,
                started_at REAL NOT NULL,
                until REAL NOT NULL,
                outcome,
                PRIMARY KEY (session_id, identity)
            ) WITHOUT ROWID""",
            "CREATE TABLE spending (day TEXT PRIMARY KEY, usd REAL NOT NULL) WITHOUT ROWID",
            "ALTER TABLE sessions ADD COLUMN attended INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE turns ADD COLUMN destructive_taken INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE judged ADD COLUMN creates INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE judged ADD COLUMN judged INTEGER NOT NULL DEFAULT 1",
        ),
    ),
    (
        "remembered exchanges",
        (
            """CREATE TABLE exchanges (
                session_id NOT NULL, agent_id NOT NULL, data NOT NULL, PRIMARY KEY (session_id, agent_id)
            ) WITHOUT ROWID""",
        ),
    ),
    (
        "outages of readers, and which sessions were told of them",
        (
            """CREATE TABLE outages (
                key PRIMARY KEY,
                since REAL NOT NULL,
                last REAL NOT NULL,
                failures INTEGER NOT NULL,
                cause TEXT NOT NULL,
                ended REAL
            ) WITHOUT ROWID""",
            """CREATE TABLE outages_told (
                session_id NOT NULL, key NOT NULL, since REAL NOT NULL, PRIMARY KEY (session_id, key)
            ) WITHOUT ROWID""",
        ),
    ),
    (
        "what is looked up of checks, and the mode of sessions",
        (
            "ALTER TABLE checks ADD COLUMN project_dir",
            "ALTER TABLE checks ADD COLUMN duration_ms INTEGER",
            "ALTER TABLE checks ADD COLUMN cost_usd REAL",
            "CREATE INDEX checks_by_project ON checks (project_dir, at, verdict, reason, decision, duration_ms)",
            "CREATE INDEX checks_by_session ON checks (session_id, ordinal, target, verdict, decision)",
            "ALTER TABLE sessions ADD COLUMN mode TEXT",
            "ALTER TABLE sessions ADD COLUMN rests REAL",
        ),
    ),
    (
        "what is owed to sessions",
        (
            """CREATE TABLE owed (
                id INTEGER PRIMARY KEY, session_id NOT NULL, person NOT NULL, agent NOT NULL, held INTEGER NOT NULL
            )""",
        ),
    ),
    (
        "samples of a day",
        ("ALTER TABLE spending ADD COLUMN samples INTEGER NOT NULL DEFAULT 0",),
    ),
    (
        "who reads in a session",
        ("ALTER TABLE sessions ADD COLUMN backend TEXT",),
    ),
    (
        "what was read at a prompt, ahead of its writes",
        (
            """CREATE TABLE anticipations (
                session_id PRIMARY KEY,
                position INTEGER NOT NULL,
                token TEXT NOT NULL,
                state TEXT NOT NULL,
                started_at REAL NOT NULL,
                until REAL NOT NULL,
                data
            ) WITHOUT ROWID""",
        ),
    ),
    (
        "whose call a check was of",
        (
            "ALTER TABLE checks ADD COLUMN host",
            "CREATE INDEX checks_by_host ON checks (project_dir, at, host)",
        ),
    ),
    (
        "precedents, and the words they are found by",
        (
            """CREATE TABLE precedents (
                precedent_id PRIMARY KEY,
                project NOT NULL,
                checkout NOT NULL,
                branch NOT NULL,
                session_id NOT NULL,
                check_id NOT NULL,
                at REAL NOT NULL,
                source TEXT NOT NULL,
                term NOT NULL,
                said NOT NULL,
                action NOT NULL,
                target NOT NULL,
                extent NOT NULL,
                tightens INTEGER NOT NULL
            ) WITHOUT ROWID""",
            "CREATE INDEX precedents_by_project ON precedents (project, at)",
            """CREATE TABLE precedent_words (
                project NOT NULL,
                word NOT NULL,
                precedent_id NOT NULL,
                PRIMARY KEY (project, word, precedent_id)
            ) WITHOUT ROWID""",
            "CREATE INDEX precedent_words_by_id ON precedent_words (precedent_id)",
        ),
    ),
    (
        "whether a write of the turn was judged",
        ("ALTER TABLE writes ADD COLUMN judged INTEGER NOT NULL DEFAULT 1",),
    ),
)
"""Text of outside origin has no declared type: it is stored as text or, with lone surrogates, as a blob."""

LATEST = len(STEPS)


def version_of(connection: sqlite3.Connection) -> int:
    """How many steps the database has. Raises sqlite3.Error."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def refuse_newer(version: int, known: int = LATEST) -> None:
    """Raises NewerStateError for a database that a newer Compass wrote: it is left as it is."""
    if version > known:
        raise NewerStateError(version, known)


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration] = STEPS) -> tuple[str, ...]:
    """Apply the steps that are missing, all in one transaction; returns their names.

    A process that is killed in the middle leaves the database as it was. Raises sqlite3.Error, NewerStateError.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)
        refuse_newer(version, len(steps))
        missing = steps[version:]
        for _, statements in missing:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return tuple(name for name, _ in missing)
