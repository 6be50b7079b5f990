"""One connection to PostgreSQL that waits no longer than it may, and the transaction that a statement runs in."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from typing import Any, TypeVar, cast

import psycopg
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

T = TypeVar("T")
Row = tuple[Any, ...]

LOCK_SPACE = 0x636F6D70
"""Sets the locks of teams apart from those of other programs in one database."""
ASLEEP_SECONDS = 10.0
"""A program that stops in the middle of a transaction keeps its team waiting no longer than this."""
GRACE_SECONDS = 0.25
"""How much later than the server, which ends a statement cleanly, this side gives up waiting."""


class Bounded(psycopg.Connection[Row]):
    """Raises psycopg.OperationalError at `until`, a moment of `time.monotonic`, whatever the network does."""

    until = float("inf")
    began_at = 0.0
    """By the server's clock, which all replicas share, once the transaction may write; seconds since the epoch."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        return super().wait(_bounded(gen, self.until), interval)

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

    def commit_whole(self) -> None:
        """Raises psycopg.Error, also where a statement failed before: then nothing was written."""
        if self.execute(b"COMMIT", prepare=False).statusmessage != "COMMIT":
            raise psycopg.OperationalError("a statement of this transaction failed")

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


def _bounded(gen: PQGen[T], until: float) -> Generator[Any, Any, T]:
    try:
        wants = next(gen)
        while True:
            ready = yield wants
            if not ready and time.monotonic() > until:
                raise psycopg.OperationalError("the server did not answer in time")
            wants = gen.send(ready)
    except StopIteration as end:
        return cast(T, end.value)
