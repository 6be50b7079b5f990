"""What was kept, read for people: newest checks, counts, times, what touched a file. Changes no row.

Each question opens the file anew: whoever follows sees what other processes write, and a file that was replaced.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar, cast
from urllib.parse import quote

from evaluator.errors import StateError
from evaluator.state import checks, machine, sessions
from evaluator.state.connection import LATEST, below, loaded, stored, stored_id, value_of, version_of
from evaluator.state.database import Transactions
from evaluator.state.store import FILE_NAME, StateTables, open_store, reads

T = TypeVar("T")

LISTED_MAX = 20
"""Ids that a prefix is shown to fit."""


@dataclass(frozen=True, slots=True)
class KeptCheck:
    """One check. `duration_ms` and `cost_usd` are None where not known."""

    at: float
    duration_ms: int | None
    cost_usd: float | None
    record: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CheckTally:
    """How many checks ended so."""

    verdict: str
    reason: str
    decision: str
    count: int


@dataclass(frozen=True, slots=True)
class ListedCheck:
    """A check by its id, where and when it was."""

    check_id: str
    at: float
    project_dir: str


class ReadOnly(Transactions):
    """The database under a state folder, as it is: nothing where none can be read, and nothing is kept."""

    def __init__(self, state_dir: str) -> None:
        super().__init__()
        self.path = os.path.join(state_dir, FILE_NAME)

    def close(self) -> None:
        """Nothing is open."""

    def _run(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        if not os.path.isfile(self.path):
            return otherwise
        try:
            with closing(open_read_only(self.path)) as database:
                return act(database)
        except sqlite3.Error:
            return otherwise


class UpToDate(ReadOnly):
    """The same after the steps that it lacks. Raises StateError where it cannot be read."""

    def __init__(self, state_dir: str, now: float) -> None:
        super().__init__(state_dir)
        self._state_dir = state_dir
        self._now = now

    def _run(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        if not os.path.isfile(self.path):
            return otherwise
        try:
            with closing(open_read_only(self.path)) as database:
                if version_of(database) == LATEST:
                    return act(database)
            has_every_step(self._state_dir, self._now)
            return self._run(what, act, otherwise)
        except (sqlite3.Error, ValueError) as error:
            raise StateError(f"{self.path}: {error}") from None


class History(StateTables):
    """The database under a state folder. Every method raises StateError where it cannot be read."""

    spent = reads(machine.spent, 0.0)
    samples_of = reads(machine.samples_of, 0)
    note = reads(machine.get_note, None)
    breakers = reads(machine.breakers, {})
    outages = reads(machine.outages, ())
    check = reads(checks.check, None)
    precedents = reads(sessions.all_precedents, ())

    def __init__(self, state_dir: str, now: float) -> None:
        database = UpToDate(state_dir, now)
        super().__init__(database)
        self.path = database.path

    @property
    def exists(self) -> bool:
        return os.path.isfile(self.path)

    def newest(self, project: str | None, count: int, *, denied: bool = False) -> list[KeptCheck]:
        """The newest `count` checks of a project (None: of all), oldest first.

        `denied`: only those that were held, or would have been in observe mode.
        """
        where, given = _of_project(project)
        if denied:
            where += " AND (decision = 'deny' OR verdict = 'failed')"
        query = f"SELECT {_KEPT} FROM checks WHERE {where} ORDER BY rowid DESC LIMIT ?"  # noqa: S608 - constants
        return self._ask(lambda db: [_kept(row) for row in db.execute(query, (*given, count))][::-1], [])

    def last_place(self) -> int:
        """The place of the newest check of all; 0 without any."""
        return self._ask(lambda db: value_of(db, "SELECT max(rowid) FROM checks", (), 0), 0)

    def tallies(self, project: str | None, since: float) -> list[CheckTally]:
        """How many checks ended by which verdict and reason, most frequent first."""
        where, given = _of_project(project)
        query = f"""SELECT verdict, reason, decision, count(*) AS n FROM checks WHERE {where} AND at >= ?
            GROUP BY verdict, reason, decision ORDER BY n DESC, reason"""  # noqa: S608 - constants
        return self._ask(lambda db: [CheckTally(*row) for row in db.execute(query, (*given, since))], [])

    def by_host(self, project: str | None, since: float) -> dict[str, int]:
        """How many checks were of calls of each host; under an empty name those of a version that kept none."""
        where, given = _of_project(project)
        query = f"""SELECT host, count(*) FROM checks WHERE {where} AND at >= ?
            GROUP BY host ORDER BY count(*) DESC"""  # noqa: S608 - constants

        def ask(db: sqlite3.Connection) -> dict[str, int]:
            return {loaded(host or ""): int(count) for host, count in db.execute(query, (*given, since))}

        return self._ask(ask, {})

    def durations(self, project: str | None, since: float) -> list[int]:
        """In milliseconds, ascending, of the checks that say how long they took."""
        where, given = _of_project(project)
        query = f"""SELECT duration_ms FROM checks WHERE {where} AND at >= ? AND duration_ms IS NOT NULL
            ORDER BY duration_ms"""  # noqa: S608 - constants
        return self._ask(lambda db: [int(ms) for (ms,) in db.execute(query, (*given, since))], [])

    def requests(self, project: str, since: float, until: float) -> tuple[int, int]:
        """(those with a check that failed and ran, all that had a check) of that time."""
        where, given = _of_project(project)
        request = "hex(session_id) || ordinal"
        query = f"""SELECT count(DISTINCT CASE WHEN verdict = 'failed' AND decision = 'allow' THEN {request} END),
            count(DISTINCT {request}) FROM checks WHERE {where} AND at >= ? AND at < ?"""  # noqa: S608 - constants

        def ask(db: sqlite3.Connection) -> tuple[int, int]:
            held, every = db.execute(query, (*given, since, until)).fetchone()
            return int(held), int(every)

        return self._ask(ask, (0, 0))

    def named(self, prefix: str) -> list[ListedCheck]:
        """The checks whose ids begin so, newest first, at most `LISTED_MAX` and one; an id itself stands alone."""

        def ask(db: sqlite3.Connection) -> list[ListedCheck]:
            for text in dict.fromkeys((prefix, prefix.upper())):
                rows = db.execute(
                    f"""SELECT check_id, at, {_PROJECT} FROM checks WHERE check_id = ? OR check_id BETWEEN ? AND ?
                    ORDER BY check_id = ? DESC, rowid DESC LIMIT ?""",  # noqa: S608 - constants
                    (stored_id(text), text, text + checks.BEYOND, stored_id(text), LISTED_MAX + 1),
                ).fetchall()
                found = [
                    ListedCheck(loaded(one), float(at), loaded(project or "")) for one, at, project in rows
                ]
                if found:
                    return found[:1] if found[0].check_id == text else found
            return []

        return self._ask(ask, []) if prefix.isprintable() and prefix else []

    def naming(self, path: str) -> list[KeptCheck]:
        """The checks of all projects whose record names the path anywhere, newest first."""
        text = json.dumps(path)[1:-1]
        query = f"SELECT {_KEPT} FROM checks WHERE instr(record, ?) ORDER BY rowid DESC"  # noqa: S608 - constants
        return self._ask(lambda db: [_kept(row) for row in db.execute(query, (text,))], [])

    def written(self, path: str) -> dict[tuple[str, int], float]:
        """When a file was last written, by (session, turn): of the sessions that are still kept."""
        query = "SELECT session_id, ordinal, at FROM writes WHERE target = ?"

        def ask(db: sqlite3.Connection) -> dict[tuple[str, int], float]:
            rows = db.execute(query, (stored(path),))
            return {(loaded(session), int(ordinal)): float(at) for session, ordinal, at in rows}

        return self._ask(ask, {})

    def _ask(self, ask: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        return self.database.read("history", ask, otherwise)


_PROJECT = "coalesce(project_dir, json_extract(record, '$.pending.project_dir'))"
"""Rows of 0.1.0 say it in their record alone."""
_KEPT = "at, duration_ms, cost_usd, record"


def _of_project(project: str | None) -> tuple[str, tuple[object, ...]]:
    """A condition for the checks of a folder and of those below it: a host may be started in one of these."""
    if project is None:
        return "TRUE", ()
    _, bounds = below(project)
    old = "json_extract(record, '$.pending.project_dir')"
    return (
        f"""rowid IN (SELECT rowid FROM checks WHERE project_dir = ?
        UNION ALL SELECT rowid FROM checks WHERE project_dir >= ? AND project_dir < ?
        UNION ALL SELECT rowid FROM checks WHERE project_dir IS NULL AND ({old} = ? OR ({old} >= ? AND {old} < ?)))""",  # noqa: S608
        (*bounds, *bounds),
    )


def _kept(row: tuple[float, int | None, float | None, str]) -> KeptCheck:
    at, duration_ms, cost_usd, record = row
    return KeptCheck(at, duration_ms, cost_usd, cast(dict[str, object], json.loads(record)))


CHECKS_MAX = 100_000


def open_read_only(path: str) -> sqlite3.Connection:
    """Opens the state's database for reading alone. Raises sqlite3.Error."""
    return sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True, timeout=1.0)


def has_every_step(state_dir: str, now: float) -> bool:
    """Whether there is a database, which then has every step of the schema. Raises StateError."""
    path = os.path.join(state_dir, FILE_NAME)
    if not os.path.isfile(path):
        return False
    try:
        with closing(open_read_only(path)) as database:
            if version_of(database) == LATEST:
                return True
    except sqlite3.Error as error:
        raise StateError(f"{path}: {error}") from None
    opened = open_store(state_dir, now=now)
    opened.store.close()
    if opened.fault is not None:
        raise StateError(opened.newer or opened.fault)
    return True


def last_start(state_dir: str, project_dir: str) -> float | None:
    """When a session of the project last began, in seconds since the epoch; None if none did.

    None too for a database that cannot be read.
    """
    query = "SELECT max(started_at) FROM sessions WHERE project_dir = ?"

    def ask(database: sqlite3.Connection) -> float | None:
        found: float | None = value_of(database, query, (project_dir,), None)
        return found

    return ReadOnly(state_dir).read("last_start", ask, None)


def records(state_dir: str) -> Iterator[Mapping[str, object]]:
    """The newest records of checks, oldest first; none where there is no database. Raises ValueError."""
    path = os.path.join(state_dir, FILE_NAME)
    if not os.path.exists(path):
        return
    try:
        with closing(open_read_only(path)) as database:
            rows = _records(database, "TRUE")
    except sqlite3.Error as error:
        raise ValueError(f"{path}: {error}") from None
    for (text,) in reversed(rows):
        yield cast(Mapping[str, object], json.loads(text))


def _records(database: sqlite3.Connection, where: str, *given: object) -> list[tuple[str]]:
    query = f"SELECT record FROM checks WHERE {where} ORDER BY rowid DESC LIMIT ?"  # noqa: S608 - constants
    return database.execute(query, (*given, CHECKS_MAX)).fetchall()
