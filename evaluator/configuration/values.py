"""One setting's value: from JSON or from a variable's text, and whether it is tighter than another. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import cast

from evaluator.configuration.settings import AGREEMENT, Key

ENTRIES_MAX = 1000
"""Of a list or table: what is looked up for each command or text must not grow with a repository's file."""
NO_ADDRESS = "must be an http or https address, such as http://127.0.0.1:8080"
_ADDRESS = r"(?i:https?)://(?:[^\s/?#@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#@:\[\]\\]+)(?::(?P<port>\d{1,5}))?(?:/[^\s?#]*)?"


def is_tighter(key: Key, before: object, after: object) -> bool:
    """Whether `after` is at least as tight as `before` in the key's own direction; any number is tighter than none."""
    if key.optional and key.kind == "float" and (before is None or after is None):
        return key.tighter is not None and (after is not None or before is None)
    rules: dict[str, Callable[[], bool]] = {
        "up": lambda: cast(float, after) >= cast(float, before),
        "down": lambda: cast(float, after) <= cast(float, before),
        "true": lambda: after is True,
        "false": lambda: after is False,
        "subset": lambda: after == _left_of(cast(tuple[str, ...], before), cast(tuple[str, ...], after)),
        "superset": lambda: set(cast(tuple[str, ...], after)) >= set(cast(tuple[str, ...], before)),
        "joined": lambda: after == joined(before, after),
        "ranked": lambda: (
            after in (before, key.choices[-1])
            if key.unranked in (before, after)
            else key.choices.index(cast(str, after)) >= key.choices.index(cast(str, before))
        ),
    }
    return key.tighter is not None and rules[key.tighter]()


def _left_of(before: tuple[str, ...], kept: tuple[str, ...]) -> tuple[str, ...]:
    """A glob with `!` takes back what an earlier one excuses: to leave it out, or to move it, would excuse more."""
    known = set(kept)
    return tuple(one for one in before if one in known or one.startswith("!"))


def joined(below: object, above: object) -> object:
    """A rule of convergence with what `above` may add to it: that readings must agree, and nothing else.

    Between the score and certified cuts neither is the tighter one. None and `certified` are one rule where cuts stand.
    """
    if not str(above).endswith(AGREEMENT):
        return below
    return f"{str(below or 'certified').removesuffix(AGREEMENT)}{AGREEMENT}"


def parse(key: Key, raw: object) -> tuple[object, str]:
    """(value, "") or (None, what is wrong)."""
    if raw is None:
        return (None, "") if key.optional else (None, f"must be {_wanted(key)}, not null")
    if key.kind == "bool":
        return (raw, "") if isinstance(raw, bool) else (None, _wrong(key, raw))
    if key.kind in ("int", "float"):
        return _parse_number(key, raw)
    if key.kind == "str":
        return _parse_text(key, raw)
    if key.kind == "strs":
        if not isinstance(raw, list):
            return None, _wrong(key, raw)
        if not _are_texts(cast(list[object], raw)):
            return None, f"must be {_wanted(key)} of at most {ENTRIES_MAX}"
        return tuple(item for item in cast(list[str], raw) if item), ""
    # An empty list is the documented spelling of no entries.
    if not isinstance(raw, dict):
        return ((), "") if raw == [] else (None, _wrong(key, raw))
    table = cast(dict[object, object], raw)
    if not (_are_texts([*table]) and _are_texts([*table.values()])):
        return None, f"must be {_wanted(key)} of at most {ENTRIES_MAX}"
    return tuple(sorted(cast(dict[str, str], table).items())), ""


def _are_texts(items: list[object]) -> bool:
    return len(items) <= ENTRIES_MAX and all(isinstance(item, str) for item in items)


def shown(key: Key, value: object) -> object:
    """The value for people and documents: of a key that may hold a password what is none."""
    if not key.secret or not isinstance(value, str):
        return value
    found = re.fullmatch(
        r"(postgres(?:ql)?://)(?:([^\s/?#@:]*)(?::[^\s/?#@]*)?@)?([^\s?#@]*)(?:[?#][^@]*)?", value
    )
    if found is None:
        return "(not shown)"
    scheme, user, rest = found.groups()
    return f"{scheme}{user}@{rest}" if user else f"{scheme}{rest}"


def is_address(text: str) -> bool:
    """Whether it is an http or https address of a host, perhaps with a user, a port and a path."""
    found = re.fullmatch(_ADDRESS, text)
    return found is not None and text.isprintable() and int(found["port"] or 0) < 65_536


def merged_tables(below: object, above: object) -> tuple[tuple[str, str], ...]:
    """The entries of both; what stands above counts where both name one."""
    rows = cast(tuple[tuple[str, str], ...], below), cast(tuple[tuple[str, str], ...], above)
    return tuple(sorted({**dict(rows[0]), **dict(rows[1])}.items()))


def _parse_text(key: Key, raw: object) -> tuple[object, str]:
    if not isinstance(raw, str):
        return None, _wrong(key, raw)
    if key.choices and raw not in key.choices:
        return None, f"must be one of {', '.join(key.choices)}, not {raw[:60]!r}"
    if not key.address:
        return raw, ""
    address = raw.strip()
    return (address or None, "") if not address or is_address(address) else (None, NO_ADDRESS)


def _parse_number(key: Key, raw: object) -> tuple[object, str]:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        return None, _wrong(key, raw)
    if key.kind == "int" and raw != int(raw):
        return None, _wrong(key, raw)
    if (key.low is not None and raw < key.low) or (key.high is not None and raw > key.high):
        return None, f"must be between {key.low:g} and {key.high or math.inf:g}, not {raw:g}"
    return (int(raw) if key.kind == "int" else float(raw)), ""


def _wanted(key: Key) -> str:
    words = {
        "bool": "true or false",
        "int": "a whole number",
        "float": "a number",
        "str": "a string",
        "strs": "a list of strings",
        "table": "an object of strings",
    }
    return words[key.kind]


def _wrong(key: Key, raw: object) -> str:
    if key.secret:
        return f"must be {_wanted(key)}"
    return f"must be {_wanted(key)}, not {str(raw)[:60]!r}"


def from_text(key: Key, text: str) -> object:
    """The JSON value that the text means for this key; text that means none is kept, to be named as wrong."""
    import json

    word = text.strip()
    if key.kind == "bool":
        return {"true": True, "1": True, "false": False, "0": False}.get(word.lower(), text)
    if key.optional and word.lower() in ("", "none", "null"):
        return None
    if key.kind == "str":
        return text
    if key.kind == "strs" and not word.startswith("["):
        return [part.strip() for part in word.split(",") if part.strip()]
    try:
        return cast(object, json.loads(word))
    except (ValueError, RecursionError):
        return text
