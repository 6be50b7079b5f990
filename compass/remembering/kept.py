"""The precedents of the project that a command is run in, and changes to them. Makes no state where there is none."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator
from contextlib import contextmanager

from compass.joining.kept_checks import here as checks_here
from evaluator.configuration.branch import branch_of
from evaluator.configuration.project import main_root, project_root
from evaluator.configuration.record import key_of
from evaluator.configuration.settings import MemorySettings
from evaluator.days import DAY_SECONDS
from evaluator.errors import StateError
from evaluator.precedents.precedent import Precedent
from evaluator.record import Record
from evaluator.state.erasing import erase_precedents
from evaluator.state.history import History
from evaluator.state.store import Store, open_store

LISTED_MAX = 10


class Memory(Record):
    """`project` is the project's key, `checkout` and `branch` are as precedents say them, `now` in seconds since the
    epoch.

    `folders`: where a target may stand, that of the work tree first; sessions may be started in a folder below it.
    `days`: how long a precedent counts. `enabled` False: none is kept or shown to readers.
    """

    state_dir: str
    project: str
    checkout: str
    folders: tuple[str, ...]
    branch: str
    now: float
    enabled: bool
    days: int

    @property
    def since(self) -> float:
        """What is older has ended."""
        return self.now - self.days * DAY_SECONDS

    def has_ended(self, one: Precedent) -> bool:
        return one.at < self.since

    def all(self, *, every_project: bool = False) -> tuple[Precedent, ...]:
        """Newest first, ended ones too. Raises StateError."""
        return History(self.state_dir, self.now).precedents(None if every_project else self.project)

    def named(self, prefix: str) -> Precedent:
        """The one whose id begins so, of this project before any other. Raises StateError."""
        wanted = prefix.strip().upper()
        everywhere = self.all(every_project=True) if wanted else ()
        begun = [one for one in everywhere if one.precedent_id.startswith(wanted)]
        own = [one for one in begun if one.project == self.project]
        found = [one for one in begun if one.precedent_id == wanted] or own or begun
        if len(found) == 1:
            return found[0]
        if not found:
            raise StateError(
                f"no precedent {prefix[:60]!r}; `compass memory list` names those of this project"
            )
        shown = "\n".join(f"  {one.precedent_id}" for one in found[:LISTED_MAX])
        more = f"\n  and {len(found) - LISTED_MAX} more" if len(found) > LISTED_MAX else ""
        raise StateError(f"{prefix[:60]!r} is the beginning of more than one precedent:\n{shown}{more}")

    def keep(self, *precedents: Precedent) -> None:
        """All or none; one with the same id is replaced. Raises StateError."""
        self.replace_all((), precedents)

    def replace_all(self, gone: Collection[str], fresh: Collection[Precedent]) -> None:
        """All or none. Raises StateError."""
        if gone or fresh:
            with self._store() as store, store.together():
                store.forget_precedents(gone)
                for one in fresh:
                    store.keep_precedent(one)

    def forget(self, ids: Collection[str]) -> int:
        """How many there were; the file holds no byte of them. Raises StateError."""
        return erase_precedents(self.state_dir, ids, self.now)

    @contextmanager
    def _store(self) -> Generator[Store]:
        """Raises StateError for what cannot be opened, and at the end for what failed in use."""
        opened = open_store(self.state_dir, now=self.now)
        try:
            if opened.fault is not None:
                raise StateError(opened.newer or opened.fault)
            yield opened.store
            if opened.store.faults:
                raise StateError(f"{opened.store.faults[-1]}; nothing was changed")
        finally:
            opened.store.close()


def memory_of(state_dir: str, project_dir: str, settings: MemorySettings) -> Memory:
    """Of the project in a folder, which is resolved."""
    root = project_root(project_dir)
    return Memory(
        state_dir=state_dir,
        project=key_of(state_dir, project_dir),
        checkout=main_root(root) or root,
        folders=tuple(dict.fromkeys((root, project_dir))),
        branch=branch_of(root)[0],
        now=time.time(),
        enabled=settings.enabled,
        days=settings.days,
    )


def here() -> Memory:
    """Of the working directory. Raises StateError."""
    found = checks_here()
    return memory_of(found.state_dir, found.project_dir, found.loaded.settings.memory)
