"""What the recorded sessions of every host share: which files are meant, what an answer holds, an exchange as turns."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, cast

from evaluator.errors import PayloadError
from evaluator.model import Exchange

DATABASE, MARK = "opencode.db", "#"
"""A session of a database is named `DATABASE#SESSION`."""
HELD = re.compile(r"Compass (?:held back|still holds back|could not check)")
"""How the reason of a denial of this gate begins, as the agent was told it (`evaluator.intervention.telling`)."""
HELD_CHARS = 200
OPENING = "Hello, I need help with this project."


def files_named(names: Sequence[str], belongs: Callable[[str], bool]) -> list[str]:
    """The files named, and those below the folders named that `belongs` takes, each once, in order.

    Links are followed, a loop of them once around. Raises PayloadError for a name that is neither file nor folder.
    """
    found: dict[tuple[int, int], str] = {}
    folders: set[tuple[int, int]] = set()
    for name in names:
        path = os.path.abspath(os.path.expanduser(name))
        for file in filter(belongs, _below(path, folders)) if os.path.isdir(path) else [path]:
            place = _place(file)
            if place is not None:
                found.setdefault(place, file)
            elif file == path:
                raise PayloadError(f"{name}: no such transcript")
    return list(found.values())


def _below(folder: str, seen: set[tuple[int, int]]) -> Iterator[str]:
    place = _place(folder)
    if place is None or place in seen:
        return
    seen.add(place)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if _is_folder(entry):
            yield from _below(entry.path, seen)
        else:
            yield entry.path


def file_behind(path: str) -> str:
    """The file of a session that is named `DATABASE#SESSION`; the path itself for any other."""
    file, mark, _ = path.rpartition(f"{DATABASE}{MARK}")
    return file + DATABASE if mark else path


def answered(answer: bytes) -> dict[str, object]:
    """The object of a hook's answer, empty for one without any. Raises ValueError for what is no JSON object."""
    if not answer.strip():
        return {}
    found = cast(object, json.loads(answer))
    if not isinstance(found, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - a value of the answer
    return cast(dict[str, object], found)


def turns_of(exchange: Exchange) -> Iterator[tuple[Literal["user", "agent"], str, bool]]:
    """(who, words, whether it is of the request) in order: the prior turn behind a prompt that opened it, then the
    request.
    """
    if exchange.prior_assistant_turn:
        yield "user", OPENING, False
        yield "agent", exchange.prior_assistant_turn, False
    for message in exchange.request:
        yield "user", message, True


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _place(path: str) -> tuple[int, int] | None:
    """(device, inode); None for what is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
