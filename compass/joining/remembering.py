"""The place that precedents are kept for: project, checkout, branch, and which folders stand there."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.configuration.record import key_of
from evaluator.exhaustion import raise_want
from evaluator.record import Record

if TYPE_CHECKING:
    from evaluator.model import PendingWrite
    from evaluator.ports import PrecedentStore
    from evaluator.precedents.place import Place, Tree

NAMES_MAX, DEPTH_MAX = 4_000, 6
_NOT_LOOKED_INTO = frozenset(("node_modules", "dist", "build", "target", "venv", "vendor", "__pycache__"))


class KeptMemory(Record):
    """`evaluator.gate.run.Memory` over the state in `state_dir`."""

    store: PrecedentStore
    state_dir: str
    serves: Callable[[], bool] = lambda: True

    def project(self, pending: PendingWrite) -> str:
        return key_of(self.state_dir, pending.project_dir)

    def place(self, pending: PendingWrite) -> Place:
        from evaluator.configuration.branch import branch_of, default_branch
        from evaluator.configuration.project import main_root, project_root
        from evaluator.precedents.place import Place

        root = project_root(pending.project_dir)
        branch, detached = branch_of(root)
        return Place(
            self.project(pending), main_root(root) or root, branch, default_branch(root, branch), detached
        )

    def exists(self, project_dir: str, path: str) -> bool:
        try:
            return bool(path) and os.path.lexists(os.path.join(project_dir, path))
        except ValueError:
            return False

    def tree(self, project_dir: str) -> Tree:
        """Level by level, without what is hidden, fetched or built."""
        from evaluator.precedents.place import Tree

        folders: list[str] = []
        files: list[str] = []
        level = [""]
        for _ in range(DEPTH_MAX):
            below: list[str] = []
            for folder in level:
                inner, beside = _below(project_dir, folder)
                below += inner
                files += beside
                if len(folders) + len(below) + len(files) >= NAMES_MAX:
                    return Tree((*folders, *below), tuple(files))
            folders += below
            level = below
        return Tree(tuple(folders), tuple(files))


def _below(project_dir: str, folder: str) -> tuple[list[str], list[str]]:
    """Folders and files right in a folder."""
    try:
        with os.scandir(os.path.join(project_dir, folder)) as entries:
            names = sorted(
                (one.name, one.is_dir(follow_symlinks=False))
                for one in entries
                if not one.name.startswith(".") and one.name not in _NOT_LOOKED_INTO
            )
    except OSError as error:
        raise_want(error)
        return [], []
    paths = [(os.path.join(folder, name), is_folder) for name, is_folder in names]
    return [path for path, is_folder in paths if is_folder], [
        path for path, is_folder in paths if not is_folder
    ]
