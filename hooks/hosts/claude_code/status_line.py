"""The client's `statusLine` entry: ours put in, behind a command that stood there, and taken out again. Pure.

A command that is shown first stands in ours, so what is taken out needs no record: `--keeps` is put back, `--shows`
stands in another settings file, which ours hides.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import cast

from evaluator.errors import ConfigError
from hooks.entries import Wiring

KEY = "statusLine"
COMMAND = "statusline"
KEEPS, SHOWS = "--keeps", "--shows"
"""As `hooks.statusline` reads them."""


def with_status_line(
    settings: Mapping[str, object], wiring: Wiring, hidden: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    """`settings` with our command; other keys of the entry stay. `hidden`: further files, the strongest first.

    Idempotent. Raises ConfigError for an entry that is no command.
    """
    found = _entry(settings)
    command = _command(found)
    words = _own_words(command)
    first: tuple[str, ...]
    if words is None and command:
        first = (KEEPS, command)
    elif words is not None and words[:1] == [KEEPS]:
        first = (KEEPS, words[1])
    else:
        first = _shown(hidden)
    line = shlex.join((wiring.interpreter, "-I", "-S", wiring.script, COMMAND, *first, *wiring.said))
    return {**settings, KEY: {**found, "type": "command", "command": line}}


def without_status_line(settings: Mapping[str, object]) -> dict[str, object]:
    """`settings` with what stood before ours, or as they are where ours is not there."""
    found = settings.get(KEY)
    entry = cast(dict[str, object], found) if isinstance(found, dict) else {}
    words = _own_words(str(entry.get("command", "")))
    if words is None:
        return dict(settings)
    if words[:1] == [KEEPS]:
        return {**settings, KEY: {**entry, "command": words[1]}}
    return {name: value for name, value in settings.items() if name != KEY}


def has_status_line(settings: Mapping[str, object]) -> bool:
    """Whether the entry is ours."""
    found = settings.get(KEY)
    command = cast(dict[str, object], found).get("command") if isinstance(found, dict) else None
    return isinstance(command, str) and _own_words(command) is not None


def _entry(settings: Mapping[str, object]) -> dict[str, object]:
    found = settings.get(KEY, {})
    if not isinstance(found, dict) or cast(dict[str, object], found).get("type", "command") != "command":
        raise ConfigError(
            f"{KEY} is no command, so nothing can be shown beside it; remove it, or leave --statusline out"
        )
    return cast(dict[str, object], found)


def _command(entry: Mapping[str, object]) -> str:
    command = entry.get("command", "")
    if not isinstance(command, str):
        raise ConfigError(f"{KEY}.command is no text; correct it, or leave --statusline out")
    return command.strip() and command


def _shown(hidden: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    for settings in hidden:
        found = settings.get(KEY)
        command = cast(dict[str, object], found).get("command") if isinstance(found, dict) else None
        if not isinstance(command, str) or not command.strip():
            continue
        words = _own_words(command)
        if words is None:
            return (SHOWS, command)
        return (SHOWS, words[1]) if words[:1] in ([KEEPS], [SHOWS]) else ()
    return ()


def _own_words(command: str) -> list[str] | None:
    """What follows our command's name; None for a command of anybody else."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    at = next((place for place, word in enumerate(words) if word == COMMAND and place), 0)
    if not at or PurePath(words[at - 1]).parts[-2:] != ("compass", "__main__.py"):
        return None
    rest = words[at + 1 :]
    return rest if rest[:1] not in ([KEEPS], [SHOWS]) or len(rest) > 1 else None
