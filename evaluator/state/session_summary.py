"""What the database says of one session, for a status line: read without changing it, and with the least imports.

SQLite itself takes the client's JSON apart, and `_sqlite3` is what `sqlite3` stands on: `json` alone would cost as
much as a bare interpreter.
"""

import _sqlite3 as sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class _Rows(Protocol):
        def fetchone(self) -> "tuple[object, ...] | None": ...

    class _Connection(Protocol):
        def execute(self, query: str, given: "tuple[object, ...]" = (), /) -> _Rows: ...

        def close(self) -> None: ...


BUSY_SECONDS = 0.2
ID_CHARS_MAX = 200
FIELD = "SELECT json_extract(?1, ?2) WHERE json_valid(?1) AND json_type(?1, ?2) = 'text'"
SESSION = "SELECT mode, turn_ordinal FROM sessions WHERE session_id = ?"
CHECKS = "SELECT count(*) FROM checks WHERE session_id = ?"
LAST_WORDS = """SELECT sum(decision = 'deny'), sum(verdict = 'failed' AND decision = 'allow') FROM (
    SELECT verdict, decision, max(rowid) FROM checks WHERE session_id = ? AND ordinal = ? GROUP BY target)"""
"""The newest check of each target in the turn: one that was released since is held no more."""
OUTAGE = """SELECT outages.since FROM outages_told JOIN outages ON outages.key = outages_told.key
    WHERE outages_told.session_id = ? AND ended IS NULL AND last > ? ORDER BY outages.since LIMIT 1"""
"""Of the readers that this session met; `breaker.open_outages` tells all of the machine's."""
MISREAD = "hindsight "
"""Before a project's folder: the note of what `hindsight.live` told last."""
WEEK = """SELECT json_extract(value, '$.told') FROM notes JOIN sessions ON notes.key = ?1 || sessions.project_dir
    WHERE session_id = ?2 AND json_valid(value) AND json_extract(value, '$.until') > ?3"""
STALE_SECONDS = 12 * 3600.0
"""As in `breaker`; a test compares."""


class Glance:
    """`held` writes of the running turn wait for the user; `observed` ones would.

    `down_since`: when the readers began to fail, in seconds since the epoch; None where they do not. `week` is what
    `hindsight.live` tells of the project, empty for nothing.
    """

    __slots__ = ("checks", "down_since", "held", "mode", "observed", "week")

    def __init__(
        self,
        mode: str,
        checks: int = 0,
        held: int = 0,
        observed: int = 0,
        down_since: "float | None" = None,
        week: str = "",
    ) -> None:
        self.mode = mode
        self.checks = checks
        self.held = held
        self.observed = observed
        self.down_since = down_since
        self.week = week


def glance(path: str, payload: bytes, now: float) -> "Glance | None":
    """Of the session that the client's JSON names in the database at `path`; None where nothing is known of it.

    None too for a database that is missing, locked, broken or of another version. Nothing is made or changed.
    """
    named = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    try:
        found: _Connection = sqlite.connect(f"file:{named}?mode=ro", timeout=BUSY_SECONDS, uri=True)
    except (sqlite.Error, UnicodeError):
        return None
    try:
        return _read_session_summary(found, payload, now)
    except (sqlite.Error, UnicodeError):
        return None
    finally:
        found.close()


def _read_session_summary(database: "_Connection", payload: bytes, now: float) -> "Glance | None":
    named = database.execute(FIELD, (payload.decode("utf-8"), "$.session_id")).fetchone()
    if named is None or not isinstance(named[0], str):
        return None
    session = named[0]
    if len(session) > ID_CHARS_MAX or session.startswith("sha256:"):
        from evaluator.state.database import bounded_id

        session = bounded_id(session)
    known = database.execute(SESSION, (session,)).fetchone()
    if known is None or not isinstance(known[0], str):
        return None
    checks = database.execute(CHECKS, (session,)).fetchone()
    words = database.execute(LAST_WORDS, (session, known[1])).fetchone()
    out = database.execute(OUTAGE, (session, now - STALE_SECONDS)).fetchone()
    week = database.execute(WEEK, (MISREAD, session, now)).fetchone()
    held, observed = words or (0, 0)
    since = out[0] if out else None
    return Glance(
        known[0],
        _count_or_zero(checks[0] if checks else 0),
        _count_or_zero(held),
        _count_or_zero(observed),
        since if isinstance(since, float) else None,
        week[0] if week and isinstance(week[0], str) else "",
    )


def _count_or_zero(value: object) -> int:
    return value if isinstance(value, int) else 0
