"""Opens the state: the database, or memory where it cannot be used. Never raises for what it finds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from evaluator.breaker.state import BreakerState
from evaluator.errors import NewerStateError, StateError
from evaluator.intervention.owed import Owed
from evaluator.ports import PrecedentStore, StateStore
from evaluator.record import Record
from evaluator.state.database import Database
from evaluator.state.faults import FaultLog
from evaluator.state.sql import SqlStore

if TYPE_CHECKING:
    from evaluator.breaker.outages import Outage

FILE_NAME = "compass.db"

T = TypeVar("T")


class Store(StateStore, PrecedentStore, Protocol):
    """What both stores offer beyond the ports."""

    @property
    def faults(self) -> Sequence[str]:
        """The faults of this process, oldest first, one line each."""
        ...

    def recall_exchange(self, session_id: str, agent_id: str) -> str | None: ...

    def remember_exchange(self, session_id: str, agent_id: str, data: str) -> None: ...

    def get_note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...

    def change_note(self, key: str, make: Callable[[str | None], tuple[str | None, T]], otherwise: T) -> T:
        """`make` is given the note and gives what is kept from now on, None to leave it, and what is returned.

        One transaction; `otherwise` if the state cannot be used.
        """
        ...

    def set_backend(self, session_id: str, backend: str) -> None:
        """Who reads in this session."""
        ...

    def backend_of(self, session_id: str) -> str:
        """As it was last set; empty where it was not."""
        ...

    def owe(self, session_id: str, owed: Owed) -> None:
        """Keep it until `take_owed`."""
        ...

    def take_owed(self, session_id: str) -> tuple[Owed, ...]:
        """All that the session is owed, oldest first; each is given once."""
        ...

    def breakers(self) -> Mapping[str, BreakerState]:
        """Every breaker by its key, without those that are closed and have no failures."""
        ...

    def outages(self) -> tuple[Outage, ...]:
        """The newest outage of each line, oldest first, ended ones too until they are swept."""
        ...

    def close(self) -> None: ...


class OpenedStore(Record):
    """`fault` names file and cause if the database had to be replaced or could not be used; else None.

    `newer` says so where a newer Compass wrote it: what was held and released stands there, sound but not understood.
    """

    store: Store
    fault: str | None
    newer: str = ""


def open_store(
    state_dir: str,
    *,
    now: float,
    clock: Callable[[], float] = time.time,
    random: Callable[[int], bytes] = os.urandom,
    on_fault: Callable[[str], None] | None = None,
) -> OpenedStore:
    """The store under `state_dir`, which is made if it is missing and tightened to 0700 if it is looser.

    A corrupt database is moved aside, never deleted, and a fresh one made. A folder or database that is
    locked, read-only, full or of a newer Compass gives the store in memory. `now` (seconds since the epoch)
    names what is moved aside, `clock` stamps the fault log.
    """
    import sqlite3

    faults = FaultLog(state_dir, clock, on_fault)
    path = os.path.join(state_dir, FILE_NAME)
    database = Database(path, faults)
    try:
        notice = database.open(now)
    except (sqlite3.Error, OSError, StateError, ValueError) as error:
        from evaluator.state.memory import MemoryStore

        fault = faults.note(path, f"{error}; state is kept in memory")
        newer = f"{path} was {error}" if isinstance(error, NewerStateError) else ""
        return OpenedStore(MemoryStore(random, faults.lines), fault, newer)
    replaced = None if notice is None else faults.note(path, notice)
    return OpenedStore(SqlStore(database, faults.lines, random), replaced)
