"""The lines of instruction files, the user's and the project's, which rules read as bans and nothing else."""

from __future__ import annotations

import os
from functools import lru_cache

from evaluator.configuration.host_files import HostFiles

BYTES_MAX = 64_000
LINES_MAX = 600
Lines = tuple[tuple[str, str], ...]
"""(name of the file, line)."""


def lines_of(files: HostFiles, home: str, project_dir: str) -> Lines:
    """Bounded; a file is read again once it changed. What cannot be read has no lines."""
    found: list[tuple[str, str]] = []
    for folder, names in ((project_dir, files.instructions), (home, files.own_instructions)):
        for name in names:
            path = os.path.join(folder, name)
            try:
                seen = os.stat(path)
            except (OSError, ValueError):
                continue
            shown = name if folder == project_dir else f"~/{name}"
            found += [(shown, line) for line in _lines(path, seen.st_mtime_ns, seen.st_size)]
    return tuple(found)


@lru_cache(maxsize=32)
def _lines(path: str, _changed: int, _size: int) -> tuple[str, ...]:
    """Without markup, code blocks and blank lines."""
    try:
        with open(path, "rb") as file:
            text = file.read(BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return ()
    kept: list[str] = []
    fenced = False
    for line in text.splitlines()[:LINES_MAX]:
        plain = line.strip().lstrip("#>*+- \t").replace("**", "").strip()
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif plain and not fenced:
            kept.append(plain)
    return tuple(kept)
