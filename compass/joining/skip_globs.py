"""Skip globs as regular expressions, remembered in the state: pathspec costs more to import than a skipped call."""

from __future__ import annotations

import json
from typing import Protocol, cast

from compass import __version__
from compass.joining.packages import enable
from evaluator.trigger.rules import translated


class GlobNotes(Protocol):
    """The part of the state that this needs."""

    def get_note(self, key: str) -> str | None: ...

    def set_note(self, key: str, value: str) -> None: ...


def remembered(globs: tuple[str, ...], notes: GlobNotes) -> tuple[str, ...] | None:
    """As `translated`. What pathspec made of these globs holds as long as this version of Compass."""
    key = f"skip globs of {__version__}: {json.dumps(globs)}"
    kept = notes.get_note(key)
    found = None if kept is None else _expressions(kept)
    if found is not None:
        return found
    enable()
    found = translated(globs)
    if found is not None:
        notes.set_note(key, json.dumps(found))
    return found


def _expressions(kept: str) -> tuple[str, ...] | None:
    try:
        value = cast(object, json.loads(kept))
    except ValueError:
        return None
    if not isinstance(value, list) or not all(isinstance(one, str) for one in cast(list[object], value)):
        return None
    return tuple(cast(list[str], value))
