"""The precedents of a project: what one may say, where they are kept, and the glossary that a team committed.

The gate never opens the glossary: when its user trusts it, its entries become precedents of this checkout.
"""

from __future__ import annotations

import os
import stat
import time
import unicodedata
from collections.abc import Collection
from contextlib import closing

from compass.composition.settings import here as checks_here
from evaluator.errors import ConfigError, StateError
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents import TEXT_CHARS_MAX, Precedent, parsed_glossary
from evaluator.record import Record
from evaluator.settings.keys import KEPT_DAYS, MemorySettings
from evaluator.settings.places import SHARED, main_root, project_root, recorded_key
from evaluator.state.erasure import erase_precedents
from evaluator.state.history import History
from evaluator.state.store import open_store
from evaluator.text import DAY_SECONDS, RANDOM_BYTES, ulid

GLOSSARY = os.path.join(SHARED, "glossary.md")
GLOSSARY_BYTES_MAX = 64 * 1024
_UNSEEN = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Turn the direction of text, so that it reads as something else."""


class Stated(Record):
    """What somebody says that words mean, in a precedent's fields. `target` is relative to the work tree's root."""

    term: str
    said: str
    action: str
    target: str
    extent: str


def faults_of(stated: Stated | Precedent, root: str) -> list[str]:
    """What is wrong with it, a clause a fault that names the field; `root` is that of the work tree."""
    found = [
        f"{name}: {why}"
        for name in ("term", "said", "target")
        if (why := _precedent_text_fault(getattr(stated, name)))
    ]
    found += [f"{name}: is empty" for name in ("term", "target") if not getattr(stated, name)]
    for name, choices in (("action", ACTIONS), ("extent", EXTENTS)):
        value = getattr(stated, name)
        if value and value not in choices:
            found.append(f"{name}: {value[:40]!r} is not one of {', '.join(choices)}; leave it empty for any")
    if not found and not _is_inside_project(stated.target, root):
        words = f"{stated.term}\n{stated.said}".casefold()
        if stated.target.casefold() not in words:
            found.append(f"target: {stated.target!r} is neither in {root} nor among the words of `said`")
    return found


def _precedent_text_fault(text: str) -> str:
    if len(text) > TEXT_CHARS_MAX:
        return f"{len(text)} characters; at most {TEXT_CHARS_MAX} are kept"
    if any(char in _UNSEEN or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text):
        return "contains a line break or an invisible character"
    return ""


def _is_inside_project(target: str, root: str) -> bool:
    """Whether it names something in the work tree; a link that leads out of it does not count."""
    try:
        at = os.path.realpath(os.path.join(root, target))
    except (OSError, ValueError):
        return False
    return os.path.lexists(at) and (at == root or at.startswith(os.path.join(root, "")))


class ProjectPrecedents(Record):
    """`project` is the project's key, `checkout` is as precedents say it, `root` is that of the work tree, `now` in
    seconds since the epoch. `enabled` False: none is kept or shown to readers."""

    state_dir: str
    project: str
    checkout: str
    root: str
    now: float
    enabled: bool

    def all(self) -> tuple[Precedent, ...]:
        """The project's precedents that have not expired, newest first. Raises StateError."""
        since = self.now - KEPT_DAYS * DAY_SECONDS
        kept = History(self.state_dir, self.now).precedents(self.project)
        return tuple(one for one in kept if one.at >= since)

    def named(self, precedent_id: str) -> Precedent:
        """Raises StateError where this project has none of that id."""
        found = next((one for one in self.all() if one.precedent_id == precedent_id.strip().upper()), None)
        if found is None:
            raise StateError(f"no precedent {precedent_id[:60]!r}; `compass memory list` shows the ids")
        return found

    def replace_all(self, gone: Collection[str], fresh: Collection[Precedent]) -> None:
        """Replaces precedents of the project, all or none; one with the same id is replaced. Raises StateError."""
        opened = open_store(self.state_dir, now=self.now)
        with closing(opened.store) as store:
            if opened.fault is not None:
                raise StateError(opened.newer or opened.fault)
            with store.together():
                store.forget_precedents(gone)
                for one in fresh:
                    store.keep_precedent(one)
            if store.faults:
                raise StateError(f"{store.faults[-1]}; nothing was changed")

    def forget(self, ids: Collection[str]) -> None:
        """Deletes precedents; the file holds no byte of them. Raises StateError."""
        erase_precedents(self.state_dir, ids, self.now)

    def of_glossary(self) -> tuple[Precedent, ...]:
        """What was taken over from the glossary of this checkout. Raises StateError."""
        return tuple(one for one in self.all() if one.source == "glossary" and one.checkout == self.checkout)


def precedents_of(state_dir: str, project_dir: str, settings: MemorySettings) -> ProjectPrecedents:
    """The precedents of the project in a folder, which is resolved."""
    root = project_root(project_dir)
    return ProjectPrecedents(
        state_dir=state_dir, project=recorded_key(state_dir, project_dir), checkout=main_root(root) or root,
        root=root, now=time.time(), enabled=settings.enabled,
    )  # fmt: skip


def precedents_here() -> ProjectPrecedents:
    """The precedents of the working directory's project. Raises StateError."""
    found = checks_here()
    return precedents_of(found.state_dir, found.project_dir, found.loaded.settings.memory)


class OfferedGlossary(Record):
    """What lies in the project. `left_out` are its lines that are no entries and why; `taken`: all of it counts."""

    stated: tuple[Stated, ...]
    left_out: tuple[str, ...]
    taken: bool


def offered_glossary(memory: ProjectPrecedents, project_dir: str) -> OfferedGlossary | None:
    """The glossary committed in a project, None without one. Raises ConfigError for an unreadable file, StateError."""
    text = _read_project_glossary(os.path.join(project_dir, GLOSSARY))
    if text is None:
        return None
    found = parsed_glossary(text)
    stated: list[Stated] = []
    left_out = list(found.faults)
    for entry in found.entries:
        one = Stated(entry.term, "", entry.action, entry.target, entry.extent)
        faults = faults_of(one, memory.root)
        if faults:
            left_out.append(f"line {entry.line}: {'; '.join(faults)}")
        else:
            stated.append(one)
    kept = {(one.term, one.action, one.target, one.extent) for one in memory.of_glossary()}
    taken = kept == {(one.term, one.action, one.target, one.extent) for one in stated}
    return OfferedGlossary(tuple(stated), tuple(left_out), taken)


def take_glossary(memory: ProjectPrecedents, stated: Collection[Stated]) -> None:
    """Puts a glossary's entries in place of those that were taken over before. Raises StateError."""
    fresh = [
        Precedent(
            precedent_id=ulid(memory.now, os.urandom(RANDOM_BYTES)), project=memory.project, checkout=memory.checkout,
            session_id="", check_id="", at=memory.now, source="glossary", term=one.term, said=one.said,
            action=one.action, target=one.target, extent=one.extent, tightens=False,
        )
        for one in stated
    ]  # fmt: skip
    memory.replace_all([one.precedent_id for one in memory.of_glossary()], fresh)


def _read_project_glossary(path: str) -> str | None:
    """None without the file. Raises ConfigError; a link or a pipe is nothing that could be trusted."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
            content = os.read(descriptor, GLOSSARY_BYTES_MAX + 1) if regular else None
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; an unreadable file cannot be trusted") from None
    if content is None or len(content) > GLOSSARY_BYTES_MAX:
        raise ConfigError(f"{path}: must be a regular file of at most {GLOSSARY_BYTES_MAX // 1024} KB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text; an unreadable file cannot be trusted") from None
