"""What the state in PostgreSQL promises beyond the contract: teams apart, one winner, failures that end in time."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from corpora import corpus
from running.postgres import Cluster
from running.processes import outputs, start
from samples.sample_checks import CHECK
from samples.state_stores import judge

from evaluator.breaker.state import BreakerRules
from evaluator.errors import StateError
from evaluator.ports import TurnKey
from evaluator.state.postgres import connection as connections
from evaluator.state.postgres.connection import GRACE_SECONDS, Connection, Rows
from evaluator.state.postgres.database import ALL_STEPS, PostgresDatabase
from evaluator.state.postgres.store import PostgresStore

NOW = 1_735_732_800.0
TURN = TurnKey("s", "", 1)
LATE_SECONDS = GRACE_SECONDS + 0.5
"""What a machine that is busy may add to a wait."""


def put(key: str, value: str) -> Callable[[Connection], object]:
    return lambda db: db.execute("INSERT INTO notes (key, value) VALUES (?, ?)", (key, value))


def notes(db: Connection) -> list[tuple[Any, ...]]:
    return db.execute("SELECT key, value FROM notes ORDER BY key").fetchall()


@contextmanager
def opened(url: str, **options: Any) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(url, **options)
    database.open()
    try:
        yield database
    finally:
        database.close()


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
def cluster() -> Iterator[Cluster]:
    """One that the test may stop."""
    with Cluster() as own:
        yield own


@pytest.fixture
def team(request: pytest.FixtureRequest) -> str:
    return f"{os.getpid()}-{abs(hash(request.node.name)) % 10**12}"


# Teams


def test_no_statement_reaches_another_team(team_database: PostgresDatabase, team: str) -> None:
    ours, theirs = f"{team}-a", f"{team}-b"
    team_database.write(ours, put("k", "ours"))
    team_database.write(theirs, put("k", "theirs"))
    assert team_database.read(ours, lambda db: db.execute("SELECT * FROM notes").fetchall()) == [
        (ours, "k", "ours")
    ]
    assert team_database.write(ours, lambda db: db.execute("UPDATE notes SET value = 'seen'").rowcount) == 1
    assert team_database.write(ours, lambda db: db.execute("DELETE FROM notes").rowcount) == 1
    assert team_database.read(theirs, notes) == [("k", "theirs")]
    for statement in (
        f"INSERT INTO notes (team, key, value) VALUES ('{theirs}', 'forged', '')",
        f"UPDATE notes SET team = '{theirs}'",
    ):
        team_database.write(ours, put("k", "ours"))
        with pytest.raises(StateError, match="row-level security"):
            team_database.write(ours, lambda db, sql=statement: db.execute(sql))
        team_database.write(ours, lambda db: db.execute("DELETE FROM notes"))
    with pytest.raises(StateError, match="permission denied"):
        team_database.write(ours, lambda db: db.execute("TRUNCATE notes"))
    assert team_database.read(theirs, notes) == [("k", "theirs")]


def test_every_table_keeps_teams_apart(postgres: Cluster, team_database: PostgresDatabase) -> None:
    with postgres.administrate() as administrator:
        tables = administrator.execute(
            """SELECT relname, relrowsecurity AND relforcerowsecurity,
                (SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid)
            FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"""
        ).fetchall()
    assert len(tables) > 10
    # Which steps were applied, and which teams there are.
    assert {row[0] for row in tables if row[1:] != (True, 1)} == {"compass_steps", "compass_teams"}


def test_outside_of_a_transaction_of_a_team_nothing_is_seen_or_written(
    postgres: Cluster, team_database: PostgresDatabase, team: str
) -> None:
    team_database.write(team, put("k", "v"))
    with psycopg.connect(postgres.url, autocommit=True) as role:
        with pytest.raises(psycopg.Error, match=r"compass\.team"):
            role.execute("SELECT * FROM notes")
        role.execute("BEGIN; SET LOCAL compass.team = 'a'; COMMIT")
        assert role.execute("SELECT * FROM notes").fetchall() == []
        with pytest.raises(psycopg.errors.CheckViolation):
            role.execute("INSERT INTO notes (key, value) VALUES ('k', 'v')")


@corpus("name", ["", "A", "a b", "a'b", "a" * 41, "é", "a\n"])
def test_a_name_of_no_team_is_refused(team_database: PostgresDatabase, name: str) -> None:
    with pytest.raises(ValueError, match="no name of a team"):
        team_database.read(name, notes)


def test_a_role_that_may_read_all_teams_is_refused(postgres: Cluster) -> None:
    with pytest.raises(StateError, match=r"'postgres' may read the rows of all teams .* CREATE ROLE"):
        PostgresDatabase(postgres.administrator_url).open()
    with postgres.administrate() as administrator:
        administrator.execute("CREATE ROLE bypasses LOGIN BYPASSRLS")
    with pytest.raises(StateError, match="'bypasses' may read the rows of all teams"):
        PostgresDatabase(postgres.administrator_url.replace("postgres@", "bypasses@")).open()


# What is kept


def test_odd_text_comes_back_and_is_found(team_database: PostgresDatabase, team: str) -> None:
    store = PostgresStore(team_database, team)
    odd = [
        "\x00",
        "\ud800",
        "\x10",
        "\x100",
        "\x10d800",
        "a\x00b\udfff\x10\x10",
        "\U0010ffff",
        "%s ? 'x' \\",
        "",
    ]
    for text in odd:
        store.set_note(f"k{text}", f"v{text}")
    assert [store.get_note(f"k{text}") for text in odd] == [f"v{text}" for text in odd]
    assert store.faults == []


def test_a_path_may_be_longer_than_a_row_of_an_index(team_database: PostgresDatabase, team: str) -> None:
    store = PostgresStore(team_database, team)
    long = "/" + "/".join(os.urandom(100).hex() for _ in range(40))
    for at in (NOW, NOW + 1):
        judge(store, "t", TURN, long, at=at)
        store.settle("t", at, succeeded=True)
    store.open_coverage(TURN, [long], "additive", 2)
    assert [one.target for one in store.written(TURN)] == [long]
    assert [one.at for one in store.cooldowns(TURN, NOW)] == [NOW + 1]
    assert store.use_coverage(TURN, [long], "additive")
    assert store.faults == []


def test_the_databases_clock(team_database: PostgresDatabase, team: str) -> None:
    before = time.time()
    assert before - 1 <= team_database.read(team, lambda held: held.began_at) <= time.time() + 1


def test_whole_numbers_are_added_up_to_whole_numbers(team_database: PostgresDatabase, team: str) -> None:
    def act(db: Connection) -> object:
        db.execute("INSERT INTO spending (day, usd, samples) VALUES ('d', 0.5, 2), ('e', 0.5, 3)")
        return db.execute("SELECT sum(samples), sum(usd) FROM spending").fetchone()

    assert repr(team_database.write(team, act)) == "(5, 1.0)"


# Migrations

MIGRATES = """
import json
from evaluator.state.postgres.database import PostgresDatabase
database = PostgresDatabase(sys.argv[1])
applied = database.open()
database.write("t", lambda db: db.execute("INSERT INTO owed (session_id, person, agent, held) VALUES ('', '', '', 0)"))
database.close()
print(json.dumps(applied))
"""


def test_replicas_that_start_at_once_migrate_once(postgres: Cluster) -> None:
    with empty_database(postgres, "at_once") as url:
        applied = [
            json.loads(one) for one in outputs([start(MIGRATES, url, head_start=1.0) for _ in range(4)])
        ]
        assert sorted(map(len, applied)) == [0, 0, 0, len(ALL_STEPS)]
        with opened(url) as database:
            assert database.read("t", lambda db: db.execute("SELECT count(*) FROM owed").fetchone()) == (4,)


def test_a_step_is_applied_to_what_older_ones_left(postgres: Cluster) -> None:
    with empty_database(postgres, "older") as url:
        older, newer = ALL_STEPS[:3], ALL_STEPS
        assert len(PostgresDatabase(url, steps=older).open()) == 3
        with opened(url, steps=newer) as database:
            assert PostgresDatabase(url).open() == ()
            store = PostgresStore(database, "t")
            store.save_check(CHECK, TURN, store_evidence=True)
            assert store.check(CHECK.check_id) is not None


def test_a_step_that_fails_leaves_the_database_as_it_was(postgres: Cluster) -> None:
    with empty_database(postgres, "half") as url:
        broken = (
            *ALL_STEPS,
            ("broken", ("CREATE TABLE fresh (key PRIMARY KEY)", "CREATE INDEX i ON nothing (key)")),
        )
        with pytest.raises(StateError, match="UndefinedTable"):
            PostgresDatabase(url, steps=broken).open()
        assert len(PostgresDatabase(url).open()) == len(ALL_STEPS)


def test_a_database_of_a_newer_program_is_refused(postgres: Cluster) -> None:
    with empty_database(postgres, "newer") as url:
        PostgresDatabase(url, steps=(*ALL_STEPS, ("of the future", ()))).open()
        with pytest.raises(StateError, match="a newer Compass wrote the database"):
            PostgresDatabase(url).open()


# One winner


def test_among_threads_and_pools_exactly_one_wins(
    postgres: Cluster, team_database: PostgresDatabase, team: str
) -> None:
    rules = BreakerRules(consecutive_failures_to_open=1, open_duration_seconds=10.0, probe_lease_seconds=30.0)
    with opened(postgres.url) as other:
        stores = [PostgresStore(database, team) for database in (team_database, other)] * 4
        stores[0].report("key", rules, NOW, "failure", None)
        together = threading.Barrier(len(stores))

        def race(entry: tuple[int, PostgresStore]) -> tuple[bool, bool, bool]:
            number, store = entry
            together.wait()
            admitted = store.admit("key", rules, NOW + 60).answer == "probe"
            together.wait()
            entered = store.enter_flight("s", "identity", str(number), NOW, NOW, 20.0)
            together.wait()
            return admitted, entered, store.take_check(TURN, 1)

        with ThreadPoolExecutor(len(stores)) as pool:
            found = list(pool.map(race, enumerate(stores)))
        assert [sum(column) for column in zip(*found, strict=True)] == [1, 1, 1]
        assert [store.faults for store in stores] == [[]] * len(stores)


def test_no_change_of_a_note_is_lost(team_database: PostgresDatabase, team: str) -> None:
    store = PostgresStore(team_database, team)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(200):
            pool.submit(store.change_note, "n", lambda old: (str(int(old or 0) + 1), None), None)
    assert store.get_note("n") == "200"


def test_a_team_waits_for_itself_and_no_other_one(team_database: PostgresDatabase, team: str) -> None:
    entered, leave = threading.Event(), threading.Event()

    def hold(db: Connection) -> None:
        put("held", "v")(db)
        entered.set()
        leave.wait(30)

    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(team_database.write, team, hold, 30.0)
        assert entered.wait(10)
        assert team_database.write(f"{team}-b", notes) == []
        assert team_database.read(team, notes) == []
        with refused_within(0.3, "timeout"):
            team_database.write(team, notes, wait=0.3)
        leave.set()
        held.result(10)
    assert team_database.write(team, notes) == [("held", "v")]


# Failures


def test_a_value_that_is_refused_is_not_told(team_database: PostgresDatabase, team: str) -> None:
    with pytest.raises(StateError, match=r"^PostgreSQL: InvalidTextRepresentation$"):
        team_database.write(team, lambda db: db.execute("UPDATE spending SET samples = ?", ("a secret",)))


def test_what_an_act_raises_undoes_it(team_database: PostgresDatabase, team: str) -> None:
    def act(db: Connection) -> None:
        put("k", "v")(db)
        raise KeyError("its own")

    with pytest.raises(KeyError, match="its own"):
        team_database.write(team, act)
    assert team_database.read(team, notes) == []


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (lambda rows: None, 'column "nothing" does not exist'),
        (lambda rows: rows.fetchone(), "a statement of this transaction failed"),
        (lambda rows: rows.rowcount, "a statement of this transaction failed"),
    ],
    ids=["unread", "read", "counted"],
)
def test_a_statement_that_fails_undoes_all_even_where_its_error_is_swallowed(
    team_database: PostgresDatabase, team: str, found: Callable[[Rows], object], told: str
) -> None:
    def act(db: Connection) -> None:
        put("k", "v")(db)
        try:
            found(db.execute("SELECT nothing"))
        except psycopg.Error:
            return

    with pytest.raises(StateError, match=told):
        team_database.write(team, act)
    assert team_database.read(team, notes) == []


def test_a_read_cannot_write(team_database: PostgresDatabase, team: str) -> None:
    with pytest.raises(StateError, match="read-only"):
        team_database.read(team, put("k", "v"))


@pytest.mark.parametrize("end", [SystemExit, KeyError])
def test_what_is_written_together_is_undone_together(
    team_database: PostgresDatabase, team: str, end: type[BaseException]
) -> None:
    store = PostgresStore(team_database, team)
    with pytest.raises(end), store.together():
        store.set_note("k", "v")
        assert store.get_note("k") == "v"
        raise end
    assert (store.get_note("k"), store.faults) == (None, [])


def test_all_connections_in_use(postgres: Cluster, team: str) -> None:
    with opened(postgres.url, connections=1) as database, ThreadPoolExecutor(1) as pool:
        entered, leave = threading.Event(), threading.Event()

        def hold(_: Connection) -> None:
            entered.set()
            leave.wait(30)

        held = pool.submit(database.read, team, hold, 30.0)
        assert entered.wait(10)
        with refused_within(0.4, "all connections are in use"):
            database.read(f"{team}-b", notes, wait=0.4)
        leave.set()
        held.result(10)
        assert database.read(f"{team}-b", notes) == []


def test_no_sentence_holds_the_password(postgres: Cluster) -> None:
    for url in (
        postgres.url.replace(postgres.password, "wrong-s3cret"),
        "postgresql://compass:wrong-s3cret%zz@127.0.0.1/compass",
        "postgresql://compass:wrong-s3cret@127.0.0.1:99999999/compass",
        "postgresql://compass:wrong-s3cret@127.0.0.1:1/compass",
        "postgresql://compass:@/?wrong-s3cret",
        "wrong-s3cret",
    ):
        with pytest.raises(StateError) as refused:
            PostgresDatabase(url).open()
        assert "s3cret" not in str(refused.value)
        assert refused.value.__cause__ is None


def test_a_database_that_is_not_open_says_so(postgres: Cluster) -> None:
    database = PostgresDatabase(postgres.url)
    with pytest.raises(StateError, match="not open"):
        database.read("t", notes)
    database.open()
    assert database.open() == ()
    database.close()
    with pytest.raises(StateError, match="not open"):
        database.read("t", notes)


def use_all(database: PostgresDatabase, count: int) -> None:
    """So that the pool holds that many open connections."""
    together = threading.Barrier(count)
    with ThreadPoolExecutor(count) as pool:
        list(pool.map(lambda _: database.read("t", lambda _: together.wait(20), 20.0), range(count)))


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_restart_is_gone_through_and_loses_nothing_acknowledged(
    cluster: Cluster, how: signal.Signals
) -> None:
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


def test_a_call_that_waits_goes_on_when_the_database_is_back(cluster: Cluster) -> None:
    with opened(cluster.url, wait_seconds=10.0) as database, ThreadPoolExecutor(1) as pool:
        database.write("t", put("k", "v"))
        cluster.stop()
        waiting = pool.submit(database.read, "t", notes)
        time.sleep(1.5)
        assert not waiting.done()
        cluster.start()
        assert waiting.result(10) == [("k", "v")]


def test_a_transaction_that_a_crash_cuts_is_told_as_one_and_did_not_happen(cluster: Cluster) -> None:
    with opened(cluster.url) as database:

        def act(db: Connection) -> None:
            put("k", "v")(db)
            cluster.restart(signal.SIGQUIT)
            notes(db)

        with pytest.raises(StateError):
            database.write("t", act, wait=30.0)
        assert database.read("t", notes) == []


def test_a_server_that_does_not_answer_is_given_up_in_time(cluster: Cluster) -> None:
    with opened(cluster.url, connections=1) as database:
        backend = database.read("t", lambda db: db.execute("SELECT pg_backend_pid()").fetchone())
        assert backend is not None
        os.kill(backend[0], signal.SIGSTOP)
        try:
            with refused_within(0.5, "did not answer in time"):
                database.read("t", notes, wait=0.5)
        finally:
            os.kill(backend[0], signal.SIGCONT)
        assert database.read("t", notes) == []


@pytest.mark.full
def test_a_program_that_sleeps_in_a_transaction_loses_it(
    team_database: PostgresDatabase, team: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ASLEEP_SECONDS", 0.3)

    def act(db: Connection) -> None:
        put("k", "v")(db)
        assert team_database.write(team, notes, wait=5.0) == []

    with pytest.raises(StateError):
        team_database.write(team, act)
    assert team_database.read(team, notes) == []


def test_a_store_without_a_database_gives_its_safe_answers(cluster: Cluster) -> None:
    told: list[str] = []
    with opened(cluster.url, wait_seconds=0.2) as database:
        store = PostgresStore(database, "t", told.append)
        cluster.stop()
        assert store.take_check(TURN, 1)
        assert store.spent("2026-01-01") == 0.0
        with store.together():
            store.set_note("k", "v")
    assert len(told) == 3
    assert told == list(store.faults)
    assert all(one.startswith("t: ") and "PostgreSQL" in one for one in told)
