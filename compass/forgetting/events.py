"""Our lines of the event log, taken out in place: whoever follows or appends to that file keeps it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import BinaryIO, cast

from evaluator.errors import StateError
from evaluator.events import PLUGIN
from evaluator.files import locked

LOCK_SECONDS = 5.0
Meant = Callable[[str, str], bool]
"""Whether the event of a session, about a file, is meant."""


def count(path: str, meant: Meant) -> int:
    """How many lines `take_out` would take out. Raises StateError."""
    try:
        with open(path, "rb") as file:
            return sum(_is_meant(line, meant) for line in file)
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise StateError(f"{path}: cannot be read: {error.strerror}") from None


def take_out(path: str, meant: Meant) -> int:
    """How many lines were taken out. Other tools' lines stay byte for byte. Raises StateError."""
    try:
        # What is read lies behind what is written, so a second view of the file needs no copy.
        with open(path, "r+b") as file, open(path, "rb") as lines, locked(file.fileno(), LOCK_SECONDS, path):
            return _compacted(file, lines, meant)
    except FileNotFoundError:
        return 0
    except TimeoutError as error:
        raise StateError(f"{error}: run it again") from None
    except OSError as error:
        raise StateError(f"{path}: cannot be written: {error.strerror}") from None


def _compacted(file: BinaryIO, lines: BinaryIO, meant: Meant) -> int:
    """Kept lines move up; the file is cut once nothing stands behind the last line that was read."""
    gone = to = 0
    while line := lines.readline():
        if _is_meant(line, meant):
            gone += 1
            continue
        if gone:
            os.pwrite(file.fileno(), line, to)
        to += len(line)
    if gone:
        file.truncate(to)
        os.fsync(file.fileno())
    return gone


def _is_meant(line: bytes, meant: Meant) -> bool:
    if f'"{PLUGIN}"'.encode() not in line:
        return False
    try:
        found = cast(object, json.loads(line))
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict):
        return False
    event = cast(dict[str, object], found)
    payload = event.get("payload")
    path = cast(dict[str, object], payload).get("file_path") if isinstance(payload, dict) else ""
    return event.get("plugin") == PLUGIN and meant(str(event.get("session_id", "")), str(path or ""))
