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


def needed_object(payload: Mapping[str, object], field: str, missing: str) -> Mapping[str, object]:
    """The same of an object, which may be empty."""
    found = payload.get(field)
    if not isinstance(found, dict):
        raise PayloadError(missing)
    return cast(Mapping[str, object], found)
