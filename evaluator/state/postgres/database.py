"""One PostgreSQL database of many teams: its pool, its transactions and its failures. Knows no table."""

from __future__ import annotations

import logging
import math
import os
import re
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from evaluator.errors import StateError
from evaluator.state.migrations import STEPS, Migration
from evaluator.state.postgres.connection import Bounded, Connection
from evaluator.state.postgres.migrating import POSTGRES_STEPS, migrate, refuse_unfit

T = TypeVar("T")

TEAM = re.compile(r"[a-z0-9-]{1,40}")
ALL_STEPS = (*STEPS, *POSTGRES_STEPS)
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

# What the pool says of its attempts, and a connection of its end, is raised as a StateError, too.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class PostgresDatabase:
    """Safe for threads. Each transaction is of one team and can neither read nor write the rows of another one.

    `connections` is the most that are open at once; `wait_seconds` how long a transaction may take in all, the
    wait for a connection and for the team's lock among it, where the call names no other wait.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 10,
        wait_seconds: float = 5.0,
        random: Callable[[int], bytes] = os.urandom,
        steps: Sequence[Migration] = ALL_STEPS,
    ) -> None:
        self.random = random
        self._url = url
        self._connections = connections
        self.wait_seconds = wait_seconds
        self._steps = steps
        self._pool: ConnectionPool[Bounded] | None = None

    def open(self) -> tuple[str, ...]:
        """Connect and migrate; the names of the steps that were applied. Raises StateError."""
        conninfo = self._conninfo()
        with _told():
            connection = Bounded.connect(conninfo, autocommit=True)
            try:
                connection.until = time.monotonic() + MIGRATING_SECONDS
                refuse_unfit(connection)
                applied = migrate(connection, self._steps)
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
        """What `act` returns, in one transaction that happens wholly or not at all; a team has one at a time.

        Raises StateError if the database cannot be used within `wait` seconds; what `act` raises undoes it.
        """
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
            raise ValueError(f"no name of a team: {team!r}")
        until = time.monotonic() + (self.wait_seconds if wait is None else wait)
        with _told():
            pool, held = self._begun(team, until, writes=writes)
            try:
                with held.committed():
                    yield Connection(held)
            finally:
                held.give_up()
                pool.putconn(held)

    def _begun(self, team: str, until: float, *, writes: bool) -> tuple[ConnectionPool[Bounded], Bounded]:
        """A connection on which the transaction has begun. One that was lost since its last use is replaced."""
        while True:
            pool = self._pool
            if pool is None:
                raise StateError("PostgreSQL: the database is not open")
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

    def _conninfo(self) -> str:
        """Raises StateError."""
        try:
            stated = conninfo_to_dict(self._url)
        except psycopg.Error:
            # Its message may hold what was meant as the password.
            raise StateError("PostgreSQL: the URL cannot be read") from None
        timeout = {"connect_timeout": max(2, math.ceil(self.wait_seconds))}
        return make_conninfo(**cast(dict[str, Any], {**CONNECTION_DEFAULTS, **timeout, **stated}))


@contextmanager
def _told() -> Generator[None, None, None]:
    """Errors of the database as StateError. Their details, which hold values of rows, are left out."""
    try:
        yield
    except PoolTimeout:
        raise StateError("PostgreSQL: cannot be reached, or all connections are in use") from None
    except PoolClosed:
        raise StateError("PostgreSQL: the database was closed") from None
    except psycopg.Error as error:
        raise StateError(f"PostgreSQL: {_sentence(error)}") from None


def _sentence(error: psycopg.Error) -> str:
    name = type(error).__name__
    if isinstance(error, psycopg.DataError):
        return name  # its message holds the value
    said = (error.diag.message_primary or str(error).strip() or name).splitlines()[0]
    return said if isinstance(error, psycopg.OperationalError) else f"{name}: {said}"
