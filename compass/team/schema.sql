-- What a team's evaluators share. Every table but that of names holds rows of many teams, each seen and written in
-- transactions of its own team alone (`compass.team`). Moments are seconds since the epoch, money is US dollars.

CREATE DOMAIN team_name AS text COLLATE "C" DEFAULT current_setting('compass.team') NOT NULL CHECK (VALUE <> '');

-- Of all teams: a name alone, so that a replica knows whose records it has to sweep.
CREATE TABLE compass_teams (
    name text COLLATE "C" PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE team_settings (
    team team_name PRIMARY KEY,
    created_at double precision NOT NULL,
    settings text NOT NULL,
    policy text NOT NULL,
    policy_digest text NOT NULL
);

CREATE TABLE team_tokens (
    team team_name,
    token_id text COLLATE "C" NOT NULL,
    hash text NOT NULL,
    person text COLLATE "C" NOT NULL,
    scopes text NOT NULL,
    created_at double precision NOT NULL,
    expires_at double precision NOT NULL,
    revoked_at double precision,
    PRIMARY KEY (team, token_id)
);

-- `person` is empty for the whole team.
CREATE TABLE team_spending (
    team team_name,
    day text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    usd double precision NOT NULL,
    samples bigint NOT NULL,
    PRIMARY KEY (team, day, person)
);

CREATE TABLE team_reservations (
    team team_name,
    reservation text COLLATE "C" NOT NULL,
    day text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    usd double precision NOT NULL,
    samples bigint NOT NULL,
    at double precision NOT NULL,
    PRIMARY KEY (team, reservation)
);

CREATE TABLE team_rates (
    team team_name,
    line text COLLATE "C" NOT NULL,
    tokens double precision NOT NULL,
    at double precision NOT NULL,
    PRIMARY KEY (team, line)
);

CREATE TABLE team_breakers (
    team team_name,
    line text COLLATE "C" NOT NULL,
    state text NOT NULL,
    failures bigint NOT NULL,
    token text,
    since double precision,
    PRIMARY KEY (team, line)
);

-- Evaluations under way, and for a while those that have ended: `answer` is NULL until then.
CREATE TABLE team_flights (
    team team_name,
    identity text COLLATE "C" NOT NULL,
    token text NOT NULL,
    started_at double precision NOT NULL,
    until double precision NOT NULL,
    answer text,
    PRIMARY KEY (team, identity)
);

CREATE TABLE team_evaluations (
    team team_name,
    evaluation_id text COLLATE "C" NOT NULL,
    at double precision NOT NULL,
    person text COLLATE "C" NOT NULL,
    repository text COLLATE "C" NOT NULL,
    session text NOT NULL,
    operation_class text NOT NULL,
    backend text NOT NULL,
    model text NOT NULL,
    prompt text NOT NULL,
    mean double precision,
    stddev double precision,
    valid bigint NOT NULL,
    cost_usd double precision,
    duration_ms bigint NOT NULL,
    thresholds text,
    samples text NOT NULL,
    evidence text,
    PRIMARY KEY (team, evaluation_id)
);
CREATE INDEX team_evaluations_by_time ON team_evaluations (team, at, evaluation_id);
CREATE INDEX team_evaluations_by_person ON team_evaluations (team, person);

CREATE TABLE team_thresholds (
    team team_name,
    repository text COLLATE "C" NOT NULL,
    digest text NOT NULL,
    document text NOT NULL,
    person text NOT NULL,
    at double precision NOT NULL,
    PRIMARY KEY (team, repository)
);

-- Row level security for every table of teams. TRUNCATE asks no policy, so that the role may not.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT table_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'team'
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_team ON %I USING (team = current_setting(''compass.team''))
            WITH CHECK (team = current_setting(''compass.team''))', name);
        EXECUTE format('REVOKE TRUNCATE ON %I FROM CURRENT_USER', name);
    END LOOP;
END
$$;
