"""The branch that a work tree stands on, read from git's own file."""

from __future__ import annotations

import os

_HEAD = "ref: refs/heads/"
_BYTES_MAX = 4096


def branch_of(root: str) -> str:
    """Empty without git, and where no branch is checked out."""
    git = os.path.join(root, ".git")
    if os.path.isfile(git):
        pointer = _text(git)
        if not pointer.startswith("gitdir:"):
            return ""
        git = os.path.join(root, pointer.removeprefix("gitdir:").strip())
    head = _text(os.path.join(git, "HEAD"))
    return head.removeprefix(_HEAD) if head.startswith(_HEAD) else ""


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_BYTES_MAX).strip()
    except OSError:
        return ""
