"""What is kept of a session: its prompts and agents, what it holds back, what it is owed. SQL in a transaction."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.model import KeptPrompt
from evaluator.record import decoded, values_of
from evaluator.state.database import loaded, stored, stored_id, texts, value_of

if TYPE_CHECKING:
    from sqlite3 import Connection

    from evaluator.intervention.records import Intervention, Owed
    from evaluator.precedents import Precedent

T = TypeVar("T")

UNKNOWN_TIME = 0.0
"""The heartbeat of a session that was only ever named without a time."""
PROMPT_CHARS_MAX = 1_000_000
OWED_MAX = 10
"""Of one session; past it the oldest goes."""


def touch(db: Connection, session_id: str, now: float = UNKNOWN_TIME) -> None:
    """Make sure that the session has a row: a host may have started it before Compass was there."""
    db.execute(
        """INSERT INTO sessions (session_id, heartbeat) VALUES (?, ?)
        ON CONFLICT (session_id) DO UPDATE SET heartbeat = max(heartbeat, excluded.heartbeat)""",
        (stored_id(session_id), now),
    )


def start_session(db: Connection, session_id: str, project_dir: str, now: float) -> None:
    """Begins a session's row, or resumes it: prompts, ordinals and sequence of the session go on."""
    db.execute(
        """INSERT INTO sessions (session_id, project_dir, started_at, heartbeat) VALUES (?, ?, ?, ?)
        ON CONFLICT (session_id) DO UPDATE SET project_dir = excluded.project_dir, ended_at = NULL,
            started_at = coalesce(started_at, excluded.started_at), heartbeat = excluded.heartbeat""",
        (stored_id(session_id), stored(project_dir), now, now),
    )


def note_mode(db: Connection, session_id: str, mode: str, now: float) -> None:
    """What the gate does in this session, for those who look from outside."""
    _update_session_row(db, session_id, "mode = ?", mode, now=now)


def set_backend(db: Connection, session_id: str, backend: str) -> None:
    """Notes who reads in this session."""
    _update_session_row(db, session_id, "backend = ?", backend)


def backend_of(db: Connection, session_id: str) -> str:
    """Who reads in a session, as it was last set; empty where it was not."""
    return value_of(db, "SELECT backend FROM sessions WHERE session_id = ?", (stored_id(session_id),), "")


def end_session(db: Connection, session_id: str, now: float) -> None:
    _update_session_row(db, session_id, "ended_at = ?", now, now=now)


def attend(db: Connection, session_id: str) -> None:
    """Notes that a person is, or was, at this session's client."""
    _update_session_row(db, session_id, "attended = 1")


def was_attended(db: Connection, session_id: str) -> bool:
    query = "SELECT attended FROM sessions WHERE session_id = ?"
    return bool(value_of(db, query, (stored_id(session_id),), 0))


def ordinal_of(db: Connection, session_id: str) -> int:
    """The ordinal of the running turn; 0 before the first prompt that opens one."""
    return value_of(db, "SELECT turn_ordinal FROM sessions WHERE session_id = ?", (stored_id(session_id),), 0)


def add_prompt(
    db: Connection, session_id: str, prompt_id: str | None, text: str, now: float, *, opens_turn: bool
) -> int:
    """Append to the session's ordered list; returns the ordinal of the turn that it belongs to."""
    session, changes = stored_id(session_id), "ended_at = NULL, turn_ordinal = turn_ordinal + ?"
    _update_session_row(db, session_id, changes, int(opens_turn), now=now)
    ordinal = ordinal_of(db, session_id)
    db.execute(
        """INSERT INTO prompts (session_id, position, prompt_id, text, ordinal, at) VALUES (?,
            (SELECT coalesce(max(position) + 1, 0) FROM prompts WHERE session_id = ?), ?, ?, ?, ?)""",
        (session, session, prompt_id and stored_id(prompt_id), stored(text[:PROMPT_CHARS_MAX]), ordinal, now),
    )
    return ordinal


def prompts(db: Connection, session_id: str) -> tuple[KeptPrompt, ...]:
    """A session's kept prompts, in the order they were submitted."""
    columns = "prompt_id, text, ordinal, position, at"
    query = f"SELECT {columns} FROM prompts WHERE session_id = ? ORDER BY position"  # noqa: S608
    return tuple(KeptPrompt(*texts(row)) for row in db.execute(query, (stored_id(session_id),)))


def agent_ordinal(db: Connection, session_id: str, agent_id: str) -> int | None:
    """The turn in which the subagent first acted; None if it did not yet."""
    query = "SELECT ordinal FROM agents WHERE session_id = ? AND agent_id = ?"
    found: int | None = value_of(db, query, (stored_id(session_id), stored_id(agent_id)), None)
    return found


def bind_agent(db: Connection, session_id: str, agent_id: str) -> int:
    """Bind the subagent to the running turn, unless another process was first."""
    touch(db, session_id)
    bound = agent_ordinal(db, session_id, agent_id)
    if bound is not None:
        return bound
    ordinal = ordinal_of(db, session_id)
    db.execute(
        "INSERT INTO agents (session_id, agent_id, ordinal) VALUES (?, ?, ?)",
        (stored_id(session_id), stored_id(agent_id), ordinal),
    )
    return ordinal


def next_sequence(db: Connection, session_id: str) -> int:
    """0, 1, 2, ... within a session."""
    session = (stored_id(session_id),)
    advance = "UPDATE sessions SET sequence = sequence + 1 WHERE session_id = ?"
    if not db.execute(advance, session).rowcount:
        touch(db, session_id)
        db.execute(advance, session)
    return value_of(db, "SELECT sequence FROM sessions WHERE session_id = ?", session, 1) - 1


def recall_exchange(db: Connection, session_id: str, agent_id: str) -> str | None:
    """What `remember_exchange` last kept of that session's transcript."""
    query = "SELECT data FROM exchanges WHERE session_id = ? AND agent_id = ?"
    data: object = value_of(db, query, (stored_id(session_id), stored_id(agent_id)), None)
    return None if data is None else loaded(data)


def remember_exchange(db: Connection, session_id: str, agent_id: str, data: str) -> None:
    """Keeps an agent's exchange until the session is swept."""
    insert = "INSERT OR REPLACE INTO exchanges (session_id, agent_id, data) VALUES (?, ?, ?)"
    db.execute(insert, (stored_id(session_id), stored_id(agent_id), stored(data)))


def owe(db: Connection, session_id: str, owed: Owed) -> None:
    """Keeps what a session's person is to be told until `take_owed`."""
    key = stored_id(session_id)
    db.execute(
        "INSERT INTO owed (session_id, person, agent, held) VALUES (?, ?, ?, ?)",
        (key, stored(owed.person), stored(owed.agent), int(owed.held)),
    )
    db.execute(
        """DELETE FROM owed WHERE session_id = ? AND id NOT IN
        (SELECT id FROM owed WHERE session_id = ? ORDER BY id DESC LIMIT ?)""",
        (key, key, OWED_MAX),
    )


def owes(db: Connection, session_id: str) -> bool:
    """Whether the person has not yet been told of a subagent's call."""
    return bool(value_of(db, "SELECT 1 FROM owed WHERE session_id = ? LIMIT 1", (stored_id(session_id),), 0))


def take_owed(db: Connection, session_id: str) -> tuple[Owed, ...]:
    """All that the session is owed, oldest first; each is given once."""
    from evaluator.intervention.records import Owed

    key = (stored_id(session_id),)
    rows = db.execute("SELECT person, agent, held FROM owed WHERE session_id = ? ORDER BY id", key).fetchall()
    db.execute("DELETE FROM owed WHERE session_id = ?", key)
    return tuple(Owed(loaded(person), loaded(agent), bool(held)) for person, agent, held in rows)


def intervention(db: Connection, session_id: str) -> Intervention | None:
    query = "SELECT data FROM interventions WHERE session_id = ?"
    text = value_of(db, query, (stored_id(session_id),), "")
    return decode(text) if text else None


def change_intervention(
    db: Connection, session_id: str, change: Callable[[Intervention | None], tuple[Intervention | None, T]]
) -> T:
    """Read, change and write; `change` gives what is kept from now on and what is returned."""
    before = intervention(db, session_id)
    after, answer = change(before)
    if after is None and before is not None:
        db.execute("DELETE FROM interventions WHERE session_id = ?", (stored_id(session_id),))
    elif after is not None and after != before:
        insert = "INSERT OR REPLACE INTO interventions (session_id, opened_at, data) VALUES (?, ?, ?)"
        db.execute(insert, (stored_id(session_id), after.opened_at, encode(after)))
    return answer


def encode(found: Intervention) -> str:
    """ASCII, so that lone surrogates survive."""
    import json

    return json.dumps(found, default=values_of)


def decode(text: str) -> Intervention | None:
    """An intervention from its row; None for one of another version, unreadable here: the request is asked anew."""
    import json

    from evaluator.intervention.records import Intervention

    try:
        data = json.loads(text)
        # As 0.1.0 kept it: one reading or an empty text was chosen, all that was held was cancelled, a call had one
        # class for all its targets and was released as a whole.
        data.setdefault("chosen", [one] if (one := data.get("chosen_reading")) else [])
        data.setdefault("cancelled_at", sys.maxsize)
        for denial in data["denials"]:
            call = denial["call"]
            kind = {name: call[name] for name in ("operation", "operation_class")}
            call.setdefault("each", [{**kind, "target": target} for target in call["targets"]])
            if isinstance(denial["released"], bool):
                denial["released"] = call["each"] if denial["released"] else []
        return decoded(Intervention, data)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _update_session_row(
    db: Connection, session_id: str, changes: str, *given: object, now: float = UNKNOWN_TIME
) -> None:
    touch(db, session_id, now)
    db.execute(f"UPDATE sessions SET {changes} WHERE session_id = ?", (*given, stored_id(session_id)))  # noqa: S608


PRECEDENTS_MAX = 5_000
"""Of one project; past it the oldest goes."""
COLUMNS = (
    "precedent_id", "project", "checkout", "session_id", "check_id", "at", "source", "term", "said",
    "action", "target", "extent", "tightens",
)  # fmt: skip
LISTED = ", ".join(COLUMNS)
IDS = frozenset(("precedent_id", "session_id", "check_id"))
SOURCE = COLUMNS.index("source")
NEWEST_FIRST = "ORDER BY at DESC, precedent_id DESC"


def has_precedents(db: Connection, project: str) -> bool:
    """Whether there is any, at the cost of one look into an index."""
    return bool(value_of(db, "SELECT 1 FROM precedents WHERE project = ? LIMIT 1", (stored(project),), 0))


def keep_precedent(db: Connection, found: Precedent) -> None:
    """One with that id is replaced."""
    from evaluator.precedents import found_under

    forget_precedents(db, (found.precedent_id,))
    row = [(name, getattr(found, name)) for name in COLUMNS]
    kept = [
        value if not isinstance(value, str) else stored_id(value) if name in IDS else stored(value)
        for name, value in row
    ]
    marks = ", ".join("?" * len(kept))
    db.execute(f"INSERT INTO precedents ({LISTED}) VALUES ({marks})", kept)  # noqa: S608
    project, precedent_id = stored(found.project), stored_id(found.precedent_id)
    db.executemany(
        "INSERT INTO precedent_words (project, word, precedent_id) VALUES (?, ?, ?)",
        [(project, stored(word), precedent_id) for word in sorted(found_under(found))],
    )
    past = db.execute(
        f"SELECT precedent_id FROM precedents WHERE project = ? {NEWEST_FIRST} LIMIT -1 OFFSET ?",  # noqa: S608
        (project, PRECEDENTS_MAX),
    ).fetchall()
    forget_precedents(db, [loaded(one) for (one,) in past])


def precedents_of(
    db: Connection, project: str, words: Collection[str], since: float, limit: int
) -> tuple[Precedent, ...]:
    """The precedents found by one of `words` (`looked_for`) and not older than `since`: newest first, `limit`."""
    if not words:
        return ()
    marks = ", ".join("?" * len(words))
    rows = db.execute(
        f"""SELECT {LISTED} FROM precedents WHERE precedent_id IN (
            SELECT precedent_id FROM precedent_words WHERE project = ? AND word IN ({marks})
        ) AND at >= ? {NEWEST_FIRST} LIMIT ?""",  # noqa: S608
        (stored(project), *map(stored, words), since, limit),
    )
    return _precedents_from_state(rows)


def precedent(db: Connection, precedent_id: str) -> Precedent | None:
    query = f"SELECT {LISTED} FROM precedents WHERE precedent_id = ?"  # noqa: S608
    return next(iter(_precedents_from_state(db.execute(query, (stored_id(precedent_id),)))), None)


def all_precedents(db: Connection, project: str | None) -> tuple[Precedent, ...]:
    """The precedents of the project, of every project for None: newest first."""
    where, given = ("TRUE", ()) if project is None else ("project = ?", (stored(project),))
    found = db.execute(f"SELECT {LISTED} FROM precedents WHERE {where} {NEWEST_FIRST}", given)  # noqa: S608
    return _precedents_from_state(found)


def forget_precedents(db: Connection, ids: Collection[str]) -> int:
    """Delete them and the words they are found by; returns how many there were."""
    keys = [(stored_id(one),) for one in ids]
    db.executemany("DELETE FROM precedent_words WHERE precedent_id = ?", keys)
    return sum(db.execute("DELETE FROM precedents WHERE precedent_id = ?", key).rowcount for key in keys)


def sweep_precedents(db: Connection, project: str, before: float) -> None:
    """Delete those of the project that are older, in seconds since the epoch."""
    query = "SELECT precedent_id FROM precedents WHERE project = ? AND at < ?"
    old = db.execute(query, (stored(project), before)).fetchall()
    forget_precedents(db, [loaded(one) for (one,) in old])


def _precedents_from_state(rows: Iterable[Any]) -> tuple[Precedent, ...]:
    """Without those of a source that this version does not know."""
    from evaluator.precedents import SOURCES, Precedent

    kept: list[list[Any]] = [[*texts(row[:-1]), bool(row[-1])] for row in rows if row[SOURCE] in SOURCES]
    return tuple(Precedent(*row) for row in kept)
