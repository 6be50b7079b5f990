"""The place that precedents are kept for: project, checkout, branch, and which folders stand there."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from evaluator.configuration.record import key_of
from evaluator.exhaustion import raise_want
from evaluator.record import Record

if TYPE_CHECKING:
    from evaluator.model import PendingWrite
    from evaluator.ports import PrecedentStore
    from evaluator.precedents.place import Place

FOLDERS_MAX, DEPTH_MAX = 2_000, 6
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

    def folders(self, project_dir: str) -> Collection[str]:
        """Level by level, without hidden ones and those that hold what is fetched or built."""
        found: list[str] = []
        level = [""]
        for _ in range(DEPTH_MAX):
            below: list[str] = []
            for folder in level:
                below += _below(project_dir, folder)
                if len(found) + len(below) >= FOLDERS_MAX:
                    return [*found, *below][:FOLDERS_MAX]
            found += below
            level = below
        return found


def _below(project_dir: str, folder: str) -> list[str]:
    try:
        with os.scandir(os.path.join(project_dir, folder)) as entries:
            names = sorted(
                one.name
                for one in entries
                if not one.name.startswith(".") and one.is_dir(follow_symlinks=False)
            )
    except OSError as error:
        raise_want(error)
        return []
    return [os.path.join(folder, name) for name in names if name not in _NOT_LOOKED_INTO]
