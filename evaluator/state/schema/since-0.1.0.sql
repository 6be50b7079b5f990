-- What the state has gained since 0.1.0.

-- Outages of readers, and which sessions were told of them
CREATE TABLE outages (
    key PRIMARY KEY,
    since REAL NOT NULL,
    last REAL NOT NULL,
    cause TEXT NOT NULL,
    ended REAL
) WITHOUT ROWID;
CREATE TABLE outages_told (
    session_id NOT NULL, key NOT NULL, since REAL NOT NULL, PRIMARY KEY (session_id, key)
) WITHOUT ROWID;

-- What a call that was let through did: a call ends with the program that let it through
DROP TABLE judged;
CREATE TABLE judged (
    tool_use_id PRIMARY KEY,
    session_id NOT NULL,
    ordinal INTEGER NOT NULL,
    targets TEXT NOT NULL,
    at REAL NOT NULL
) WITHOUT ROWID;

-- What is looked up of checks, and the mode of sessions
ALTER TABLE checks ADD COLUMN project_dir;
ALTER TABLE checks ADD COLUMN duration_ms INTEGER;
ALTER TABLE checks ADD COLUMN cost_usd REAL;
UPDATE checks SET project_dir = json_extract(record, '$.pending.project_dir') WHERE json_valid(record);
CREATE INDEX checks_by_project ON checks (project_dir, at, verdict, reason, decision, duration_ms);
CREATE INDEX checks_by_session ON checks (session_id, ordinal, target, verdict, decision);
ALTER TABLE sessions ADD COLUMN mode TEXT;

-- What is owed to sessions
CREATE TABLE owed (
    id INTEGER PRIMARY KEY, session_id NOT NULL, person NOT NULL, agent NOT NULL, held INTEGER NOT NULL
);

-- Samples of a day
ALTER TABLE spending ADD COLUMN samples INTEGER NOT NULL DEFAULT 0;

-- Who reads in a session
ALTER TABLE sessions ADD COLUMN backend TEXT;

-- Precedents, and the words they are found by
CREATE TABLE precedents (
    precedent_id PRIMARY KEY,
    project NOT NULL,
    checkout NOT NULL,
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
) WITHOUT ROWID;
CREATE INDEX precedents_by_project ON precedents (project, at);
CREATE TABLE precedent_words (
    project NOT NULL,
    word NOT NULL,
    precedent_id NOT NULL,
    PRIMARY KEY (project, word, precedent_id)
) WITHOUT ROWID;
CREATE INDEX precedent_words_by_id ON precedent_words (precedent_id);

-- Whether a write of the turn was judged
ALTER TABLE writes ADD COLUMN judged INTEGER NOT NULL DEFAULT 1;

-- Acts of their own that ran, by turn
CREATE TABLE acts (
    session_id NOT NULL,
    act NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (session_id, act, ordinal)
) WITHOUT ROWID;
