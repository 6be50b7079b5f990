"""The precedents of a project: what one may say, and where they are kept."""

from __future__ import annotations

import os
import time
import unicodedata
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager

from compass.composition.settings import here as checks_here
from evaluator.errors import StateError
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents import TEXT_CHARS_MAX, Precedent
from evaluator.record import Record
from evaluator.settings.keys import KEPT_DAYS, MemorySettings
from evaluator.settings.places import branch_of, main_root, project_root, resolved
from evaluator.settings.project_record import key_of
from evaluator.state.erasure import erase_precedents
from evaluator.state.history import History
from evaluator.state.store import Store, open_store
from evaluator.text import DAY_SECONDS

_UNSEEN = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Turn the direction of text, so that it reads as something else."""
_WANTED = {
    "term": "the ambiguous words, such as `the parser`",
    "target": "what they mean, such as `src/json/parser.py`",
}
LISTED_MAX = 10


class Stated(Record):
    """What somebody says that words mean; the fields are those of a precedent."""

    term: str
    said: str
    action: str
    target: str
    extent: str


def tidied(stated: Stated, folders: Sequence[str]) -> Stated:
    """What was stated, without blanks around; a target in one of the project's folders as a path relative to it."""
    said = {
        name: " ".join(str(getattr(stated, name)).strip(" \t").split(" ")) for name in Stated.__match_args__
    }
    return Stated(**{**said, "target": _relative(said["target"], folders)})


def faults_of(stated: Stated, folders: Sequence[str]) -> list[str]:
    """What is wrong with it, a clause a fault that names the field and the way out; `stated` is tidied.

    `folders` of the project in which a target may stand, the work tree's first.
    """
    found = [f"{name}: {why}" for name in ("term", "said", "target") if (why := _text(getattr(stated, name)))]
    found += [
        f"{name}: is empty; give {wanted}" for name, wanted in _WANTED.items() if not getattr(stated, name)
    ]
    for name, choices in (("action", ACTIONS), ("extent", EXTENTS)):
        value = getattr(stated, name)
        if value and value not in choices:
            found.append(f"{name}: {value[:40]!r} is none of {', '.join(choices)}; leave it empty for any")
    if stated.target and not found:
        found += _of_target(stated, folders)
    return found


def _text(text: str) -> str:
    if len(text) > TEXT_CHARS_MAX:
        return f"{len(text)} characters; at most {TEXT_CHARS_MAX} are kept"
    if any(char in _UNSEEN or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text):
        return "contains a line break or an invisible character; take it out"
    return ""


def _of_target(stated: Stated, folders: Sequence[str]) -> list[str]:
    path = stated.target
    if os.path.isabs(path) or path.split("/", 1)[0] == "..":
        return [f"target: {path!r} is outside {folders[0]}; name one inside"]
    if any(_exists(path, folder) for folder in folders):
        return []
    words = f"{stated.term}\n{stated.said}".casefold()
    if path.casefold() in words:
        return []
    return [f"target: {path!r} is neither in {folders[0]} nor in the words of `said`; name one that is"]


def _exists(path: str, folder: str) -> bool:
    """A link that leads out of the folder does not count."""
    try:
        at = resolved(os.path.join(folder, path))
        return os.path.lexists(at) and (at == folder or at.startswith(os.path.join(folder, "")))
    except (OSError, ValueError):
        return False


def _relative(target: str, folders: Sequence[str]) -> str:
    if not target or "\0" in target:
        return target
    if os.path.isabs(target):
        ways = (os.path.relpath(target, folder) for folder in folders)
        return next((way for way in ways if way.split("/", 1)[0] != ".."), target)
    # A path of the folder that one works in is that of the work tree, as all targets are.
    below = [folder for folder in folders[1:] if _exists(target, folder)]
    if below and not _exists(target, folders[0]):
        return os.path.relpath(os.path.join(below[0], target), folders[0])
    # Words that only look like a path stay as they were typed.
    return os.path.normpath(target) if "/" in target else target


class ProjectPrecedents(Record):
    """`project` is the project's key, `checkout` and `branch` are as precedents say them, `now` in seconds since the
    epoch.

    `folders`: where a target may stand, that of the work tree first; sessions may be started in a folder below it.
    `enabled` False: none is kept or shown to readers.
    """

    state_dir: str
    project: str
    checkout: str
    folders: tuple[str, ...]
    branch: str
    now: float
    enabled: bool

    @property
    def since(self) -> float:
        """The moment before which precedents have ended."""
        return self.now - KEPT_DAYS * DAY_SECONDS

    def has_ended(self, one: Precedent) -> bool:
        return one.at < self.since

    def all(self, *, every_project: bool = False) -> tuple[Precedent, ...]:
        """All precedents, newest first, ended ones too. Raises StateError."""
        return History(self.state_dir, self.now).precedents(None if every_project else self.project)

    def named(self, prefix: str) -> Precedent:
        """The precedent whose id begins so, of this project before any other. Raises StateError."""
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
        """Keeps precedents, all or none; one with the same id is replaced. Raises StateError."""
        self.replace_all((), precedents)

    def replace_all(self, gone: Collection[str], fresh: Collection[Precedent]) -> None:
        """Replaces the project's precedents, all or none. Raises StateError."""
        if gone or fresh:
            with self._store() as store, store.together():
                store.forget_precedents(gone)
                for one in fresh:
                    store.keep_precedent(one)

    def forget(self, ids: Collection[str]) -> int:
        """Deletes precedents; how many there were; the file holds no byte of them. Raises StateError."""
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


def memory_of(state_dir: str, project_dir: str, settings: MemorySettings) -> ProjectPrecedents:
    """The precedents of the project in a folder, which is resolved."""
    root = project_root(project_dir)
    return ProjectPrecedents(
        state_dir=state_dir,
        project=key_of(state_dir, project_dir),
        checkout=main_root(root) or root,
        folders=tuple(dict.fromkeys((root, project_dir))),
        branch=branch_of(root)[0],
        now=time.time(),
        enabled=settings.enabled,
    )


def here() -> ProjectPrecedents:
    """The precedents of the working directory's project. Raises StateError."""
    found = checks_here()
    return memory_of(found.state_dir, found.project_dir, found.loaded.settings.memory)
