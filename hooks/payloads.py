"""A hook's payload as the JSON object that it is on most hosts, and what it must hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from evaluator.effects import text_of
from evaluator.errors import PayloadError


def json_object(raw: bytes) -> dict[str, object]:
    """Raises PayloadError for anything that is not a JSON object. A byte order mark is no fault."""
    if not raw.strip():
        raise PayloadError("the payload is empty or larger than the bound")
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError) as error:
        raise PayloadError(f"the payload is not JSON: {str(error)[:100]}") from None
    if not isinstance(found, dict):
        raise PayloadError("the payload is not a JSON object")
    return cast(dict[str, object], found)


def renamed(given: Mapping[str, object], fields: Mapping[str, str]) -> dict[str, object]:
    """A call's input with its fields, {the host's name: Compass's}, in Compass's words.

    The host reads its own names alone: a field that the model named in Compass's words beside them counts for nothing.
    """
    others = {name: value for name, value in given.items() if name not in fields}
    return others | {fields[name]: value for name, value in given.items() if name in fields}


def needed(payload: Mapping[str, object], field: str, missing: str) -> str:
    """A text that is there. Raises PayloadError with what `missing` says."""
    found = text_of(payload, field)
    if not found:
        raise PayloadError(missing)
    return found


def needed_call(
    payload: Mapping[str, object],
    session: str = "session_id is missing or not a string",
    named: str = "tool_name is missing or not a string",
    given: str = "tool_input is not an object",
) -> tuple[str, Mapping[str, object]]:
    """The tool and its input, which may be empty. Raises PayloadError with what is said of each that is missing, the
    session's id too."""
    name, held = text_of(payload, "tool_name"), payload.get("tool_input")
    told = [
        "" if name else named,
        "" if isinstance(held, dict) else given,
        "" if text_of(payload, "session_id") else session,
    ]
    if any(told):
        raise PayloadError("; ".join(filter(None, told)))
    return name, cast(Mapping[str, object], held)
