"""Where files land that are copied, moved or edited. Pure text; no file is looked at."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence


def copied(sources: Sequence[str], destination: str) -> tuple[str, ...]:
    """Where a copy lands: in the destination if it looks like a folder or takes several sources, else on it."""
    folder = len(sources) > 1 or is_folder(destination)
    return (
        tuple(dict.fromkeys(landing(source, destination) for source in sources)) if folder else (destination,)
    )


def edited(files: Sequence[str], suffix: str) -> tuple[str, ...]:
    """Files that are edited in place, and the backups that a suffix asks for; `*` in it stands for the file's name."""
    if not suffix:
        return tuple(files)
    backups: list[str] = []
    for file in files:
        folder, _, name = file.rpartition("/")
        backup = suffix.replace("*", name) if "*" in suffix else name + suffix
        backups.append(f"{folder}/{backup}" if folder and "/" not in suffix else backup)
    return (*files, *backups)


def landing(source: str, folder: str) -> str:
    name = posixpath.basename(source.rstrip("/"))
    return folder if name in ("", ".", "..") else f"{folder.rstrip('/') or ''}/{name}"


def is_folder(path: str) -> bool:
    return path.endswith(("/", "/.", "/..")) or path in (".", "..", "~")
