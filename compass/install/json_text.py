"""The text of a JSON settings file that is to hold another value. Pure; knows nothing of settings."""

from __future__ import annotations

import json
import re

_INDENT = re.compile(r"\n([ \t]+)\S")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def rewrite(text: str, value: object) -> str:
    """A dump of `value` with the indentation, the newlines and the end of `text`; `text` itself if it says `value`.

    Keys keep the order that `value` has. Raises ValueError if `text` is no JSON document, and for a number that is
    none in JSON.
    """
    if _dump(json.loads(text), None) == _dump(value, None):
        return text
    indent = _INDENT.search(text)
    dumped = _dump(value, indent.group(1) if indent else "  ")
    if "\r\n" in text:
        dumped = dumped.replace("\n", "\r\n")
    return text[: len(text) - len(text.lstrip())] + dumped + text[len(text.rstrip()) :]


def render(value: object) -> str:
    """A fresh document, two spaces deep, with a final newline."""
    return _dump(value, "  ") + "\n"


def _dump(value: object, indent: str | None) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    # Half of a pair has no form in UTF-8; only an escape can say it.
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
