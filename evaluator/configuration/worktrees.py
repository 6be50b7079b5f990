"""The work trees of a project's repository, read from `.git` without a git process."""

from __future__ import annotations

import os

from evaluator.configuration.project import main_root, project_root
from evaluator.exhaustion import raise_want

TREES_MAX = 256
_PATH_BYTES = 16 * 1024


def work_trees(directory: str) -> tuple[str, ...]:
    """The root of every work tree that stands, the main one first; empty without a repository of git.

    See gitrepository-layout(5): `worktrees/NAME/gitdir` names the `.git` file of one.
    """
    main = main_root(directory) or project_root(directory)
    folder = os.path.join(main, ".git", "worktrees")
    if not os.path.isdir(os.path.dirname(folder)):
        return ()
    try:
        names = sorted(os.listdir(folder))[:TREES_MAX]
    except OSError as error:
        raise_want(error)
        names = []
    named = (_named(os.path.join(folder, name, "gitdir")) for name in names)
    found = (os.path.realpath(os.path.dirname(path)) for path in named if os.path.isabs(path))
    return tuple(dict.fromkeys((main, *(path for path in found if os.path.isdir(path)))))


def _named(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_PATH_BYTES).strip())
    except OSError as error:
        raise_want(error)
        return ""
