"""Interventions as JSON, one row a session. Every function runs inside a transaction of the caller."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from evaluator.intervention.held import Denial, HeldCall, Intervention
from evaluator.model import Effect, EffectKind, Operation, OperationClass, Stakes
from evaluator.state.tables.records import stored_id

if TYPE_CHECKING:
    from sqlite3 import Connection


def load(connection: Connection, session_id: str) -> Intervention | None:
    row = connection.execute(
        "SELECT data FROM interventions WHERE session_id = ?", (stored_id(session_id),)
    ).fetchone()
    return None if row is None else decode(row[0])


def save(connection: Connection, session_id: str, found: Intervention | None) -> None:
    key = stored_id(session_id)
    if found is None:
        connection.execute("DELETE FROM interventions WHERE session_id = ?", (key,))
        return
    connection.execute(
        """INSERT INTO interventions (session_id, opened_at, data) VALUES (?, ?, ?)
        ON CONFLICT (session_id) DO UPDATE SET opened_at = excluded.opened_at, data = excluded.data""",
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
            chosen=_chosen(data),
            heard=_texts(data.get("heard", ())),
            declined=bool(data.get("declined", False)),
            released_all=bool(data["released_all"]),
            cancelled=bool(data["cancelled"]),
            # Older programs cancelled all that was held.
            cancelled_at=int(cast(int, data.get("cancelled_at", sys.maxsize))),
            touched=bool(data["touched"]),
            replies=int(cast(int, data["replies"])),
            position=int(cast(int, data["position"])),
            listed_at=int(cast(int, data.get("listed_at", -1))),
            held_at=cast("int | None", data.get("held_at")),
        )
    except (ValueError, KeyError, TypeError):
        return None


def _chosen(data: Mapping[str, object]) -> tuple[str, ...]:
    """0.1.0 kept one reading, or an empty text."""
    earlier = str(data.get("chosen_reading", ""))
    return _texts(data["chosen"]) if "chosen" in data else ((earlier,) if earlier else ())


def _denial(data: Mapping[str, object]) -> Denial:
    call = cast(Mapping[str, object], data["call"])
    each = _each(call["each"]) if "each" in call else _each_of_targets(call)
    # 0.1.0 kept whether the whole call was released.
    released = (
        (each if data["released"] else ()) if isinstance(data["released"], bool) else _each(data["released"])
    )
    return Denial(
        call=HeldCall(
            targets=_texts(call["targets"]),
            operation=cast(Operation, call["operation"]),
            operation_class=cast(OperationClass, call["operation_class"]),
            identity=str(call["identity"]),
            tool_use_id=str(call["tool_use_id"]),
            each=each,
        ),
        check_id=str(data["check_id"]),
        binding=bool(data["binding"]),
        told=int(cast(int, data["told"])),
        rechecks=int(cast(int, data["rechecks"])),
        released=released,
        running=_each(data.get("running")),
        runs_as=str(data["runs_as"]),
        reading=str(data.get("reading", "")),
        after=int(cast(int, data.get("after", -1))),
        unsettled=_each(data.get("unsettled")),
        unsettled_as=str(data.get("unsettled_as", "")),
    )


def _each(value: object) -> tuple[Effect, ...]:
    return tuple(
        Effect(
            operation=cast(Operation, item["operation"]),
            operation_class=cast(OperationClass, item["operation_class"]),
            target=str(item["target"]),
            excusable=bool(item["excusable"]),
            identity=str(item["identity"]),
            kind=cast(EffectKind, item.get("kind", "")),
            stakes=cast(Stakes, item.get("stakes", "reversible")),
        )
        for item in cast(Sequence[Mapping[str, object]], value or ())
    )


def _each_of_targets(call: Mapping[str, object]) -> tuple[Effect, ...]:
    """What 0.1.0 knew of a call's effects: one class for all targets."""
    operation, operation_class = (
        cast(Operation, call["operation"]),
        cast(OperationClass, call["operation_class"]),
    )
    return tuple(Effect(operation, operation_class, target) for target in _texts(call["targets"]))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in cast(Sequence[object], value))
