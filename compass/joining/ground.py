"""What the disk tells of a place: whether git holds a file, and whether it was told to ignore it. Runs no git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from compass.joining.packages import enable
from evaluator.configuration.project import git_dir, project_root, read_bounded

if TYPE_CHECKING:
    from mmap import mmap

INDEX_BYTES_MAX = 64 * 1024 * 1024
IGNORED_LINES_MAX = 2000
COMPRESSED = 4
"""The version of an index whose paths are not written out; nothing is known of it."""
LENGTH = 0xFFF


class DiskGround:
    """`evaluator.trigger.stakes.Ground` of one project."""

    def __init__(self, project_dir: str) -> None:
        self._project_dir = project_dir
        self._root: str | None = None

    @property
    def root(self) -> str:
        if self._root is None:
            self._root = project_root(self._project_dir)
        return self._root

    def exists(self, path: str) -> bool:
        try:
            return os.path.lexists(path)
        except ValueError:
            return False

    def is_held(self, path: str) -> bool:
        """By the index, as its paths stand in it (gitformat-index: each ends with a NUL)."""
        from mmap import ACCESS_READ, mmap

        name = self._relative(path).encode("utf-8", "surrogateescape")
        place = os.path.join(git_dir(os.path.join(self.root, ".git")), "index")
        try:
            with (
                open(place, "rb") as file,
                mmap(file.fileno(), 0, access=ACCESS_READ) as index,
            ):
                readable = len(index) <= INDEX_BYTES_MAX and index[:4] == b"DIRC" and index[7] < COMPRESSED
                return readable and bool(name) and _names(index, name)
        except (OSError, ValueError):
            return False

    def is_ignored(self, path: str) -> bool:
        """By the .gitignore of each folder from the root to the path's own."""
        name = self._relative(path)
        if not name:
            return False
        enable()
        from pathspec import GitIgnoreSpec

        folder, found = self.root, False
        parts = name.split("/")
        for at in range(len(parts)):
            text = read_bounded(os.path.join(folder, ".gitignore"))
            lines = text.splitlines()[:IGNORED_LINES_MAX]
            if lines:
                below = "/".join(parts[at:]) + ("/" if os.path.isdir(path) else "")
                told = GitIgnoreSpec.from_lines(lines).check_file(below).include
                found = found if told is None else told
            folder = os.path.join(folder, parts[at])
        return found

    def _relative(self, path: str) -> str:
        """Below the work tree's root; empty for what lies elsewhere."""
        return path[len(self.root) + 1 :].rstrip("/") if path.startswith(f"{self.root}/") else ""


def _names(index: mmap, name: bytes) -> bool:
    """Whether an entry has that path, or one below it: the two bytes before an entry's path hold its length."""
    at = index.find(name)
    while at >= 0:
        length = int.from_bytes(index[at - 2 : at], "big") & LENGTH
        whole = length == LENGTH or index[at + length : at + length + 1] == b"\0"
        if whole and index[at + len(name) : at + len(name) + 1] in (b"\0", b"/"):
            return True
        at = index.find(name, at + 1)
    return False
