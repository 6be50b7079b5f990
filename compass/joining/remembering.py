"""The place that precedents are kept for: project, checkout, branch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.configuration.record import key_of
from evaluator.record import Record

if TYPE_CHECKING:
    from evaluator.model import PendingWrite
    from evaluator.ports import PrecedentStore
    from evaluator.precedents.place import Place


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
