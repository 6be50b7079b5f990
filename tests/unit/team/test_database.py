"""The database of teams: teams apart, migrations, one winner, odd text, failures that end in time."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from typing import Any

import psycopg
import pytest
from corpora import corpus
from running.postgres import Cluster
from running.processes import outputs, start

from compass.team.database import GRACE_SECONDS, STEPS, Connection, TeamDatabase
from evaluator.errors import StateError

LATE_SECONDS = GRACE_SECONDS + 0.5
"""What a machine that is busy may add to a wait."""


def put(key: str, value: str) -> Callable[[Connection], object]:
    """A row of a table that has a key and a text."""
    sql = "INSERT INTO team_thresholds (repository, document, digest, person, at) VALUES (%s, %s, '', '', 0)"
    return lambda db: db.execute(sql, (key, value))


def rows(sql: str) -> Callable[[Connection], list[tuple[Any, ...]]]:
    return lambda db: list(db.execute(sql))


def count(sql: str) -> Callable[[Connection], int]:
    """How many rows it touches."""
    return lambda db: db.execute(sql).rowcount


notes = rows("SELECT repository, document FROM team_thresholds ORDER BY repository")


@contextmanager
def opened(url: str, **options: Any) -> Iterator[TeamDatabase]:
    with closing(TeamDatabase(url, **options)) as database:
        database.open()
        yield database


@contextmanager
def refused_within(seconds: float, match: str = "PostgreSQL") -> Iterator[None]:
    began = time.monotonic()
    with pytest.raises(StateError, match=match):
        yield
    assert time.monotonic() - began <= seconds + LATE_SECONDS


@contextmanager
def empty_database(cluster: Cluster, name: str) -> Iterator[str]:
    """The URL of one that was never opened."""
    with cluster.administrate() as administrator:
        administrator.execute(f"CREATE DATABASE {name} OWNER compass".encode())
        try:
            yield cluster.url.removesuffix("compass") + name
        finally:
            administrator.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def cluster():
    """One that the test may stop."""
    with Cluster() as own:
        yield own


@pytest.fixture
def team(request):
    return f"{os.getpid()}-{abs(hash(request.node.name)) % 10**12}"


# Teams


def test_no_statement_reaches_another_team(team_database, team):
    ours, theirs = f"{team}-a", f"{team}-b"
    team_database.write(ours, put("k", "ours"))
    team_database.write(theirs, put("k", "theirs"))
    assert team_database.read(ours, rows("SELECT team, repository FROM team_thresholds")) == [(ours, "k")]
    assert team_database.write(ours, count("UPDATE team_thresholds SET document = 'seen'")) == 1
    assert team_database.write(ours, count("DELETE FROM team_thresholds")) == 1
    assert team_database.read(theirs, notes) == [("k", "theirs")]
    for statement in (
        f"INSERT INTO team_rates (team, line, tokens, at) VALUES ('{theirs}', 'forged', 0, 0)",
        f"UPDATE team_thresholds SET team = '{theirs}'",
    ):
        team_database.write(ours, put("k", "ours"))
        with pytest.raises(StateError, match="row-level security"):
            team_database.write(ours, count(statement))
        team_database.write(ours, count("DELETE FROM team_thresholds"))
    with pytest.raises(StateError, match="permission denied"):
        team_database.write(ours, count("TRUNCATE team_thresholds"))
    assert team_database.read(theirs, notes) == [("k", "theirs")]


def test_every_table_keeps_teams_apart(postgres, team_database):
    with postgres.administrate() as administrator:
        tables = administrator.execute(
            """SELECT relname, relrowsecurity AND relforcerowsecurity,
                (SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid)
            FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"""
        ).fetchall()
    assert len(tables) > 10
    # Which steps were applied, and which teams there are.
    assert {row[0] for row in tables if row[1:] != (True, 1)} == {"compass_steps", "compass_teams"}


def test_outside_of_a_transaction_of_a_team_nothing_is_seen_or_written(postgres, team_database, team):
    team_database.write(team, put("k", "v"))
    with psycopg.connect(postgres.url, autocommit=True) as role:
        with pytest.raises(psycopg.Error, match=r"compass\.team"):
            role.execute("SELECT * FROM team_thresholds")
        role.execute("BEGIN; SET LOCAL compass.team = 'a'; COMMIT")
        assert role.execute("SELECT * FROM team_thresholds").fetchall() == []
        with pytest.raises(psycopg.errors.CheckViolation):
            role.execute("INSERT INTO team_rates (line, tokens, at) VALUES ('k', 0, 0)")


@corpus("name", ["", "A", "a b", "a'b", "a" * 41, "é", "a\n"])
def test_a_name_of_no_team_is_refused(team_database, name):
    with pytest.raises(ValueError, match="not a team name"):
        team_database.read(name, notes)


def test_a_role_that_may_read_all_teams_is_refused(postgres):
    with pytest.raises(StateError, match=r"'postgres' may read the rows of all teams .* CREATE ROLE"):
        TeamDatabase(postgres.administrator_url).open()
    with postgres.administrate() as administrator:
        administrator.execute("CREATE ROLE bypasses LOGIN BYPASSRLS")
    with pytest.raises(StateError, match="'bypasses' may read the rows of all teams"):
        TeamDatabase(postgres.administrator_url.replace("postgres@", "bypasses@")).open()


# Migrations

MIGRATES = """
import json
from compass.team.database import TeamDatabase
database = TeamDatabase(sys.argv[1])
applied = database.open()
sql = "INSERT INTO team_rates (line, tokens, at) VALUES (gen_random_uuid()::text, 0, 0)"
database.write("t", lambda db: db.execute(sql))
database.close()
print(json.dumps(applied))
"""


def test_replicas_that_start_at_once_migrate_once(postgres):
    with empty_database(postgres, "at_once") as url:
        begun = [start(MIGRATES, url, head_start=1.0) for _ in range(4)]
        assert sorted(len(json.loads(one)) for one in outputs(begun)) == [0, 0, 0, len(STEPS)]
        with opened(url) as database:
            assert database.read("t", rows("SELECT count(*) FROM team_rates")) == [(4,)]


def test_a_step_that_fails_leaves_the_database_as_it_was(postgres):
    with empty_database(postgres, "half") as url:
        broken = ("broken", "CREATE TABLE fresh (key text PRIMARY KEY); CREATE INDEX i ON nothing (key)")
        with pytest.raises(StateError, match="UndefinedTable"):
            TeamDatabase(url, steps=(*STEPS, broken)).open()
        assert len(TeamDatabase(url).open()) == len(STEPS)


def test_a_database_of_a_newer_program_is_refused(postgres):
    with empty_database(postgres, "newer") as url:
        TeamDatabase(url, steps=(*STEPS, ("of the future", "SELECT 1"))).open()
        with pytest.raises(StateError, match="a newer Compass has changed the database"):
            TeamDatabase(url).open()


# One winner


def test_among_threads_and_pools_no_change_is_lost(postgres, team_database, team):
    def add(db: Connection) -> None:
        row = db.execute("SELECT tokens FROM team_rates WHERE line = 'l'").fetchone()
        db.execute(
            """INSERT INTO team_rates (line, tokens, at) VALUES ('l', %s, 0)
            ON CONFLICT (team, line) DO UPDATE SET tokens = excluded.tokens""",
            (1.0 if row is None else row[0] + 1.0,),
        )

    with opened(postgres.url) as other, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: (team_database, other)[number % 2].write(team, add, 30.0), range(100)))
    assert team_database.read(team, rows("SELECT tokens FROM team_rates")) == [(100.0,)]


def test_a_team_waits_for_itself_and_no_other_one(team_database, team):
    with team_database.transaction(team, writes=True, wait=30.0) as held:
        put("held", "v")(held)
        assert team_database.write(f"{team}-b", notes) == []
        assert team_database.read(team, notes) == []
        with refused_within(0.3, "timeout"):
            team_database.write(team, notes, wait=0.3)
    assert team_database.write(team, notes) == [("held", "v")]


# Failures


def test_a_value_that_is_refused_is_not_told(team_database, team):
    with pytest.raises(StateError, match=r"^PostgreSQL: InvalidTextRepresentation$"):
        team_database.write(team, count("UPDATE team_spending SET samples = 'a secret'"))


def test_what_an_act_raises_undoes_it(team_database, team):
    def act(db: Connection) -> None:
        put("k", "v")(db)
        raise KeyError("its own")

    with pytest.raises(KeyError, match="its own"):
        team_database.write(team, act)
    assert team_database.read(team, notes) == []


def test_a_statement_that_fails_undoes_all_even_where_its_error_is_swallowed(team_database, team):
    def act(db: Connection) -> None:
        put("k", "v")(db)
        with suppress(psycopg.Error):
            db.execute("SELECT nothing")

    with pytest.raises(StateError, match="a statement in this transaction failed"):
        team_database.write(team, act)
    assert team_database.read(team, notes) == []


def test_a_read_cannot_write(team_database, team):
    with pytest.raises(StateError, match="read-only"):
        team_database.read(team, put("k", "v"))


def test_all_connections_in_use(postgres, team):
    with opened(postgres.url, connections=1) as database:
        held, in_use = database.transaction(team, writes=False, wait=30.0), "all connections are in use"
        with held, refused_within(0.4, in_use):
            database.read(f"{team}-b", notes, wait=0.4)
        assert database.read(f"{team}-b", notes) == []


def test_no_sentence_holds_the_password(postgres):
    for url in (
        postgres.url.replace(postgres.password, "wrong-s3cret"),
        "postgresql://compass:wrong-s3cret%zz@127.0.0.1/compass",
        "postgresql://compass:wrong-s3cret@127.0.0.1:99999999/compass",
        "postgresql://compass:wrong-s3cret@127.0.0.1:1/compass",
        "postgresql://compass:@/?wrong-s3cret",
        "wrong-s3cret",
    ):
        with pytest.raises(StateError) as refused:
            TeamDatabase(url).open()
        assert "s3cret" not in str(refused.value) and refused.value.__cause__ is None


def use_all(database: TeamDatabase, count: int) -> None:
    """So that the pool holds that many open connections."""
    together = threading.Barrier(count)
    with ThreadPoolExecutor(count) as pool:
        list(pool.map(lambda _: database.read("t", lambda _: together.wait(20), 20.0), range(count)))


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_restart_is_gone_through_and_loses_nothing_acknowledged(cluster, how):
    with opened(cluster.url, connections=4) as database:
        use_all(database, 4)
        database.write("t", put("before", "v"))
        cluster.restart(how)
        assert database.read("t", notes) == [("before", "v")]

        cluster.stop(how)
        for _ in range(2):
            with refused_within(0.5):
                database.write("t", put("down", "v"), wait=0.5)
        began = time.monotonic()
        cluster.start()
        database.write("t", put("after", "v"))
        assert time.monotonic() - began < 5.0
        assert database.read("t", notes) == [("after", "v"), ("before", "v")]
        use_all(database, 4)


def test_a_server_that_does_not_answer_is_given_up_in_time(cluster):
    with opened(cluster.url, connections=1) as database:
        ((backend,),) = database.read("t", rows("SELECT pg_backend_pid()"))
        os.kill(backend, signal.SIGSTOP)
        try:
            with refused_within(0.5, "did not answer in time"):
                database.read("t", notes, wait=0.5)
        finally:
            os.kill(backend, signal.SIGCONT)
        assert database.read("t", notes) == []
