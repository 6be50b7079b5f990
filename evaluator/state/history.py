"""The checks that were kept, read for people: newest ones, counts, times, what touched a file. Changes nothing.

Each question opens the file anew: whoever follows sees what other processes write, and a file that was replaced.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar, cast

from evaluator.breaker.outages import Outage
from evaluator.breaker.state import BreakerState
from evaluator.errors import StateError
from evaluator.intervention.held import Intervention
from evaluator.model import KeptPrompt
from evaluator.precedents.precedent import Precedent
from evaluator.state.migrations import LATEST, version_of
from evaluator.state.recorded import open_read_only
from evaluator.state.store import FILE_NAME, open_store
from evaluator.state.tables import (
    breakers,
    checks,
    interventions,
    notes,
    outages,
    precedents,
    sessions,
)
from evaluator.state.tables.projects import below
from evaluator.state.tables.records import loaded, stored, stored_id

T = TypeVar("T")

LISTED_MAX = 20
"""Ids that a prefix is shown to fit."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One check. `place` grows with each check that is kept; `duration_ms` and `cost_usd` are None where not known."""

    place: int
    at: float
    duration_ms: int | None
    cost_usd: float | None
    record: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many checks ended so."""

    verdict: str
    reason: str
    decision: str
    count: int


@dataclass(frozen=True, slots=True)
class DayTally:
    """How the checks of a local day (YYYY-MM-DD) ended; times in ascending milliseconds of those that say theirs.

    `held` did not run, `let_run` failed and ran, `unjudged` ran without a judgement. `released` and `cancelled` are of
    what was held before. `cost_usd` is None where no check had a price.
    """

    day: str
    checks: int
    passed: int
    held: int
    let_run: int
    unjudged: int
    released: int
    cancelled: int
    cost_usd: float | None
    durations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Worked:
    """A folder that checks were made in, how many, and when the last was."""

    project_dir: str
    checks: int
    last: float


@dataclass(frozen=True, slots=True)
class Listed:
    """A check by its id, where and when it was."""

    check_id: str
    at: float
    project_dir: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """What one session holds, as it was last saved, and all its prompts, oldest first."""

    session_id: str
    project_dir: str
    held: Intervention
    prompts: tuple[KeptPrompt, ...]


class History:
    """The database under a state folder. Every method raises StateError where it cannot be read."""

    def __init__(self, state_dir: str, now: float) -> None:
        self.path = os.path.join(state_dir, FILE_NAME)
        self._state_dir = state_dir
        self._now = now

    @property
    def exists(self) -> bool:
        return os.path.isfile(self.path)

    def newest(
        self, project: str | None, count: int, *, denied: bool = False, after: int | None = None
    ) -> list[Kept]:
        """At most `count` checks, oldest first, of a project (None: of all), that were saved behind `after`."""
        where, given = _of_project(project)
        if denied:
            where += " AND decision = 'deny'"
        if after is not None:
            where, given = f"{where} AND rowid > ?", (*given, after)
        query = f"SELECT {_KEPT} FROM checks WHERE {where} ORDER BY rowid DESC LIMIT ?"  # noqa: S608 - constants
        return self._ask(lambda db: [_kept(row) for row in db.execute(query, (*given, count))][::-1], [])

    def last_place(self) -> int:
        """Of the newest check of all; 0 without any."""

        def ask(db: sqlite3.Connection) -> int:
            (place,) = db.execute("SELECT max(rowid) FROM checks").fetchone()
            return int(place or 0)

        return self._ask(ask, 0)

    def tallies(self, project: str | None, since: float) -> list[Tally]:
        """Most frequent first."""
        where, given = _of_project(project)
        query = f"""SELECT verdict, reason, decision, count(*) AS n FROM checks WHERE {where} AND at >= ?
            GROUP BY verdict, reason, decision ORDER BY n DESC, reason"""  # noqa: S608 - constants
        return self._ask(lambda db: [Tally(*row) for row in db.execute(query, (*given, since))], [])

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

    def projects(self, count: int) -> list[Worked]:
        """At most `count` folders, the one of the newest check first."""
        query = f"""SELECT {_PROJECT} AS project, count(*), max(at) FROM checks GROUP BY project
            HAVING project IS NOT NULL ORDER BY max(rowid) DESC LIMIT ?"""  # noqa: S608 - constants

        def ask(db: sqlite3.Connection) -> list[Worked]:
            rows = db.execute(query, (count,))
            return [Worked(loaded(project), int(checks), float(at)) for project, checks, at in rows]

        return self._ask(ask, [])

    def days(self, project: str | None, since: float) -> list[DayTally]:
        """Oldest first; days without a check are left out."""
        where, given = _of_project(project)
        day = "date(at, 'unixepoch', 'localtime')"
        query = f"""SELECT {day} AS day, count(*), sum(verdict = 'passed'), sum(decision = 'deny'),
            sum(verdict = 'failed' AND decision = 'allow'), sum(verdict = 'skipped' AND decision = 'allow'),
            sum(reason = 'released'), sum(reason = 'cancelled'), sum(cost_usd)
            FROM checks WHERE {where} AND at >= ? GROUP BY day ORDER BY day"""  # noqa: S608 - constants
        took = f"""SELECT {day}, duration_ms FROM checks WHERE {where} AND at >= ?
            AND duration_ms IS NOT NULL ORDER BY duration_ms"""  # noqa: S608 - constants

        def ask(db: sqlite3.Connection) -> list[DayTally]:
            times: dict[str, list[int]] = {}
            for at, duration_ms in db.execute(took, (*given, since)):
                times.setdefault(at, []).append(int(duration_ms))
            return [
                DayTally(
                    day=row[0],
                    checks=row[1],
                    passed=row[2],
                    held=row[3],
                    let_run=row[4],
                    unjudged=row[5],
                    released=row[6],
                    cancelled=row[7],
                    cost_usd=row[8],
                    durations=tuple(times.get(row[0], ())),
                )
                for row in db.execute(query, (*given, since))
            ]

        return self._ask(ask, [])

    def spent(self, day: str) -> float:
        """US dollars of this machine on that day (YYYY-MM-DD, UTC)."""
        return self._ask(lambda db: notes.spent(db, day), 0.0)

    def samples_of(self, day: str) -> int:
        """Samples that hosted readers took on this machine on that day."""
        return self._ask(lambda db: notes.samples_of(db, day), 0)

    def named(self, prefix: str) -> list[Listed]:
        """The checks whose ids begin so, newest first, at most `LISTED_MAX` and one; an id itself stands alone."""

        def ask(db: sqlite3.Connection) -> list[Listed]:
            for text in dict.fromkeys((prefix, prefix.upper())):
                rows = db.execute(
                    f"""SELECT check_id, at, {_PROJECT} FROM checks WHERE check_id = ? OR check_id BETWEEN ? AND ?
                    ORDER BY check_id = ? DESC, rowid DESC LIMIT ?""",  # noqa: S608 - constants
                    (stored_id(text), text, text + checks.BEYOND, stored_id(text), LISTED_MAX + 1),
                ).fetchall()
                found = [Listed(loaded(one), float(at), loaded(project or "")) for one, at, project in rows]
                if found:
                    return found[:1] if found[0].check_id == text else found
            return []

        return self._ask(ask, []) if prefix.isprintable() and prefix else []

    def check(self, check_id: str) -> Mapping[str, object] | None:
        return self._ask(lambda db: checks.find(db, check_id), None)

    def naming(self, path: str) -> list[Kept]:
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

    def held(self, project: str) -> list[Waiting]:
        """What was held in the sessions of a project, and not forgotten since, newest first."""
        where, given = below(project)
        query = f"""SELECT session_id, project_dir, data FROM interventions JOIN sessions USING (session_id)
            WHERE {where} ORDER BY opened_at DESC LIMIT ?"""  # noqa: S608 - constants

        def ask(db: sqlite3.Connection) -> list[Waiting]:
            rows = db.execute(query, (*given, LISTED_MAX)).fetchall()
            found = [(loaded(one), loaded(folder), interventions.decode(data)) for one, folder, data in rows]
            return [
                Waiting(one, folder, held, sessions.prompts(db, one))
                for one, folder, held in found
                if held is not None
            ]

        return self._ask(ask, [])

    def precedents(self, project_key: str | None) -> tuple[Precedent, ...]:
        """Those of a project, of every project for None: newest first."""
        return self._ask(lambda db: precedents.every(db, project_key), ())

    def note(self, key: str) -> str | None:
        """What was noted for the whole machine under the key."""
        return self._ask(lambda db: notes.get(db, key), None)

    def breakers(self) -> Mapping[str, BreakerState]:
        return self._ask(breakers.every, {})

    def outages(self) -> tuple[Outage, ...]:
        """Ended ones too."""
        return self._ask(outages.every, ())

    def _ask(self, ask: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        if not self.exists:
            return otherwise
        try:
            with closing(open_read_only(self.path)) as database:
                if version_of(database) == LATEST:
                    return ask(database)
            self._bring_up_to_date()
            with closing(open_read_only(self.path)) as database:
                return ask(database)
        except (sqlite3.Error, ValueError) as error:
            raise StateError(f"{self.path}: {error}") from None

    def _bring_up_to_date(self) -> None:
        opened = open_store(self._state_dir, now=self._now)
        opened.store.close()
        if opened.fault is not None:
            raise StateError(opened.newer or opened.fault)


_PROJECT = "coalesce(project_dir, json_extract(record, '$.pending.project_dir'))"
"""Rows of 0.1.0 say it in their record alone."""
_KEPT = "rowid, at, duration_ms, cost_usd, record"


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


def _kept(row: tuple[int, float, int | None, float | None, str]) -> Kept:
    place, at, duration_ms, cost_usd, record = row
    return Kept(place, at, duration_ms, cost_usd, cast(dict[str, object], json.loads(record)))
