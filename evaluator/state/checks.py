"""What is kept of checks and of their turns: the private record, checks in flight, which parallel calls share; what a
turn has used up, wrote and may go on writing, and what cooled down in it. SQL in a transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from evaluator.model import SEVERITY, Check, Effect, OperationClass
from evaluator.ports import LandedCheck, TurnKey, Written
from evaluator.record import decoded, replace, values_of
from evaluator.state.database import Stored, bounded_id, loaded, stored, stored_id, texts, value_of
from evaluator.state.sessions import touch
from evaluator.trigger.calls import Cooldown, directory_and_stem

if TYPE_CHECKING:
    from sqlite3 import Connection

AHEAD_SECONDS = 2.0
"""How far another's moment may lie ahead and not be of the future: each reads the clock, then waits to write."""


_INSERT = """INSERT INTO checks (check_id, at, session_id, agent_id, ordinal, verdict, reason,
    decision, tool_name, target, record, project_dir, duration_ms, cost_usd)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (check_id) DO NOTHING"""


def row_of(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> tuple[object, ...]:
    """The columns of a check, in the order of `save_check`; made before the transaction, which stays short."""
    targets = () if check.effects is None else check.effects.targets
    costs = [sample.cost_usd for sample in check.samples if sample.cost_usd is not None]
    return (
        stored_id(check.check_id),
        check.at,
        stored_id(check.pending.session_id),
        None if turn is None else stored_id(turn.agent_id),
        None if turn is None else turn.ordinal,
        check.verdict,
        check.reason,
        check.decision,
        stored_id(check.pending.tool_name),
        stored(targets[0]) if targets else None,
        text_of_record(check, turn, store_evidence=store_evidence),
        stored(check.pending.project_dir),
        check.duration_ms,
        # None where nobody was paid, or no price is known.
        sum(costs) if costs else None,
    )


def save_check(db: Connection, session_id: str, at: float, row: tuple[object, ...]) -> None:
    """Keeps a check's row. One that was saved before is replaced, and is then the newest."""
    touch(db, session_id, at)
    if not db.execute(_INSERT, row).rowcount:
        db.execute("DELETE FROM checks WHERE check_id = ?", row[:1])
        db.execute(_INSERT, row)


def check(db: Connection, check_id: str | None) -> Mapping[str, object] | None:
    """The record (`text_of_record`) with that id; None gives the one saved last: the clock may have jumped between."""
    if check_id is None:
        row = db.execute("SELECT record FROM checks ORDER BY rowid DESC LIMIT 1").fetchone()
    else:
        row = db.execute("SELECT record FROM checks WHERE check_id = ?", (stored_id(check_id),)).fetchone()
    if row is None:
        return None
    import json

    return cast(dict[str, object], json.loads(row[0]))


def enter_flight(
    db: Connection, session_id: str, identity: str, token: str, since: float, now: float, seconds: float
) -> bool:
    """Whether the caller, as `token`, checks this evidence; else another one does, or landed since `since`.

    A flight whose owner did not land within its `seconds` is taken over; so is one of the future, which a
    clock that jumped back leaves behind.
    """
    key = (stored_id(session_id), identity)
    query = "SELECT started_at, until, outcome FROM flights WHERE session_id = ? AND identity = ?"
    row = db.execute(query, key).fetchone()
    if row is not None:
        started, until, outcome = row
        latest = now + AHEAD_SECONDS
        under_way = outcome is None and started <= latest and now < until
        # Of a flight that has landed, `until` is the moment: it ran beside the caller if that is not before its start.
        if under_way or (outcome is not None and since <= until <= latest):
            return False
    db.execute(
        """INSERT OR REPLACE INTO flights (session_id, identity, token, started_at, until, outcome)
        VALUES (?, ?, ?, ?, ?, NULL)""",
        (*key, token, now, now + seconds),
    )
    return True


def outcome_of(check: Check) -> str:
    """The end of a check as JSON; made before the transaction."""
    import json

    return json.dumps({name: getattr(check, name) for name in LandedCheck.__match_args__}, default=values_of)


def land_flight(db: Connection, session_id: str, identity: str, token: str, now: float, outcome: str) -> None:
    """Tell those who wait. Nothing if the flight was taken over."""
    db.execute(
        "UPDATE flights SET outcome = ?, until = ? WHERE session_id = ? AND identity = ? AND token = ?",
        (stored(outcome), now, stored_id(session_id), identity, token),
    )


def leave_flight(db: Connection, session_id: str, identity: str, token: str) -> None:
    """Ends the flight of a check that broke: nobody has to wait for it."""
    query = "DELETE FROM flights WHERE session_id = ? AND identity = ? AND token = ?"
    db.execute(query, (stored_id(session_id), identity, token))


def flight(db: Connection, session_id: str, identity: str) -> LandedCheck | None:
    """How the check of this evidence ended; None while it is under way, and where there is none."""
    query = "SELECT outcome FROM flights WHERE session_id = ? AND identity = ?"
    outcome: object = value_of(db, query, (stored_id(session_id), identity), None)
    if outcome is None:
        return None
    import json

    return decoded(LandedCheck, json.loads(loaded(outcome)))


RECORD_TEXT_CHARS_MAX = 20_000
STORED_AS = {"effects": "effect"}
"""Fields of a check whose stored name is another, which older records have."""


def text_of_record(check: Check, turn: TurnKey | None, *, store_evidence: bool) -> str:
    """A check as JSON, under the field names of `model.Check`, with `turn` beside them.

    Without `store_evidence` exchange and evidence are null and the command is empty; the resolved option
    stays. The tool's own input is never kept: it holds file contents. Texts are cut, with a mark, at
    `RECORD_TEXT_CHARS_MAX` characters and ids are bounded.
    """
    import json

    kept = {STORED_AS.get(name, name): value for name, value in values_of(check).items()}
    del kept["shown"]
    pending = values_of(check.pending)
    del pending["tool_input"], pending["said"]
    for name in ("session_id", "prompt_id", "tool_use_id", "agent_id"):
        value: str | None = getattr(check.pending, name)
        pending[name] = None if value is None else bounded_id(value)
    kept["pending"] = pending
    kept["turn"] = turn and {
        "session_id": bounded_id(turn.session_id),
        "agent_id": bounded_id(turn.agent_id),
        "ordinal": turn.ordinal,
    }
    if not store_evidence:
        kept["exchange"] = kept["evidence"] = None
        if check.effects is not None:
            kept["effect"] = replace(check.effects, command="")
    text = json.dumps(kept, default=values_of)
    # No text in it is over the bound where all of it is not.
    return text if len(text) <= RECORD_TEXT_CHARS_MAX else json.dumps(_truncate_check_value(json.loads(text)))


def _truncate_check_value(value: object) -> object:
    if isinstance(value, str):
        left_out = len(value) - RECORD_TEXT_CHARS_MAX
        return value if left_out <= 0 else f"{value[:RECORD_TEXT_CHARS_MAX]} [cut: {left_out} characters]"
    if isinstance(value, list):
        return [_truncate_check_value(item) for item in cast(list[object], value)]
    if isinstance(value, dict):
        return {name: _truncate_check_value(held) for name, held in cast(dict[str, object], value).items()}
    return value


WRITES_MAX = 200
THIS_TURN = "session_id = ? AND agent_id = ? AND ordinal = ?"


def checks_taken(db: Connection, turn: TurnKey) -> int:
    """How many paid checks the turn has counted."""
    query = f"SELECT checks_taken + destructive_taken FROM turns WHERE {THIS_TURN}"  # noqa: S608
    return value_of(db, query, _key(turn), 0)


def take_check(db: Connection, turn: TurnKey, limit: int, *, act: bool = False) -> bool:
    """Count one paid check of the turn, unless `limit` were already taken; of an `act` of its own, unless as many
    were of such."""
    column = _checks_taken_column(act=act)
    touch(db, turn.session_id)
    insert = "INSERT OR IGNORE INTO turns (session_id, agent_id, ordinal, checks_taken) VALUES (?, ?, ?, 0)"
    db.execute(insert, _key(turn))
    update = f"UPDATE turns SET {column} = {column} + 1 WHERE {THIS_TURN} AND {column} < ?"  # noqa: S608
    return bool(db.execute(update, (*_key(turn), limit)).rowcount)


def give_back_check(db: Connection, turn: TurnKey, *, act: bool = False) -> None:
    """Takes a check off the turn's count that was counted and could not be made."""
    column = _checks_taken_column(act=act)
    update = f"UPDATE turns SET {column} = {column} - 1 WHERE {THIS_TURN} AND {column} > 0"  # noqa: S608
    db.execute(update, _key(turn))


def note_call(
    db: Connection,
    tool_use_id: str,
    turn: TurnKey,
    each: Sequence[Effect],
    judged: Sequence[Effect],
    now: float,
) -> None:
    """Remember that this call was let through, until its result is known; `judged` are those that were."""
    import json

    touch(db, turn.session_id, now)
    kept = [
        [one.target, one.operation == "create", one.operation_class if one in judged else "", one.act]
        for one in each
        if one.target or one.act
    ]
    db.execute(
        "INSERT OR REPLACE INTO judged (tool_use_id, session_id, ordinal, targets, at) VALUES (?, ?, ?, ?, ?)",
        (stored_id(tool_use_id), stored_id(turn.session_id), turn.ordinal, json.dumps(kept), now),
    )


def settle(db: Connection, tool_use_id: str, now: float, *, succeeded: bool) -> None:
    """The call ended. One that succeeded is written; if it was judged, its cooldown starts. An id that was never
    judged, or is settled, changes nothing."""
    import json

    key = (stored_id(tool_use_id),)
    row = db.execute("SELECT session_id, ordinal, targets FROM judged WHERE tool_use_id = ?", key).fetchone()
    if row is None:
        return
    db.execute("DELETE FROM judged WHERE tool_use_id = ?", key)
    if not succeeded:
        return
    session, ordinal, kept = row
    for target, created, kind, act in json.loads(kept):
        if act:
            insert = "INSERT OR IGNORE INTO acts (session_id, act, ordinal) VALUES (?, ?, ?)"
            db.execute(insert, (session, stored(act), ordinal))
        if not target:
            continue
        db.execute(
            """INSERT INTO writes (session_id, ordinal, target, created, at, judged) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (session_id, ordinal, target)
            DO UPDATE SET at = excluded.at, judged = excluded.judged, created = max(created, excluded.created)""",
            (session, ordinal, stored(target), int(created), now, int(bool(kind))),
        )
        if kind:
            directory, stem = directory_and_stem(target)
            db.execute(
                """INSERT OR REPLACE INTO cooldowns (session_id, ordinal, directory, stem, operation_class, at)
                VALUES (?, ?, ?, ?, ?, ?)""",
                (session, ordinal, stored(directory), stored(stem), kind, now),
            )


def cooldowns(db: Connection, turn: TurnKey, since: float) -> tuple[Cooldown, ...]:
    """The cooldowns of the turn's session and ordinal, of all its agents, oldest first."""
    rows = db.execute(
        """SELECT directory, stem, operation_class, at FROM cooldowns
        WHERE session_id = ? AND ordinal = ? AND at >= ? ORDER BY at, directory, stem""",
        (stored_id(turn.session_id), turn.ordinal, since),
    )
    return tuple(Cooldown(*texts(row)) for row in rows)


def written(db: Connection, turn: TurnKey) -> tuple[Written, ...]:
    """What the turn wrote, all its agents together, oldest first, at most `WRITES_MAX`."""
    rows = db.execute(
        """SELECT target, created, judged FROM writes WHERE session_id = ? AND ordinal = ?
        ORDER BY at, target LIMIT ?""",
        (stored_id(turn.session_id), turn.ordinal, WRITES_MAX),
    )
    return tuple(Written(loaded(target), bool(created), bool(judged)) for target, created, judged in rows)


def made(db: Connection, session_id: str, targets: Sequence[str]) -> frozenset[str]:
    """Which of the target paths some turn of the session created."""
    kept = dict.fromkeys(map(stored, targets[:WRITES_MAX]))
    marks = ", ".join("?" * len(kept))
    rows = db.execute(
        f"SELECT target FROM writes WHERE session_id = ? AND created = 1 AND target IN ({marks})",  # noqa: S608
        (stored_id(session_id), *kept),
    )
    return frozenset(loaded(target) for (target,) in rows)


def ran_before(db: Connection, turn: TurnKey, acts: Collection[str]) -> bool:
    """Whether acts of each of these kinds ran in earlier turns of the session."""
    query, session = "SELECT 1 FROM acts WHERE session_id = ? AND act = ? AND ordinal < ?", turn.session_id
    return all(value_of(db, query, (stored_id(session), stored(act), turn.ordinal), 0) for act in acts)


def note_judged(db: Connection, turn: TurnKey, targets: Sequence[str]) -> None:
    """What the turn wrote there was judged since."""
    update = "UPDATE writes SET judged = 1 WHERE session_id = ? AND ordinal = ? AND target = ?"
    for target in targets:
        db.execute(update, (stored_id(turn.session_id), turn.ordinal, stored(target)))


def open_coverage(
    db: Connection, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass, calls: int
) -> None:
    """A check passed: that many further calls of the class or milder in these folders are covered."""
    for directory in dict.fromkeys(directories):
        db.execute(
            """INSERT OR REPLACE INTO coverage (session_id, agent_id, ordinal, directory, severity, calls)
            VALUES (?, ?, ?, ?, ?, ?)""",
            (*_key(turn), stored(directory), SEVERITY[operation_class], calls),
        )


def use_coverage(
    db: Connection, turn: TurnKey, directories: Sequence[str], operation_class: OperationClass
) -> bool:
    """Whether all these folders are covered for that class; each then has one call less."""
    found: list[tuple[Stored, int]] = []
    for directory in map(stored, dict.fromkeys(directories)):
        severity = value_of(
            db,
            f"""SELECT severity FROM coverage WHERE {THIS_TURN}
            AND directory = ? AND severity >= ? AND calls > 0 ORDER BY severity LIMIT 1""",  # noqa: S608
            (*_key(turn), directory, SEVERITY[operation_class]),
            -1,
        )
        if severity < 0:
            return False
        found.append((directory, severity))
    for one in found:
        db.execute(
            f"UPDATE coverage SET calls = calls - 1 WHERE {THIS_TURN} AND directory = ? AND severity = ?",  # noqa: S608
            (*_key(turn), *one),
        )
    return bool(found)


def _checks_taken_column(*, act: bool) -> str:
    """Of acts of their own: named when only destructive calls had a reserve."""
    return "destructive_taken" if act else "checks_taken"


def _key(turn: TurnKey) -> tuple[Stored, Stored, int]:
    return stored_id(turn.session_id), stored_id(turn.agent_id), turn.ordinal
