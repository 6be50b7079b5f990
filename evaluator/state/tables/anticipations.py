"""What was read at a session's newest prompt, as SQL inside a transaction of the caller. One row a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar, cast

from evaluator.model import Evidence, Reading, Sample
from evaluator.record import Record, values_of
from evaluator.state.tables.records import stored, stored_id
from evaluator.verdict.anticipation import Anticipation

if TYPE_CHECKING:
    from evaluator.state.tables.connection import Connection

UNDER_WAY, READ, SPENT = "under way", "read", "spent"

R = TypeVar("R", bound=Record)


def begin(
    connection: Connection, session_id: str, position: int, token: str, now: float, seconds: float
) -> bool:
    """Whether the caller, as `token`, reads the prompt at `position`; an earlier prompt's reading ends with it."""
    key = stored_id(session_id)
    row = connection.execute("SELECT position FROM anticipations WHERE session_id = ?", (key,)).fetchone()
    if row is not None and row[0] >= position:
        return False
    connection.execute(
        """INSERT INTO anticipations (session_id, position, token, state, started_at, until, data)
        VALUES (?, ?, ?, ?, ?, ?, NULL)
        ON CONFLICT (session_id) DO UPDATE SET position = excluded.position, token = excluded.token,
            state = excluded.state, started_at = excluded.started_at, until = excluded.until, data = excluded.data""",
        (key, position, token, UNDER_WAY, now, now + seconds),
    )
    return True


def end(connection: Connection, session_id: str, token: str, data: str | None) -> bool:
    """Whether the reading still counts. Without `data` nothing was read."""
    done = connection.execute(
        "UPDATE anticipations SET state = ?, data = ? WHERE session_id = ? AND token = ? AND state = ?",
        (SPENT if data is None else READ, None if data is None else stored(data), stored_id(session_id), token,
         UNDER_WAY),
    )  # fmt: skip
    return done.rowcount == 1


def find(connection: Connection, session_id: str, now: float) -> Anticipation | float | None:
    """What was read and is not spent; the seconds that the reading may still take; None where there is neither."""
    row = connection.execute(
        "SELECT state, started_at, until, data FROM anticipations WHERE session_id = ?",
        (stored_id(session_id),),
    ).fetchone()
    if row is None:
        return None
    state, started, until, data = row
    if state == UNDER_WAY:
        return until - now if started - 1.0 <= now < until else None
    return decode(data) if state == READ and data is not None else None


def spend(connection: Connection, session_id: str) -> bool:
    """Whether a reading, or one under way, was there to be spent: it serves once, and whatever voids it, voids it."""
    done = connection.execute(
        "UPDATE anticipations SET state = ? WHERE session_id = ? AND state != ?",
        (SPENT, stored_id(session_id), SPENT),
    )
    return done.rowcount == 1


def encode(found: Anticipation) -> str:
    """ASCII, so that lone surrogates survive."""
    import json

    evidence = found.evidence
    return json.dumps(
        {
            **values_of(found),
            "samples": [_sample(one) for one in found.samples],
            "evidence": None if evidence is None else values_of(evidence),
        }
    )


def decode(data: object) -> Anticipation | None:
    """None for a row that another version wrote and this one cannot read: the write is then checked as any other."""
    import json

    try:
        row = cast(dict[str, object], json.loads(cast(str, data)))
        samples = cast(list[dict[str, object]], row["samples"])
        evidence = cast("dict[str, object] | None", row["evidence"])
        return Anticipation(
            position=int(cast(int, row["position"])),
            said=str(row["said"]),
            samples=tuple(_sample_of(one) for one in samples),
            backend=str(row["backend"]),
            model=str(row["model"]),
            evidence=None if evidence is None else _built(Evidence, evidence),
            line=str(row["line"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def _sample(sample: Sample) -> dict[str, object]:
    reading = sample.reading
    return {**values_of(sample), "reading": None if reading is None else values_of(reading)}


def _sample_of(row: Mapping[str, object]) -> Sample:
    reading = row.get("reading")
    held = _built(Reading, cast(Mapping[str, object], reading)) if reading is not None else None
    return _built(Sample, {**row, "reading": held})


def _built(kind: type[R], row: Mapping[str, object]) -> R:
    known = kind.__match_args__
    return kind(
        **{name: tuple(cast(list[object], held)) if isinstance(held, list) else held
           for name, held in row.items() if name in known}
    )  # fmt: skip
