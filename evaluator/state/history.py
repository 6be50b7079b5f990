"""What was kept, read for people: newest checks, counts, times, what touched a file. Changes no row.

Each question opens the file anew: whoever follows sees what other processes write, and a file that was replaced.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote

from evaluator.errors import StateError
from evaluator.state import checks, machine, sessions
from evaluator.state.database import LATEST, Transactions, stored, value_of, version_of
from evaluator.state.store import FILE_NAME, StateTables, open_store, reads

T = TypeVar("T")

RECORDS_MAX = 100_000


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


class ReadOnlyDatabase(Transactions):
    """The database under a state folder, opened for reading alone and for each question anew; one of an older version
    gets the steps that it lacks first. Nothing where there is none. Raises StateError where it cannot be read."""

    def __init__(self, state_dir: str, now: float) -> None:
        super().__init__()
        self._state_dir = state_dir
        self._now = now

    def close(self) -> None:
        """Nothing is open."""

    def read(self, what: str, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        path = up_to_date(self._state_dir, self._now)
        if path is None:
            return otherwise
        try:
            with closing(_open_history_read_only(path)) as database:
                return act(database)
        except (sqlite3.Error, ValueError) as error:
            raise StateError(f"{path}: {error}") from None


def up_to_date(state_dir: str, now: float) -> str | None:
    """The path of the database, which then has every step of the schema; None without one. Raises StateError."""
    path = os.path.join(state_dir, FILE_NAME)
    if not os.path.isfile(path):
        return None
    try:
        with closing(_open_history_read_only(path)) as database:
            if version_of(database) == LATEST:
                return path
    except sqlite3.Error as error:
        raise StateError(f"{path}: {error}") from None
    opened = open_store(state_dir, now=now)
    opened.store.close()
    if opened.fault is not None:
        raise StateError(opened.newer or opened.fault)
    return path


def _open_history_read_only(path: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True, timeout=1.0)


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
        super().__init__(ReadOnlyDatabase(state_dir, now))
        self.path = os.path.join(state_dir, FILE_NAME)

    def newest(self, project: str | None, count: int, *, denied: bool = False) -> list[KeptCheck]:
        """The newest `count` checks of a project (None: of all), oldest first.

        `denied`: only those that were held, or would have been in observe mode.
        """
        where, given = below(project)
        if denied:
            where += " AND (decision = 'deny' OR verdict = 'failed')"
        query = f"SELECT {_KEPT} FROM checks WHERE {where} ORDER BY rowid DESC LIMIT ?"  # noqa: S608 - constants
        return self._query_kept_checks(query, (*given, count))[::-1]

    def last_place(self) -> int:
        """The place of the newest check of all; 0 without any."""
        return self._query_history(lambda db: value_of(db, "SELECT max(rowid) FROM checks", (), 0), 0)

    def tallies(self, project: str | None, since: float) -> list[CheckTally]:
        """How many checks ended by which verdict and reason, most frequent first."""
        where, given = below(project)
        query = f"""SELECT verdict, reason, decision, count(*) AS n FROM checks WHERE {where} AND at >= ?
            GROUP BY verdict, reason, decision ORDER BY n DESC, reason"""  # noqa: S608 - constants
        return self._query_history(
            lambda db: [CheckTally(*row) for row in db.execute(query, (*given, since))], []
        )

    def requests(self, project: str, since: float, until: float) -> tuple[int, int]:
        """(those with a check that failed and ran, all that had a check) of that time."""
        where, given = below(project)
        request = "hex(session_id) || ordinal"
        query = f"""SELECT count(DISTINCT CASE WHEN verdict = 'failed' AND decision = 'allow' THEN {request} END),
            count(DISTINCT {request}) FROM checks WHERE {where} AND at >= ? AND at < ?"""  # noqa: S608 - constants

        held, every = self._query_history(
            lambda db: db.execute(query, (*given, since, until)).fetchone(), (0, 0)
        )
        return int(held), int(every)

    def records(self) -> list[Mapping[str, object]]:
        """The newest records of checks, oldest first, at most `RECORDS_MAX`."""
        query = "SELECT record FROM checks ORDER BY rowid DESC LIMIT ?"
        return self._query_history(
            lambda db: [json.loads(text) for (text,) in db.execute(query, (RECORDS_MAX,))][::-1], []
        )

    def last_start(self, project_dir: str) -> float | None:
        """When a session of the project last began, in seconds since the epoch; None if none did."""
        query = "SELECT max(started_at) FROM sessions WHERE project_dir = ?"
        nothing: float | None = None
        return self._query_history(lambda db: value_of(db, query, (project_dir,), nothing), nothing)

    def naming(self, path: str) -> list[KeptCheck]:
        """The checks of all projects whose record names the path anywhere, newest first."""
        text = json.dumps(path)[1:-1]
        query = f"SELECT {_KEPT} FROM checks WHERE instr(record, ?) ORDER BY rowid DESC"  # noqa: S608 - constants
        return self._query_kept_checks(query, (text,))

    def _query_kept_checks(self, query: str, given: tuple[object, ...]) -> list[KeptCheck]:
        def ask(db: sqlite3.Connection) -> list[KeptCheck]:
            rows = db.execute(query, given)
            return [KeptCheck(at, took, cost, json.loads(record)) for at, took, cost, record in rows]

        return self._query_history(ask, [])

    def _query_history(self, ask: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        return self.database.read("history", ask, otherwise)


_KEPT = "at, duration_ms, cost_usd, record"
NEXT_TO_SLASH = "0"
"""Sorts right behind every path below a folder."""


def below(project: str | None) -> tuple[str, tuple[object, ...]]:
    """A condition on `project_dir` that holds for a project's folder and those below it, as a host may be started in
    one of these, or for all (None); and what it is given."""
    if project is None:
        return "TRUE", ()
    whole = project.rstrip("/")
    bounds = (stored(project), stored(f"{whole}/"), stored(whole + NEXT_TO_SLASH))
    return "(project_dir = ? OR (project_dir >= ? AND project_dir < ?))", bounds
