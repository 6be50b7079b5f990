"""Arguments of another type than the surface takes: told by name, with an error of the family."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import cast

from evaluator.errors import CompassError, ConfigError, PayloadError

TEXT, TEXTS, PATH, MAPPING, NUMBER, MESSAGES = (
    "a text", "a text or several", "a path", "a mapping", "a whole number", "pairs of who and a text",
)  # fmt: skip
TAKES = {
    "user": TEXTS,
    "prior": TEXT, "task": TEXT, "tool": TEXT, "command": TEXT, "content": TEXT, "old": TEXT, "new": TEXT,
    "session_id": TEXT, "call_id": TEXT, "agent": TEXT, "check_id": TEXT,
    "input": MAPPING,
    "path": PATH, "transcript": PATH,
    "project": PATH, "state": PATH, "backend": TEXT, "mode": TEXT, "host": TEXT, "tools": MAPPING,
    "newest": NUMBER,
    "history": MESSAGES,
}  # fmt: skip
"""By the name of the argument."""
CHOSEN = ("project", "state", "backend", "mode", "host", "tools")
"""Those that say where and how it is judged."""


def expect(**given: object) -> None:
    """None passes: who may leave an argument out says so. Raises ConfigError for what says where and how it is judged,
    PayloadError for the rest."""
    for name, value in given.items():
        if value is not None and not _is(TAKES[name], value):
            fault: type[CompassError] = ConfigError if name in CHOSEN else PayloadError
            raise fault(f"{name} has to be {TAKES[name]}, not {type(value).__name__}")


def _is(what: str, value: object) -> bool:
    if what == PATH:
        return isinstance(value, str | os.PathLike)
    if what == MAPPING:
        return isinstance(value, Mapping)
    if what == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool)
    if what == TEXT or isinstance(value, str):
        return isinstance(value, str) and what in (TEXT, TEXTS)
    if not isinstance(value, Sequence):
        return False
    several = cast(Sequence[object], value)
    return all(isinstance(one, str) if what == TEXTS else _is_message(one) for one in several)


def _is_message(one: object) -> bool:
    return isinstance(one, tuple | list) and len(cast(Sequence[object], one)) == 2
