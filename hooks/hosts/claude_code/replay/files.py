"""Which transcripts to replay. Knows nothing of what their lines mean."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from evaluator.errors import PayloadError

AGENTS = "subagents"
"""The folder, beside a session's transcript, of those of its subagents."""


def find_transcripts(names: Sequence[str]) -> list[str]:
    """The files named, and every *.jsonl below the folders named, each once, in order.

    Links are followed, a loop of them once around. Raises PayloadError for a name that is neither file nor folder.
    """
    found: dict[tuple[int, int], str] = {}
    folders: set[tuple[int, int]] = set()
    for name in names:
        path = os.path.abspath(os.path.expanduser(name))
        for file in _below(path, folders) if os.path.isdir(path) else [path]:
            place = _place(file)
            if place is not None:
                found.setdefault(place, file)
            elif file == path:
                raise PayloadError(f"{name}: no such transcript")
    return list(found.values())


def agent_transcripts(path: str) -> list[tuple[str, str]]:
    """(agent id, path) of the subagents of the session whose transcript `path` is."""
    folder = os.path.join(path.removesuffix(".jsonl"), AGENTS)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [
        (name.removeprefix("agent-").removesuffix(".jsonl"), os.path.join(folder, name))
        for name in names
        if name.startswith("agent-") and name.endswith(".jsonl")
    ]


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
        if entry.name.endswith(".jsonl") and not _is_folder(entry):
            yield entry.path
        elif entry.name != AGENTS and _is_folder(entry):
            yield from _below(entry.path, seen)


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
