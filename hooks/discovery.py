"""Recorded sessions in files and folders, and the host that each is of: by what its lines look like."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

from hooks.lines import forward
from hooks.recognising import Shape, is_of
from hooks.recorded import DATABASE, file_behind, files_named
from hooks.registry import DEFAULT, HOSTS, host_of

FIRST_LINES = 20
DOCUMENT_BYTES_MAX = 64 * 1024 * 1024
SUBAGENTS = "subagents"
"""The folder of a session's subagents: their calls are the session's own."""


def find_sessions(names: Sequence[str], host: str = "") -> list[str]:
    """The files named, and the sessions below the folders named: of one host, or of whichever a file's shape tells.

    Raises PayloadError.
    """
    if host:
        return host_of(host).sessions().find_transcripts(names)
    found: dict[str, None] = {}
    for path in files_named(names, lambda path: bool(recorded_by(path))):
        found |= dict.fromkeys(
            host_of(recorded_by(path) or DEFAULT).sessions().find_transcripts([path]) or [path]
        )
    return list(found)


def recorded_by(path: str) -> str:
    """The host that wrote a session's file, by its first lines; empty for a subagent's, and where none claims it."""
    folder, name = os.path.split(file_behind(path))
    if name == DATABASE:
        return "opencode"
    if os.path.basename(folder) == SUBAGENTS or not name.endswith((".jsonl", ".json")):
        return ""
    for value in _first(file_behind(path)):
        for host, package in HOSTS.items():
            if any(is_of(value, one) for one in _shapes(package)):
                return host
    return ""


def _first(path: str) -> Iterator[Mapping[str, object]]:
    """The objects of the first lines, or the one that a whole file is."""
    for line in islice(forward(path), FIRST_LINES):
        if (value := _object(line.raw)) is not None:
            yield value
    if path.endswith(".json"):
        try:
            with open(path, "rb") as file:
                value = _object(file.read(DOCUMENT_BYTES_MAX))
        except OSError:
            value = None
        if value is not None:
            yield value


def _object(raw: bytes) -> Mapping[str, object] | None:
    try:
        found = cast(object, json.loads(raw))
    except (ValueError, RecursionError):
        return None
    return cast(Mapping[str, object], found) if isinstance(found, dict) else None


def _shapes(package: str) -> tuple[Shape, ...]:
    return cast(tuple[Shape, ...], __import__(package, fromlist=("RECORDED",)).RECORDED)
