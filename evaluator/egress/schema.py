"""The shape of a reader's answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from evaluator.model import ACTIONS, CONCERNS, EXTENTS, Look

ANSWER_TOKENS = 400
"""Output tokens that an answer to SCHEMA needs: some 150 in English, more in other scripts and tokenizers."""
FIRST_ANSWER_TOKENS = 60
"""The same for FIRST_SCHEMA: some 20."""

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reading", "rival", "rationale", "fits", "primary_concern", "score"],
    "properties": {
        "reading": {
            "type": "object",
            "additionalProperties": False,
            "required": ["action", "target", "extent"],
            "properties": {
                "action": {"type": "string", "enum": list(ACTIONS)},
                "target": {"type": "string"},
                "extent": {"type": "string", "enum": list(EXTENTS)},
            },
        },
        "rival": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "rationale": {"type": "string"},
        "fits": {"type": "boolean"},
        "primary_concern": {"type": "string", "enum": list(CONCERNS)},
        "score": {"type": "number"},
    },
}
"""The answer of the second look, in the part of JSON Schema that structured outputs take: no bounds, all keys
required. What is reasoned comes before the score."""

_PROPERTIES = cast(Mapping[str, object], SCHEMA["properties"])
BLIND_SCHEMA: Mapping[str, object] = {
    **SCHEMA,
    "required": [name for name in cast(list[str], SCHEMA["required"]) if name != "fits"],
    "properties": {name: shape for name, shape in _PROPERTIES.items() if name != "fits"},
}
"""The answer of a reader that is not shown the write: nothing that could fit."""

FIRST_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "primary_concern"],
    "properties": {"score": _PROPERTIES["score"], "primary_concern": _PROPERTIES["primary_concern"]},
}
"""The answer of the first look: the score at once."""


def schema_of(look: Look, *, blind: bool = False) -> Mapping[str, object]:
    if look == "first":
        return FIRST_SCHEMA
    return BLIND_SCHEMA if blind else SCHEMA


def answer_tokens(look: Look) -> int:
    """Output tokens that an answer of that look needs."""
    return FIRST_ANSWER_TOKENS if look == "first" else ANSWER_TOKENS


def look_of(schema: Mapping[str, object]) -> tuple[Look, bool]:
    """Whose answer `schema` is, and whether that reader is blind."""
    names = cast("Mapping[str, object]", schema["properties"])
    return ("second" if "reading" in names else "first"), "reading" in names and "fits" not in names
