"""One key of a settings document, set or taken out; all else stays as it is. Pure.

A file may spell a key nested, with dots, or both ways at once (`{"evaluator.n": 7}`); the loader reads each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast


class NoSectionError(ValueError):
    """What should be an object on the way to a key is something else; the text is its dotted path."""


def stated(values: Mapping[str, object], path: str) -> tuple[bool, object]:
    """(whether the key stands here, its raw value): of several spellings the last, as the loader takes it."""
    found: tuple[bool, object] = (False, None)
    for word, held in values.items():
        if word == path:
            found = (True, held)
        elif path.startswith(word + ".") and isinstance(held, dict):
            inner = stated(cast(dict[str, object], held), path[len(word) + 1 :])
            found = inner if inner[0] else found
    return found


def with_value(values: Mapping[str, object], path: str, value: object) -> dict[str, object]:
    """Raises NoSectionError."""
    if stated(values, path)[0]:
        return _replaced(values, path, value)
    return _added(values, path, value, "")


def without(values: Mapping[str, object], path: str) -> dict[str, object]:
    """A section that the key leaves empty goes too."""
    left: dict[str, object] = {}
    for word, held in values.items():
        if word == path:
            continue
        if path.startswith(word + ".") and isinstance(held, dict) and held:
            inner = without(cast(dict[str, object], held), path[len(word) + 1 :])
            if inner:
                left[word] = inner
        else:
            left[word] = held
    return left


def _replaced(values: Mapping[str, object], path: str, value: object) -> dict[str, object]:
    found: dict[str, object] = {}
    for word, held in values.items():
        if word == path:
            found[word] = value
        elif path.startswith(word + ".") and isinstance(held, dict):
            found[word] = _replaced(cast(dict[str, object], held), path[len(word) + 1 :], value)
        else:
            found[word] = held
    return found


def _added(values: Mapping[str, object], path: str, value: object, above: str) -> dict[str, object]:
    head, _, rest = path.partition(".")
    if not rest:
        return {**values, head: value}
    section = values.get(head, {})
    if not isinstance(section, dict):
        raise NoSectionError(above + head)
    inner = _added(cast(dict[str, object], section), rest, value, f"{above}{head}.")
    return {**values, head: inner}
