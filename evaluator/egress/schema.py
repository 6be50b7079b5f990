"""The shape of a reader's answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from evaluator.model import ACTIONS, CONCERNS, EXTENTS

ANSWER_TOKENS = 400
"""Output tokens that an answer to SCHEMA needs: some 150 in English, more in other scripts and tokenizers."""

SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reading", "rival", "fits", "rationale", "primary_concern", "score"],
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
        "fits": {"type": "boolean"},
        "rationale": {"type": "string"},
        "primary_concern": {"type": "string", "enum": list(CONCERNS)},
        "score": {"type": "number"},
    },
}
"""The answer, in the part of JSON Schema that structured outputs take: no bounds, all keys required."""

_PROPERTIES = cast(Mapping[str, object], SCHEMA["properties"])
BLIND_SCHEMA: Mapping[str, object] = {
    **SCHEMA,
    "required": [name for name in cast(list[str], SCHEMA["required"]) if name != "fits"],
    "properties": {name: shape for name, shape in _PROPERTIES.items() if name != "fits"},
}
"""The answer of a reader that is not shown the write: nothing that could fit."""
