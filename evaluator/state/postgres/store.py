"""The state of one team in PostgreSQL: the same store as in SQLite, over transactions of that team."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from evaluator.errors import StateError
from evaluator.state.faults import one_line
from evaluator.state.postgres.connection import Connection
from evaluator.state.postgres.database import PostgresDatabase
from evaluator.state.sql import SqlStore
from evaluator.state.transactions import Nowhere

T = TypeVar("T")

KEPT_FAULTS = 100


class TeamTransactions:
    """Those of one team. A fault is kept in `faults`, `on_fault` is told, and the caller gets its safe answer."""

    def __init__(
        self, database: PostgresDatabase, team: str, on_fault: Callable[[str], None] | None = None
    ) -> None:
        self.faults: list[str] = []
        self._database = database
        self._team = team
        self._on_fault = on_fault
        self._together = threading.local()

    def close(self) -> None:
        """The database is of all teams, and goes on."""

    def read(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T:
        held: Held | None = getattr(self._together, "held", None)
        if held is not None and held.connection is not None:
            return self._run(what, lambda: held.run(act), otherwise)
        return self._run(what, lambda: self._database.read(self._team, act), otherwise)

    def write(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T:
        held: Held | None = getattr(self._together, "held", None)
        if held is not None:
            return self._run(what, lambda: held.run(act), otherwise)
        return self._run(what, lambda: self._database.write(self._team, act), otherwise)

    @contextmanager
    def together(self, what: str) -> Generator[None, None, None]:
        """One transaction for all writes of this thread within; it begins with the first.

        A write that fails undoes those before it. A fault at the end is noted: none of them happened then.
        """
        held = self._together.held = Held(self._database, self._team)
        try:
            yield
        except BaseException as error:
            held.end(error)
            raise
        else:
            self._run(what, held.end, None)
        finally:
            self._together.held = None

    def _run(self, what: str, act: Callable[[], T], otherwise: T) -> T:
        try:
            return act()
        except StateError as error:
            fault = one_line(f"{self._team}: {what}: {error}")
            self.faults.append(fault)
            del self.faults[:-KEPT_FAULTS]
            if self._on_fault is not None:
                self._on_fault(fault)
            return otherwise


class Held:
    """A transaction that goes on over several writes of one thread."""

    def __init__(self, database: PostgresDatabase, team: str) -> None:
        self.connection: Connection | None = None
        self._database = database
        self._team = team
        self._transaction: AbstractContextManager[Connection] | None = None

    def run(self, act: Callable[[Connection], T]) -> T:
        """Raises StateError, and what `act` raises; all before it is then undone."""
        if self.connection is None:
            self._transaction = self._database.transaction(self._team, writes=True)
            self.connection = self._transaction.__enter__()
        try:
            return act(self.connection)
        except BaseException as error:
            self.end(error)
            raise

    def end(self, error: BaseException | None = None) -> None:
        """Commit, or undo for an error. Raises StateError."""
        transaction, connection, self._transaction, self.connection = (
            self._transaction,
            self.connection,
            None,
            None,
        )
        if transaction is not None and connection is not None:
            transaction.__exit__(
                type(error) if error else None, error, error.__traceback__ if error else None
            )


class PostgresStore(SqlStore):
    """Every method is one transaction of the team. When the database fails, its fault is noted, as in SQLite.

    Precedents are a developer's own: it keeps and finds none.
    """

    def __init__(
        self, database: PostgresDatabase, team: str, on_fault: Callable[[str], None] | None = None
    ) -> None:
        transactions = TeamTransactions(database, team, on_fault)
        super().__init__(transactions, transactions.faults, database.random, Nowhere())
