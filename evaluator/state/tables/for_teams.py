"""The tables of a team's evaluator, for PostgreSQL. Every row's team, and who may see it, the dialect adds."""

from __future__ import annotations

STATEMENTS = (
    # Of all teams: a name alone, so that a replica knows whose records it has to sweep.
    "/* postgresql */ CREATE TABLE compass_teams (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
    """CREATE TABLE team_settings (
        kind TEXT PRIMARY KEY CHECK (kind = 'team'),
        created_at REAL NOT NULL,
        settings TEXT NOT NULL,
        policy TEXT NOT NULL,
        policy_digest TEXT NOT NULL
    )""",
    """CREATE TABLE team_tokens (
        token_id TEXT PRIMARY KEY,
        hash TEXT NOT NULL,
        person TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created_at REAL NOT NULL,
        expires_at REAL NOT NULL,
        revoked_at REAL,
        used_at REAL
    )""",
    """CREATE TABLE team_spending (
        day TEXT NOT NULL,
        person TEXT NOT NULL,
        usd REAL NOT NULL,
        samples INTEGER NOT NULL,
        PRIMARY KEY (day, person)
    )""",
    """CREATE TABLE team_reservations (
        reservation TEXT PRIMARY KEY,
        day TEXT NOT NULL,
        person TEXT NOT NULL,
        usd REAL NOT NULL,
        samples INTEGER NOT NULL,
        at REAL NOT NULL
    )""",
    "CREATE TABLE team_rates (line TEXT PRIMARY KEY, tokens REAL NOT NULL, at REAL NOT NULL)",
    """CREATE TABLE team_evaluations (
        evaluation_id TEXT PRIMARY KEY,
        at REAL NOT NULL,
        person TEXT NOT NULL,
        repository TEXT NOT NULL,
        session TEXT NOT NULL,
        operation_class TEXT NOT NULL,
        backend TEXT NOT NULL,
        model TEXT NOT NULL,
        prompt TEXT NOT NULL,
        mean REAL,
        stddev REAL,
        valid INTEGER NOT NULL,
        cost_usd REAL,
        duration_ms INTEGER NOT NULL,
        thresholds TEXT,
        samples TEXT NOT NULL,
        evidence TEXT
    )""",
    "CREATE INDEX team_evaluations_by_time ON team_evaluations (at, evaluation_id)",
    "CREATE INDEX team_evaluations_by_person ON team_evaluations (person)",
    """CREATE TABLE team_thresholds (
        repository TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        document TEXT NOT NULL,
        person TEXT NOT NULL,
        at REAL NOT NULL
    )""",
    """CREATE TABLE team_acts (
        at REAL NOT NULL,
        act TEXT NOT NULL,
        subject TEXT NOT NULL,
        by_person TEXT NOT NULL
    )""",
    "CREATE INDEX team_acts_by_time ON team_acts (at)",
)
