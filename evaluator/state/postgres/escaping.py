"""Text of outside origin as PostgreSQL can keep it: NUL and lone surrogates are escaped, and come back as they were."""

from __future__ import annotations

import re
from decimal import Decimal

ESCAPE = "\x10"
"""Data link escape, which text seldom holds."""

_ODD = re.compile("[\x00\x10\ud800-\udfff]")
_ESCAPED = re.compile("\x10(\x10|0|d[89a-f][0-9a-f]{2})")


def given(value: object) -> object:
    """A parameter. Bytes are those of `records.stored`: text with lone surrogates."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogatepass")
    if isinstance(value, str):
        plain = value.isascii() and "\x00" not in value and ESCAPE not in value
        return value if plain else _ODD.sub(_escaped, value)
    return int(value) if isinstance(value, bool) else value


def found(value: object) -> object:
    """A value of a row."""
    if isinstance(value, str):
        return _ESCAPED.sub(_plain, value) if ESCAPE in value else value
    if isinstance(value, Decimal):
        # What PostgreSQL adds up of whole numbers.
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def _escaped(odd: re.Match[str]) -> str:
    match odd[0]:
        case "\x00":
            return f"{ESCAPE}0"
        case "\x10":
            return ESCAPE * 2
        case surrogate:
            return f"{ESCAPE}{ord(surrogate):04x}"


def _plain(escaped: re.Match[str]) -> str:
    match escaped[1]:
        case "0":
            return "\x00"
        case "\x10":
            return ESCAPE
        case code:
            return chr(int(code, 16))
