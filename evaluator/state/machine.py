"""What the machine's sessions share: breakers, outages, tokens, notes, spending; and what goes when. SQL in a
transaction. The rules of breakers are `evaluator.breaker`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from evaluator import breaker as rule
from evaluator.record import replace
from evaluator.state.database import loaded, stored, stored_id, texts, value_of
from evaluator.state.sessions import UNKNOWN_TIME, touch
from evaluator.text import DAY_SECONDS, rfc3339

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

ENDED_SECONDS = DAY_SECONDS
"""How long the prompts of an ended session wait for a resume; its ordinals live for the retention."""
PENDING_SECONDS = DAY_SECONDS
"""How long a judged call may take, and the longest that `cooldown.seconds` can be."""
OF_SESSIONS = (
    "prompts", "agents", "turns", "judged", "cooldowns", "writes", "acts", "coverage", "interventions", "owed",
    "exchanges", "outages_told",
)  # fmt: skip
"""The tables whose rows go with their session."""


def breaker(db: Connection, key: str) -> rule.BreakerState:
    """The breaker as it was left: time alone changes nothing before somebody asks."""
    query = "SELECT state, failures, token, since FROM breakers WHERE key = ?"
    row = db.execute(query, (stored_id(key),)).fetchone()
    return rule.Closed() if row is None else rule.breaker_state(*row)


def breakers(db: Connection) -> dict[str, rule.BreakerState]:
    """Every breaker by its key, without those that are closed and have no failures."""
    rows = db.execute("SELECT key, state, failures, token, since FROM breakers ORDER BY key")
    return {loaded(key): rule.breaker_state(*rest) for key, *rest in rows}


def admit(db: Connection, key: str, rules: rule.BreakerRules, now: float, token: str) -> rule.Admission:
    """May an evaluation ask the readers behind the breaker `key`? One probe at a time while half-open."""
    before = breaker(db, key)
    after, admission = rule.ask_breaker(before, token, now, rules)
    _write_breaker_state(db, key, before, after, now)
    return admission


def report(
    db: Connection,
    key: str,
    rules: rule.BreakerRules,
    now: float,
    outcome: rule.EvaluationOutcome,
    token: str | None,
) -> None:
    """How an evaluation ended, with the token of its admission."""
    before = breaker(db, key)
    _write_breaker_state(db, key, before, rule.report_outcome(before, outcome, token, now, rules), now)


def _write_breaker_state(
    db: Connection, key: str, before: rule.BreakerState, after: rule.BreakerState, now: float
) -> None:
    if after == before:
        return
    if after == rule.Closed():
        db.execute("DELETE FROM breakers WHERE key = ?", (stored_id(key),))
        return
    db.execute(
        "INSERT OR REPLACE INTO breakers (key, state, failures, token, since, at) VALUES (?, ?, ?, ?, ?, ?)",
        (stored_id(key), *rule.breaker_row(after), now),
    )


OUTAGE = "key, since, last, cause, ended"


def outages(db: Connection) -> tuple[rule.Outage, ...]:
    """The newest outage of each line, oldest first, ended ones too until they are swept."""
    rows = db.execute(f"SELECT {OUTAGE} FROM outages ORDER BY since, key")  # noqa: S608
    return tuple(rule.Outage(*texts(row)) for row in rows)


def meet_outage(
    db: Connection, session_id: str, key: str, now: float, cause: str | None
) -> tuple[rule.Outage, bool]:
    """The outage of the line `key` that a call met, begun by it or not, and whether its session is to be told.

    True once for each session and outage. `cause` is the kind of fault of an evaluation that failed, None for a
    call that found the readers shut off.
    """
    found = _read_machine_outage(db, key)
    if found is None or found.ended is not None or now - found.last >= rule.STALE_SECONDS:
        found = rule.Outage(key, since=now, last=now)
    if cause is not None:
        found = replace(found, last=now, cause=cause)
    _write_machine_outage(db, found)
    first = _outage_told_since(db, session_id, key) != found.since
    if first:
        touch(db, session_id, now)
        insert = "INSERT OR REPLACE INTO outages_told (session_id, key, since) VALUES (?, ?, ?)"
        db.execute(insert, (stored_id(session_id), stored_id(key), found.since))
    return found, first


def is_out(db: Connection, session_id: str, key: str) -> bool:
    """Whether `end_outage` would change anything."""
    found = _read_machine_outage(db, key)
    return (found is not None and found.ended is None) or _outage_told_since(db, session_id, key) is not None


def end_outage(db: Connection, session_id: str, key: str, now: float) -> rule.Outage | None:
    """The readers answered: the outage is over. What the session is to be told of, None if it was told of none."""
    found, told = _read_machine_outage(db, key), _outage_told_since(db, session_id, key)
    if found is not None and found.ended is None:
        found = replace(found, ended=now)
        _write_machine_outage(db, found)
    if told is None:
        return None
    key_of_told = stored_id(session_id), stored_id(key)
    db.execute("DELETE FROM outages_told WHERE session_id = ? AND key = ?", key_of_told)
    return found


def _read_machine_outage(db: Connection, key: str) -> rule.Outage | None:
    row = db.execute(f"SELECT {OUTAGE} FROM outages WHERE key = ?", (stored_id(key),)).fetchone()  # noqa: S608
    return None if row is None else rule.Outage(*texts(row))


def _write_machine_outage(db: Connection, outage: rule.Outage) -> None:
    db.execute(
        f"INSERT OR REPLACE INTO outages ({OUTAGE}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608
        (stored_id(outage.key), outage.since, outage.last, outage.cause, outage.ended),
    )


def _outage_told_since(db: Connection, session_id: str, key: str) -> float | None:
    query = "SELECT since FROM outages_told WHERE session_id = ? AND key = ?"
    found: float | None = value_of(db, query, (stored_id(session_id), stored_id(key)), None)
    return found


def add_token(db: Connection, token: str, expires_at: float) -> str:
    db.execute("INSERT INTO tokens (token, expires_at) VALUES (?, ?)", (token, expires_at))
    return token


def holds_token(db: Connection, token: str, now: float) -> bool:
    query = "SELECT 1 FROM tokens WHERE token = ? AND expires_at > ?"
    return bool(value_of(db, query, (stored_id(token), now), 0))


def revoke_token(db: Connection, token: str) -> None:
    db.execute("DELETE FROM tokens WHERE token = ?", (stored_id(token),))


def get_note(db: Connection, key: str) -> str | None:
    """What `set_note` last kept under the key, for the whole machine."""
    value: object = value_of(db, "SELECT value FROM notes WHERE key = ?", (stored_id(key),), None)
    return None if value is None else loaded(value)


def set_note(db: Connection, key: str, value: str) -> None:
    db.execute("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)", (stored_id(key), stored(value)))


def change_note(db: Connection, key: str, make: Callable[[str | None], tuple[str | None, T]]) -> T:
    """`make` is given the note and gives what is kept from now on, None to leave it, and what is returned."""
    value, found = make(get_note(db, key))
    if value is not None:
        set_note(db, key, value)
    return found


def add_spend(db: Connection, day: str, usd: float, samples: int) -> None:
    """What `samples` answers of hosted readers cost on that day, asked for in vain included."""
    db.execute(
        """INSERT INTO spending (day, usd, samples) VALUES (?, ?, ?)
        ON CONFLICT (day) DO UPDATE SET usd = usd + excluded.usd, samples = samples + excluded.samples""",
        (day, usd, samples),
    )


def spent(db: Connection, day: str) -> float:
    """US dollars that paid readers took on this machine on that day (YYYY-MM-DD, UTC)."""
    return value_of(db, "SELECT usd FROM spending WHERE day = ?", (day,), 0.0)


def samples_of(db: Connection, day: str) -> int:
    """Samples that hosted readers took on this machine on that day."""
    return value_of(db, "SELECT samples FROM spending WHERE day = ?", (day,), 0)


def sweep(db: Connection, now: float, retention_days: int) -> None:
    """Delete checks, breakers, outages and idle sessions past the retention, prompts of ended sessions, what expired.

    A session that was only named without a time counts as alive now.
    """
    oldest, ended = (now - retention_days * DAY_SECONDS,), (now - ENDED_SECONDS,)
    db.execute("DELETE FROM checks WHERE at < ?", oldest)
    db.execute("UPDATE sessions SET heartbeat = ? WHERE heartbeat = ?", (now, UNKNOWN_TIME))
    db.execute("DELETE FROM sessions WHERE heartbeat < ?", oldest)
    for table in OF_SESSIONS:
        db.execute(f"DELETE FROM {table} WHERE session_id NOT IN (SELECT session_id FROM sessions)")  # noqa: S608
    gone = "session_id IN (SELECT session_id FROM sessions WHERE ended_at < ?)"
    for table in ("prompts", "exchanges"):
        db.execute(f"DELETE FROM {table} WHERE {gone}", ended)  # noqa: S608
    for table in ("judged", "cooldowns"):
        bounds = (now - PENDING_SECONDS, now + PENDING_SECONDS)
        db.execute(f"DELETE FROM {table} WHERE at NOT BETWEEN ? AND ?", bounds)  # noqa: S608
    db.execute("DELETE FROM tokens WHERE expires_at <= ?", (now,))
    db.execute("DELETE FROM flights WHERE until < ?", (now - PENDING_SECONDS,))
    db.execute("DELETE FROM spending WHERE day < ?", (rfc3339(*oldest)[:10],))
    db.execute("DELETE FROM breakers WHERE at < ?", oldest)
    db.execute("DELETE FROM outages WHERE last < ?", oldest)
