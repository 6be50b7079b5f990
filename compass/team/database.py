"""One PostgreSQL database of many teams: its schema, its pool, its transactions and its failures."""

from __future__ import annotations

import logging
import math
import re
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib.resources import files
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from evaluator.errors import StateError

T = TypeVar("T")
P = ParamSpec("P")
Row = tuple[Any, ...]
Step = tuple[str, str]
"""Of the schema: its name, by which a database knows that it has it, and its SQL."""

STEPS: Final[tuple[Step, ...]] = (
    ("what a team's evaluators share", files("compass.team").joinpath("schema.sql").read_text()),
)
TEAM = re.compile(r"[a-z0-9-]{1,40}")
SERVER_MINIMUM: Final = 150_000
ALL_TEAMS: Final = 0
"""What the lock of migrations is called where teams have a hash."""
ROLE: Final = "CREATE ROLE compass LOGIN PASSWORD '...' NOSUPERUSER NOBYPASSRLS"
MIGRATING_SECONDS = 60.0
"""How long a start waits for another replica that migrates, and for the steps themselves."""
LOOK_AGAIN_SECONDS = 1.0
"""How long the pool tries to connect anew, and is waited for, before it is asked again: it then tries at once."""
CONNECTION_DEFAULTS = {
    "application_name": "compass",
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
"""Of libpq; what the URL says counts more."""

LOCK_SPACE = 0x636F6D70
"""Sets the locks of teams apart from those of other programs in one database."""
ASLEEP_SECONDS = 10.0
"""A program that stops in the middle of a transaction keeps its team waiting no longer than this."""
GRACE_SECONDS = 0.25
"""How much later than the server, which ends a statement cleanly, this side gives up waiting."""

# What the pool says of its attempts, and a connection of its end, is raised as a StateError, too.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Bounded(psycopg.Connection[Row]):
    """Raises psycopg.OperationalError at `until`, a moment of `time.monotonic`, whatever the network does."""

    until = float("inf")
    began_at = 0.0
    """By the server's clock, which all replicas share, once the transaction may write; seconds since the epoch."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        def bound() -> Generator[Any, Any, T]:
            try:
                wants = next(gen)
                while True:
                    ready = yield wants
                    if not ready and time.monotonic() > self.until:
                        raise psycopg.OperationalError("the server did not answer in time")
                    wants = gen.send(ready)
            except StopIteration as end:
                return cast(T, end.value)

        return super().wait(bound(), interval)

    def begin(self, team: str, until: float, *, writes: bool) -> None:
        """Begin a transaction of the team, which alone writes then; one message. `team` is known to be plain."""
        left = max(1, int((until - time.monotonic()) * 1000))
        self.until = until + GRACE_SECONDS
        last = self.execute(
            (
                f"BEGIN ISOLATION LEVEL READ COMMITTED{'' if writes else ' READ ONLY'};"  # noqa: S608 - a plain name
                f"SET LOCAL lock_timeout = {left}; SET LOCAL statement_timeout = {left};"
                f"SET LOCAL idle_in_transaction_session_timeout = {int(ASLEEP_SECONDS * 1000)};"
                f"SET LOCAL compass.team = '{team}'"
                + (f"; SELECT pg_advisory_xact_lock({LOCK_SPACE}, hashtext('{team}'))" if writes else "")
                + "; SELECT extract(epoch FROM clock_timestamp())::double precision"
            ).encode(),
            prepare=False,
        )
        while last.nextset():
            pass
        row = last.fetchone()
        assert row is not None
        self.began_at = float(row[0])

    def give_up(self) -> None:
        """Undo what is under way; a connection that cannot is closed."""
        status = self.info.transaction_status
        if status is TransactionStatus.IDLE or self.closed:
            return
        if status is TransactionStatus.ACTIVE:
            self.close()
            return
        self.until = time.monotonic() + GRACE_SECONDS
        try:
            self.execute(b"ROLLBACK", prepare=False)
        except psycopg.Error:
            self.close()


class Connection:
    """A transaction of `team` under way; `%s` stands for a parameter."""

    def __init__(self, held: Bounded, team: str) -> None:
        self.team = team
        self._held = held

    @property
    def began_at(self) -> float:
        """The server's clock at the beginning, in seconds since the epoch."""
        return self._held.began_at

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> psycopg.Cursor[Row]:
        return self._held.execute(sql.encode(), parameters)


class TeamDatabase:
    """Safe for threads. Each transaction is of one team and can neither read nor write the rows of another one.
    `connections` is the most that are open at once; `wait_seconds` how long a transaction may take in all, the wait for
    a connection and for the team's lock among it, where the call names no other wait."""

    def __init__(
        self, url: str, *, connections: int = 10, wait_seconds: float = 5.0, steps: Sequence[Step] = STEPS
    ) -> None:
        self._url = url
        self._connections = connections
        self.wait_seconds = wait_seconds
        self._steps = steps
        self._pool: ConnectionPool[Bounded] | None = None

    def open(self) -> tuple[str, ...]:
        """Connect and migrate; the names of the steps that were applied. Raises StateError."""
        try:
            stated = conninfo_to_dict(self._url)
        except psycopg.Error:
            # Its message may hold what was meant as the password.
            raise StateError("PostgreSQL: the URL cannot be read") from None
        timeout = {"connect_timeout": max(2, math.ceil(self.wait_seconds))}
        conninfo = make_conninfo(**cast(dict[str, Any], {**CONNECTION_DEFAULTS, **timeout, **stated}))
        with _wrap_database_errors():
            connection = Bounded.connect(conninfo, autocommit=True)
            try:
                connection.until = time.monotonic() + MIGRATING_SECONDS
                _refuse_unfit_database(connection)
                applied = _migrate_database(connection, self._steps)
            finally:
                connection.close()
            self._pool = self._pool or ConnectionPool(
                conninfo,
                connection_class=Bounded,
                kwargs={"autocommit": True},
                min_size=1,
                max_size=self._connections,
                open=True,
                name="compass",
                reconnect_timeout=LOOK_AGAIN_SECONDS,
            )
        return applied

    def close(self) -> None:
        """Ends what waits for a connection; transactions under way end by themselves."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def write(self, team: str, act: Callable[[Connection], T], wait: float | None = None) -> T:
        """What `act` returns, in one transaction that happens wholly or not at all; a team has one at a time. Raises
        StateError if the database cannot be used within `wait` seconds; what `act` raises undoes it."""
        with self.transaction(team, writes=True, wait=wait) as connection:
            return act(connection)

    def read(self, team: str, act: Callable[[Connection], T], wait: float | None = None) -> T:
        """Like `write`, for an act that writes nothing: it waits for no other one."""
        with self.transaction(team, writes=False, wait=wait) as connection:
            return act(connection)

    @contextmanager
    def transaction(
        self, team: str, *, writes: bool, wait: float | None = None
    ) -> Generator[Connection, None, None]:
        """Committed at the end, undone by what is raised within. Raises StateError, ValueError for no team's name."""
        if not TEAM.fullmatch(team):
            raise ValueError(f"not a team name: {team!r}")
        until = time.monotonic() + (self.wait_seconds if wait is None else wait)
        with _wrap_database_errors():
            pool, held = self._begin_team_transaction(team, until, writes=writes)
            try:
                yield Connection(held, team)
                # Where a statement failed before, nothing is written.
                if held.execute(b"COMMIT", prepare=False).statusmessage != "COMMIT":
                    raise psycopg.OperationalError("a statement in this transaction failed")
            finally:
                held.give_up()
                pool.putconn(held)

    def _begin_team_transaction(
        self, team: str, until: float, *, writes: bool
    ) -> tuple[ConnectionPool[Bounded], Bounded]:
        """A connection on which the transaction has begun. One that was lost since its last use is replaced."""
        while True:
            pool = self._pool
            if pool is None:
                raise StateError("PostgreSQL: the connection to the database is not open")
            left = until - time.monotonic()
            try:
                held = pool.getconn(min(max(left, 0.001), LOOK_AGAIN_SECONDS))
            except PoolTimeout:
                if left > LOOK_AGAIN_SECONDS:
                    continue
                raise
            try:
                held.begin(team, until, writes=writes)
            except BaseException as error:
                held.give_up()
                lost = held.closed
                pool.putconn(held)
                if lost and isinstance(error, psycopg.OperationalError) and time.monotonic() < until:
                    continue
                raise
            return pool, held


class Tables:
    """What stands on a database of teams; its methods are transactions by `reads` and `writes`."""

    def __init__(self, database: TeamDatabase) -> None:
        self.database = database


S = TypeVar("S", bound=Tables)


def reads(act: Callable[Concatenate[S, Connection, P], T]) -> Callable[Concatenate[S, str, P], T]:
    """A method that is given a team's name in place of the connection: one transaction, which writes nothing."""

    @wraps(act)
    def method(self: S, team: str, /, *args: P.args, **given: P.kwargs) -> T:
        return self.database.read(team, lambda held: act(self, held, *args, **given))

    return method


def writes(act: Callable[Concatenate[S, Connection, P], T]) -> Callable[Concatenate[S, str, P], T]:
    """The same, for one that may write."""

    @wraps(act)
    def method(self: S, team: str, /, *args: P.args, **given: P.kwargs) -> T:
        return self.database.write(team, lambda held: act(self, held, *args, **given))

    return method


def _refuse_unfit_database(connection: Bounded) -> None:
    """Raises StateError for a server, a database or a role that teams cannot be kept apart with."""
    if connection.info.server_version < SERVER_MINIMUM:
        raise StateError("PostgreSQL 15 or newer is needed")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StateError(f"the database's encoding is {encoding}: create one with ENCODING 'UTF8'")
    row = connection.execute(
        b"SELECT rolsuper OR rolbypassrls, current_user FROM pg_roles WHERE rolname = current_user"
    ).fetchone()
    if row is None or row[0]:
        role = "" if row is None else f" {row[1]!r}"
        raise StateError(
            f"the role{role} may read the rows of all teams (superuser or BYPASSRLS): "
            f"connect as a role that may not, created with {ROLE}"
        )


def _migrate_database(connection: Bounded, steps: Sequence[Step]) -> tuple[str, ...]:
    """Apply what is missing in one transaction, one process at a time; returns the names of the steps. Raises
    StateError for a database that a newer Compass wrote, psycopg.Error."""
    with connection.transaction():
        connection.execute(b"SELECT pg_advisory_xact_lock(%s, %s)", (LOCK_SPACE, ALL_TEAMS))
        connection.execute(
            b"CREATE TABLE IF NOT EXISTS compass_steps (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())"
        )
        applied = {name for (name,) in connection.execute(b"SELECT name FROM compass_steps")}
        newer = applied.difference(name for name, _ in steps)
        if newer:
            raise StateError(
                f"a newer Compass has changed the database (step {min(newer)!r}): upgrade this installation"
            )
        missing = [step for step in steps if step[0] not in applied]
        for name, sql in missing:
            connection.execute(sql.encode())
            connection.execute(b"INSERT INTO compass_steps (name) VALUES (%s)", (name,))
    return tuple(name for name, _ in missing)


@contextmanager
def _wrap_database_errors() -> Generator[None, None, None]:
    """Errors of the database as StateError. Their details, which hold values of rows, are left out."""
    try:
        yield
    except PoolTimeout:
        raise StateError("PostgreSQL: cannot be reached, or all connections are in use") from None
    except PoolClosed:
        raise StateError("PostgreSQL: the database was closed") from None
    except psycopg.Error as error:
        name = said = type(error).__name__
        if not isinstance(error, psycopg.DataError):  # its message holds the value
            said = (error.diag.message_primary or str(error).strip() or name).splitlines()[0]
            said = said if isinstance(error, psycopg.OperationalError) else f"{name}: {said}"
        raise StateError(f"PostgreSQL: {said}") from None
