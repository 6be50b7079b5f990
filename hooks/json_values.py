"""Narrowing of decoded JSON. Nothing that a host says, or a file of it holds, is trusted to have a certain type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

EMPTY: Mapping[str, object] = {}


def is_object(value: object) -> bool:
    """Whether a value is a JSON object; leaves open what it holds, as a type checker sees it."""
    return isinstance(value, dict)


def is_array(value: object) -> bool:
    return isinstance(value, list)


def mapping(value: object) -> Mapping[str, object]:
    """The object itself if it is a JSON object, else an empty one."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else EMPTY


def sequence(value: object) -> Sequence[object]:
    """The array itself if it is a JSON array, else an empty one."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def mappings(value: object) -> list[Mapping[str, object]]:
    """The objects of a JSON array."""
    return [mapping(one) for one in sequence(value) if is_object(one)]


def string(value: object) -> str:
    """The text if it is one, else "". Lone surrogates become U+FFFD: the text has to survive encoding."""
    if not isinstance(value, str):
        return ""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def decode(raw: bytes | str) -> Mapping[str, object] | None:
    """One JSON object, or None for everything else, garbage and hostile nesting included."""
    try:
        value: object = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return mapping(cast(object, value)) if isinstance(value, dict) else None
