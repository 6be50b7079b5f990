"""Interventions as JSON, one row a session. Every function runs inside a transaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from evaluator.held import Call, Denial, Intervention
from evaluator.model import Operation, OperationClass
from evaluator.state.records import stored_id

if TYPE_CHECKING:
    import sqlite3


def load(connection: sqlite3.Connection, session_id: str) -> Intervention | None:
    row = connection.execute(
        "SELECT data FROM interventions WHERE session_id = ?", (stored_id(session_id),)
    ).fetchone()
    return None if row is None else decode(row[0])


def save(connection: sqlite3.Connection, session_id: str, found: Intervention | None) -> None:
    key = stored_id(session_id)
    if found is None:
        connection.execute("DELETE FROM interventions WHERE session_id = ?", (key,))
        return
    connection.execute(
        "INSERT OR REPLACE INTO interventions (session_id, opened_at, data) VALUES (?, ?, ?)",
        (key, found.opened_at, encode(found)),
    )


def encode(found: Intervention) -> str:
    """ASCII, so that lone surrogates survive."""
    import json
    from dataclasses import asdict

    return json.dumps(asdict(found))


def decode(text: str) -> Intervention | None:
    """None for a row that another version wrote and this one cannot read: the request is then asked anew."""
    import json

    try:
        data = cast(dict[str, object], json.loads(text))
        return Intervention(
            opened_at=float(cast(float, data["opened_at"])),
            session_id=str(data["session_id"]),
            request=_texts(data["request"]),
            prior_assistant_turn=str(data["prior_assistant_turn"]),
            denials=tuple(_denial(item) for item in cast(Sequence[Mapping[str, object]], data["denials"])),
            readings=_texts(data["readings"]),
            clarifications=_texts(data["clarifications"]),
            answers=_texts(data["answers"]),
            chosen_reading=str(data["chosen_reading"]),
            released_all=bool(data["released_all"]),
            cancelled=bool(data["cancelled"]),
            touched=bool(data["touched"]),
            replies=int(cast(int, data["replies"])),
            position=int(cast(int, data["position"])),
        )
    except (ValueError, KeyError, TypeError):
        return None


def _denial(data: Mapping[str, object]) -> Denial:
    call = cast(Mapping[str, object], data["call"])
    return Denial(
        call=Call(
            targets=_texts(call["targets"]),
            operation=cast(Operation, call["operation"]),
            operation_class=cast(OperationClass, call["operation_class"]),
            identity=str(call["identity"]),
            tool_use_id=str(call["tool_use_id"]),
        ),
        check_id=str(data["check_id"]),
        binding=bool(data["binding"]),
        told=int(cast(int, data["told"])),
        rechecks=int(cast(int, data["rechecks"])),
        released=bool(data["released"]),
        runs_as=str(data["runs_as"]),
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in cast(Sequence[object], value))
