"""The state: every operation on it as one transaction. Opened over a file, or in memory where none can be used."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from evaluator.breaker import Admission, BreakerRules, Closed
from evaluator.errors import NewerStateError, StateError
from evaluator.files import FaultLog
from evaluator.ports import TurnKey
from evaluator.record import Record
from evaluator.state import checks, machine, sessions
from evaluator.state.database import Database, Transactions, migrate

if TYPE_CHECKING:
    from sqlite3 import Connection

    from evaluator.breaker import Outage
    from evaluator.intervention.records import Intervention, Owed
    from evaluator.model import Check

T = TypeVar("T")
P = ParamSpec("P")

FILE_NAME = "compass.db"
TOKEN_BYTES = 24


class StateTables:
    """What stands on a database; its methods are transactions by `reads` and `writes`."""

    def __init__(self, database: Transactions) -> None:
        self.database = database


def reads(
    act: Callable[Concatenate[Connection, P], T], otherwise: T
) -> Callable[Concatenate[StateTables, P], T]:
    """A method that runs `act`, which writes nothing; `otherwise` is its answer where the database fails."""

    def method(tables: StateTables, /, *args: P.args, **given: P.kwargs) -> T:
        return tables.database.read(act.__name__, lambda db: act(db, *args, **given), otherwise)

    return method


def writes(
    act: Callable[Concatenate[Connection, P], T], otherwise: T
) -> Callable[Concatenate[StateTables, P], T]:
    """The same, for one that writes: it happens wholly or not at all."""

    def method(tables: StateTables, /, *args: P.args, **given: P.kwargs) -> T:
        return tables.database.write(act.__name__, lambda db: act(db, *args, **given), otherwise)

    return method


class PrecedentStore(StateTables):
    """Precedents of a developer's own."""

    has_precedents = reads(sessions.has_precedents, False)
    keep_precedent = writes(sessions.keep_precedent, None)
    precedents_of = reads(sessions.precedents_of, ())
    precedent = reads(sessions.precedent, None)
    all_precedents = reads(sessions.all_precedents, ())
    forget_precedents = writes(sessions.forget_precedents, 0)
    sweep_precedents = writes(sessions.sweep_precedents, None)


class Store(PrecedentStore):
    """Every method is one transaction, safe among threads and processes; ids from outside are data.

    When the database fails in use (locked, full, gone), a method notes the fault and returns the answer that stands
    here beside its function; nothing was changed then.
    """

    def __init__(self, database: Transactions, faults: Sequence[str] = ()) -> None:
        super().__init__(database)
        self.faults = faults
        """The faults of this process, oldest first, one line each."""

    def close(self) -> None:
        """A later operation opens the database again."""
        self.database.close()

    def together(self) -> AbstractContextManager[None]:
        """What the calling thread writes within is one transaction, and other threads wait. Not to be nested.

        A write that fails undoes those before it, and so does whatever is raised within.
        """
        return self.database.together("record")

    start_session = writes(sessions.start_session, None)
    note_mode = writes(sessions.note_mode, None)
    set_backend = writes(sessions.set_backend, None)
    backend_of = reads(sessions.backend_of, "")
    end_session = writes(sessions.end_session, None)
    add_prompt = writes(sessions.add_prompt, 0)
    prompts = reads(sessions.prompts, ())
    next_sequence = writes(sessions.next_sequence, 0)
    recall_exchange = reads(sessions.recall_exchange, None)
    remember_exchange = writes(sessions.remember_exchange, None)
    was_attended = reads(sessions.was_attended, True)
    """True on failure: prompts that came through the client's SDK then resolve nothing."""
    _attend = writes(sessions.attend, None)

    def note_attended(self, session_id: str) -> None:
        """A person is, or was, at this session's client."""
        if not self.was_attended(session_id):
            self._attend(session_id)

    _ordinal = reads(sessions.ordinal_of, 0)
    _agent_ordinal = reads(sessions.agent_ordinal, None)
    _bind_agent = writes(sessions.bind_agent, 0)

    def turn(self, session_id: str, agent_id: str | None) -> TurnKey:
        """The running turn. A subagent keeps the turn in which it first acted.

        Ordinal 0 on failure: no cooldown and no check of the real turn then counts.
        """
        if not agent_id:
            return TurnKey(session_id, "", self._ordinal(session_id))
        bound = self._agent_ordinal(session_id, agent_id)
        if bound is None:
            bound = self._bind_agent(session_id, agent_id)
        return TurnKey(session_id, agent_id, bound)

    owe = writes(sessions.owe, None)
    owes = reads(sessions.owes, False)
    _take_owed = writes(sessions.take_owed, ())

    def take_owed(self, session_id: str) -> tuple[Owed, ...]:
        """All that the session is owed, oldest first; each is given once."""
        return self._take_owed(session_id) if self.owes(session_id) else ()

    intervention = reads(sessions.intervention, None)

    def change_intervention(
        self,
        session_id: str,
        change: Callable[[Intervention | None], tuple[Intervention | None, T]],
        otherwise: T,
    ) -> T:
        """Read, change and write in one transaction; `otherwise` if the state cannot be used."""
        return self.database.write(
            "change_intervention", lambda db: sessions.change_intervention(db, session_id, change), otherwise
        )

    take_check = writes(checks.take_check, True)
    """True on failure: a check too many costs less than a write that nobody looked at."""
    give_back_check = writes(checks.give_back_check, None)
    checks_taken = reads(checks.checks_taken, 0)
    note_call = writes(checks.note_call, None)
    settle = writes(checks.settle, None)
    cooldowns = reads(checks.cooldowns, ())
    written = reads(checks.written, ())
    made = reads(checks.made, frozenset())
    ran_before = reads(checks.ran_before, False)
    note_judged = writes(checks.note_judged, None)
    open_coverage = writes(checks.open_coverage, None)
    use_coverage = writes(checks.use_coverage, False)

    check = reads(checks.check, None)
    _save_check = writes(checks.save_check, None)
    enter_flight = writes(checks.enter_flight, True)
    """True on failure: everybody then checks for themselves."""
    leave_flight = writes(checks.leave_flight, None)
    flight = reads(checks.flight, None)
    _land_flight = writes(checks.land_flight, None)

    def save_check(self, check: Check, turn: TurnKey | None, *, store_evidence: bool) -> None:
        """A check that was saved before is replaced, and is then the newest."""
        row = checks.row_of(check, turn, store_evidence=store_evidence)
        self._save_check(check.pending.session_id, check.at, row)

    def land_flight(self, session_id: str, identity: str, token: str, now: float, check: Check) -> None:
        """Tell those who wait how the check ended. On failure they take over when the flight's time is up."""
        self._land_flight(session_id, identity, token, now, checks.outcome_of(check))

    breaker = reads(machine.breaker, Closed())
    breakers = reads(machine.breakers, {})
    report = writes(machine.report, None)
    outages = reads(machine.outages, ())
    meet_outage = writes(machine.meet_outage, None)
    _is_out = reads(machine.is_out, False)
    _end_outage = writes(machine.end_outage, None)
    _admit = writes(machine.admit, Admission("closed"))

    def admit(self, key: str, rules: BreakerRules, now: float) -> Admission:
        """May an evaluation ask the readers behind the breaker `key`? One probe at a time while half-open.

        Closed on failure: a database at fault must not keep the readers from being asked.
        """
        return self._admit(key, rules, now, os.urandom(TOKEN_BYTES).hex())

    def readers_back(self, session_id: str, key: str, now: float) -> Outage | None:
        """The readers of the line answered, so its outage is over; once, for a session that was told of one, what it
        is to be told."""
        return self._end_outage(session_id, key, now) if self._is_out(session_id, key) else None

    holds_token = reads(machine.holds_token, False)
    revoke_token = writes(machine.revoke_token, None)
    _add_token = writes(machine.add_token, "")

    def issue_token(self, now: float, seconds: float, holder: str = "") -> str:
        """A fresh one-time token for a nested evaluator process; empty on failure, which `holds_token` never holds."""
        return self._add_token(f"{os.urandom(TOKEN_BYTES).hex()}@{holder}", now + seconds)

    get_note = reads(machine.get_note, None)
    set_note = writes(machine.set_note, None)

    def change_note(self, key: str, make: Callable[[str | None], tuple[str | None, T]], otherwise: T) -> T:
        """`make` is given the note and gives what is kept from now on, None to leave it, and what is returned.

        One transaction; `otherwise` if the state cannot be used.
        """
        return self.database.write("change_note", lambda db: machine.change_note(db, key, make), otherwise)

    add_spend = writes(machine.add_spend, None)
    spent = reads(machine.spent, 0.0)
    sweep = writes(machine.sweep, None)


class MemoryDatabase(Transactions):
    """A database that ends when it is closed. What fails there is a bug, and raised."""

    def __init__(self) -> None:
        import sqlite3

        super().__init__()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self._connection)

    def __del__(self) -> None:
        self._connection.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def read(self, what: str, act: Callable[[Connection], T], otherwise: T) -> T:
        with self._lock:
            return act(self._connection)


class MemoryStore(Store):
    """The same SQL over a database that ends with the process: forgets all when it is closed. `faults` led here."""

    def __init__(self, faults: Sequence[str] = ()) -> None:
        super().__init__(MemoryDatabase(), faults)


class OpenedStore(Record):
    """`fault` names file and cause if the database had to be replaced or could not be used; else None.

    `newer` says so where a newer Compass wrote it: what was held and released stands there, sound but not understood.
    """

    store: Store
    fault: str | None
    newer: str = ""


def open_store(state_dir: str, *, now: float) -> OpenedStore:
    """The store under `state_dir`, which is made if it is missing and tightened to 0700 if it is looser. Never raises
    for what it finds.

    A corrupt database is moved aside, never deleted, and a fresh one made. A folder or database that is
    locked, read-only, full or of a newer Compass gives the store in memory. `now` (seconds since the epoch)
    names what is moved aside.
    """
    import sqlite3

    faults = FaultLog(state_dir, time.time)
    path = os.path.join(state_dir, FILE_NAME)
    database = Database(path, faults)
    try:
        notice = database.open(now)
    except (sqlite3.Error, OSError, StateError, ValueError) as error:
        fault = faults.note(path, f"{error}; state is kept in memory instead")
        newer = f"{path} was {error}" if isinstance(error, NewerStateError) else ""
        return OpenedStore(MemoryStore(faults.lines), fault, newer)
    replaced = None if notice is None else faults.note(path, notice)
    return OpenedStore(Store(database, faults.lines), replaced)
