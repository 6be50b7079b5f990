"""The place that precedents are kept for: project, checkout, branch, and which folders stand there."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from evaluator.configuration.record import key_of
from evaluator.exhaustion import raise_want
from evaluator.record import Record

if TYPE_CHECKING:
    from evaluator.model import PendingWrite
    from evaluator.ports import PrecedentStore
    from evaluator.precedents.place import Place, Tree

NAMES_MAX, DEPTH_MAX = 1_000, 8


class KeptMemory(Record):
    """`evaluator.gate.run.Memory` over the state in `state_dir`."""

    store: PrecedentStore
    state_dir: str
    serves: Callable[[], bool] = lambda: True

    def project(self, pending: PendingWrite) -> str:
        return key_of(self.state_dir, pending.project_dir)

    def place(self, pending: PendingWrite, project: str) -> Place:
        from evaluator.configuration.branch import branch_of, default_branch
        from evaluator.configuration.project import main_root, project_root
        from evaluator.precedents.place import Place

        root = project_root(pending.project_dir)
        branch, detached = branch_of(root)
        return Place(project, main_root(root) or root, branch, default_branch(root, branch), detached, root)

    def exists(self, root: str, path: str) -> bool:
        try:
            return bool(path) and os.path.lexists(os.path.join(root, path))
        except ValueError:
            return False

    def tree(self, root: str, path: str) -> Tree:
        """Without what is hidden."""
        from evaluator.precedents.place import Tree

        folders: list[str] = []
        files: list[str] = []
        folder = ""
        for part in path.split("/")[:DEPTH_MAX]:
            inner, beside = _below(os.path.join(root, folder))
            folders += inner
            files += beside
            folder = os.path.join(folder, part)
        return Tree(tuple(folders), tuple(files))


def _below(folder: str) -> tuple[list[str], list[str]]:
    """The names of folders and files right in a folder."""
    folders: list[str] = []
    files: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for one in islice(entries, NAMES_MAX):
                if not one.name.startswith("."):
                    (folders if one.is_dir(follow_symlinks=False) else files).append(one.name)
    except OSError as error:
        raise_want(error)
    return folders, files
