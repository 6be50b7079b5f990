-- The state as 0.1.0 left it. Text of outside origin has no declared type: it is stored as text or, with lone
-- surrogates, as a blob.

CREATE TABLE sessions (
    session_id PRIMARY KEY,
    project_dir,
    started_at REAL,
    ended_at REAL,
    heartbeat REAL NOT NULL DEFAULT 0,
    sequence INTEGER NOT NULL DEFAULT 0,
    turn_ordinal INTEGER NOT NULL DEFAULT 0,
    attended INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE prompts (
    session_id NOT NULL,
    position INTEGER NOT NULL,
    prompt_id,
    text NOT NULL,
    ordinal INTEGER NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (session_id, position)
) WITHOUT ROWID;

CREATE TABLE agents (
    session_id NOT NULL,
    agent_id NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (session_id, agent_id)
) WITHOUT ROWID;

CREATE TABLE turns (
    session_id NOT NULL,
    agent_id NOT NULL,
    ordinal INTEGER NOT NULL,
    checks_taken INTEGER NOT NULL,
    destructive_taken INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session_id, agent_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE judged (
    tool_use_id PRIMARY KEY,
    session_id NOT NULL,
    ordinal INTEGER NOT NULL,
    targets TEXT NOT NULL,
    operation_class TEXT NOT NULL,
    at REAL NOT NULL,
    creates INTEGER NOT NULL DEFAULT 0,
    judged INTEGER NOT NULL DEFAULT 1
) WITHOUT ROWID;

CREATE TABLE cooldowns (
    session_id NOT NULL,
    ordinal INTEGER NOT NULL,
    directory NOT NULL,
    stem NOT NULL,
    operation_class TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (session_id, ordinal, directory, stem, operation_class)
) WITHOUT ROWID;

CREATE TABLE checks (
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
);

CREATE INDEX checks_by_time ON checks (at);

CREATE TABLE tokens (token PRIMARY KEY, expires_at REAL NOT NULL) WITHOUT ROWID;

CREATE TABLE notes (key PRIMARY KEY, value NOT NULL) WITHOUT ROWID;

CREATE TABLE breakers (
    key PRIMARY KEY,
    state TEXT NOT NULL CHECK (state = 'closed' OR since IS NOT NULL),
    failures INTEGER NOT NULL,
    token TEXT,
    since REAL,
    at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE interventions (session_id PRIMARY KEY, opened_at REAL NOT NULL, data TEXT NOT NULL);

CREATE TABLE writes (
    session_id NOT NULL,
    ordinal INTEGER NOT NULL,
    target NOT NULL,
    created INTEGER NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (session_id, ordinal, target)
) WITHOUT ROWID;

CREATE TABLE coverage (
    session_id NOT NULL,
    agent_id NOT NULL,
    ordinal INTEGER NOT NULL,
    directory NOT NULL,
    severity INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (session_id, agent_id, ordinal, directory, severity)
) WITHOUT ROWID;

CREATE TABLE flights (
    session_id NOT NULL,
    identity TEXT NOT NULL,
    token TEXT NOT NULL,
    started_at REAL NOT NULL,
    until REAL NOT NULL,
    outcome,
    PRIMARY KEY (session_id, identity)
) WITHOUT ROWID;

CREATE TABLE spending (day TEXT PRIMARY KEY, usd REAL NOT NULL) WITHOUT ROWID;

CREATE TABLE exchanges (
    session_id NOT NULL, agent_id NOT NULL, data NOT NULL, PRIMARY KEY (session_id, agent_id)
) WITHOUT ROWID;
