"""The precedents of a project: what one may say, where they are kept, as a form in an editor, and as JSON lines."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import time
import unicodedata
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from compass.composition.settings import here as checks_here
from evaluator.errors import ConfigError, PayloadError, StateError
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents import SOURCES, TEXT_CHARS_MAX, Precedent
from evaluator.record import Record, values_of
from evaluator.settings.keys import KEPT_DAYS, MemorySettings
from evaluator.settings.places import branch_of, main_root, project_root, resolved
from evaluator.settings.record import key_of
from evaluator.state.erasure import erase_precedents
from evaluator.state.history import History
from evaluator.state.store import Store, open_store
from evaluator.text import DAY_SECONDS, LAST_SECOND, RANDOM_BYTES, is_ulid, ulid

_UNSEEN = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Turn the direction of text, so that it reads as something else."""
_WANTED = {
    "term": "the open words, such as `the parser`",
    "target": "what they mean, such as `src/json/parser.py`",
}
LISTED_MAX = 10
FALLBACK = "vi"
LINES_MAX = 1_000
LINE_CHARS_MAX = 16_000
AHEAD_SECONDS = 86_400.0
"""How far another machine's clock may be ahead."""
_MAY_TIGHTEN = frozenset(("cancelled", "edited", "imported"))


class Stated(Record):
    """What somebody says that words mean; the fields are those of a precedent."""

    term: str
    said: str
    action: str
    target: str
    extent: str


def tidied(stated: Stated, folders: Sequence[str]) -> Stated:
    """Without blanks around; a target in one of the project's folders as a path relative to it."""
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
        f"{name}: is empty; say {wanted}" for name, wanted in _WANTED.items() if not getattr(stated, name)
    ]
    for name, choices in (("action", ACTIONS), ("extent", EXTENTS)):
        value = getattr(stated, name)
        if value and value not in choices:
            found.append(
                f"{name}: {value[:40]!r} is none of {', '.join(choices)}; leave it empty where it is open"
            )
    if stated.target and not found:
        found += _of_target(stated, folders)
    return found


def _text(text: str) -> str:
    if len(text) > TEXT_CHARS_MAX:
        return f"{len(text)} characters; at most {TEXT_CHARS_MAX} are kept"
    if any(char in _UNSEEN or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text):
        return "holds a line end or a character that cannot be seen; take it out"
    return ""


def _of_target(stated: Stated, folders: Sequence[str]) -> list[str]:
    path = stated.target
    if os.path.isabs(path) or path.split("/", 1)[0] == "..":
        return [f"target: {path!r} lies outside of {folders[0]}; name one inside"]
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
        """What is older has ended."""
        return self.now - KEPT_DAYS * DAY_SECONDS

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


def memory_of(state_dir: str, project_dir: str, settings: MemorySettings) -> ProjectPrecedents:
    """Of the project in a folder, which is resolved."""
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
    """Of the working directory. Raises StateError."""
    found = checks_here()
    return memory_of(found.state_dir, found.project_dir, found.loaded.settings.memory)


NAMES = Stated.__match_args__


def stated_of(one: Precedent) -> Stated:
    return Stated(*(getattr(one, name) for name in NAMES))


def form_of(stated: Stated, what: str, faults: tuple[str, ...] = ()) -> str:
    """`what` is told on top, and below it what was wrong with the last try."""
    wrong = [f"# Not taken: {fault}" for fault in faults]
    told = [
        f"# {what}",
        *wrong,
        "# Lines that begin with # are left out. An empty file changes nothing.",
        f"# Each at most {TEXT_CHARS_MAX} characters, on one line. `said` are your own words.",
        f"# action: {', '.join(ACTIONS)}; or nothing",
        f"# extent: {', '.join(EXTENTS)}; or nothing",
        "# target: a path of this project, or what stands in `said`",
    ]
    return "\n".join([*told, "", *(f"{name}: {getattr(stated, name)}" for name in NAMES), ""])


def read_form(text: str) -> Stated | None:
    """None for a form that was emptied. Raises PayloadError, naming the line."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon or name not in NAMES:
            raise PayloadError(f"line {number}: begins with none of {', '.join(f'{one}:' for one in NAMES)}")
        if name in found:
            raise PayloadError(f"line {number}: {name} is said twice")
        found[name] = value.strip()
    if not found:
        return None
    missing = [name for name in NAMES if name not in found]
    if missing:
        raise PayloadError(
            f"{missing[0]}: its line is gone; leave the line and empty what is behind the colon"
        )
    return Stated(**found)


def editor_of(env: Mapping[str, str]) -> str:
    """The command of the editor that the user named; empty where they named none."""
    return env.get("VISUAL") or env.get("EDITOR") or ""


def edited(text: str, command: str) -> str:
    """What the user made of the text. Raises ConfigError where the editor did not end well."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise ConfigError(f"EDITOR: {command[:60]!r} is no command line")
    handle, path = tempfile.mkstemp(prefix="compass-precedent-", suffix=".txt")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        try:
            code = subprocess.run([*words, path], check=False).returncode  # noqa: S603 - the user's own editor
        except OSError as error:
            raise ConfigError(
                f"{words[0]}: cannot be started: {error.strerror}; set EDITOR, or give --term, --target and the like"
            ) from None
        if code:
            raise ConfigError(f"{words[0]} ended with {code}; nothing was changed")
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    finally:
        os.unlink(path)


class Read(Record):
    """What a file holds. `fresh` are to be kept; `known` stand here already, `ended` are too old to count.

    `faults` name each line that does not fit, and why.
    """

    fresh: tuple[Precedent, ...]
    known: int
    ended: int
    faults: tuple[str, ...]


def document(one: Precedent) -> dict[str, object]:
    return dict(values_of(one))


def line_of(one: Precedent) -> str:
    """ASCII, so that it survives whatever it is sent through."""
    return json.dumps(document(one))


def read(text: str, memory: ProjectPrecedents) -> Read:
    """Of this project and this checkout, whatever the lines say of theirs. Keeps nothing. Raises StateError."""
    fresh: list[Precedent] = []
    faults: list[str] = []
    known = ended = 0
    here = memory.all()
    ids = {one.precedent_id for one in here}
    said = {_meaning(one) for one in here if one.checkout == memory.checkout}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if len(fresh) + known + ended + len(faults) == LINES_MAX:
            faults.append(f"line {number}: more than {LINES_MAX} lines; split the file")
            break
        found = _from_line(line, memory)
        if isinstance(found, str):
            faults.append(f"line {number}: {found}")
        elif found[0] in ids or _meaning(found[1]) in said:
            known += 1
        elif memory.has_ended(found[1]):
            ended += 1
        else:
            fresh.append(found[1])
            said.add(_meaning(found[1]))
    return Read(tuple(fresh), known, ended, tuple(faults))


def _from_line(line: str, memory: ProjectPrecedents) -> tuple[str, Precedent] | str:
    """The id in the file and the precedent that it becomes; in words, why it becomes none."""
    held = _object(line)
    if isinstance(held, str):
        return held
    texts: dict[str, str] = {}
    for name in ("term", "said", "action", "target", "extent", "branch", "source"):
        value = held.get(name)
        if not isinstance(value, str):
            return f"{name}: must be a text"
        texts[name] = value
    at, tightens = held.get("at"), held.get("tightens")
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 < at <= LAST_SECOND:
        return "at: must be seconds since the epoch"
    if at > memory.now + AHEAD_SECONDS:
        return "at: lies in the future; what outlives its days counts for ever"
    if not isinstance(tightens, bool):
        return "tightens: must be true or false"
    source = texts["source"]
    if source not in SOURCES:
        return f"source: {source[:40]!r} is none of {', '.join(SOURCES)}"
    if tightens and source not in _MAY_TIGHTEN:
        return f"tightens: what was {source} says what is meant, not what is not; it cannot be true"
    if not tightens and source == "cancelled":
        return "tightens: what was cancelled says only what was not meant; it cannot be false"
    if len(texts["branch"]) > TEXT_CHARS_MAX or not texts["branch"].isprintable():
        return "branch: is no name of a branch"
    stated = tidied(Stated(*(texts[name] for name in Stated.__match_args__)), memory.folders)
    faults = faults_of(stated, memory.folders)
    if faults:
        return "; ".join(faults)
    own = held.get("precedent_id")
    when = min(float(at), memory.now)
    made = Precedent(
        precedent_id=ulid(when, os.urandom(RANDOM_BYTES)),
        project=memory.project,
        checkout=memory.checkout,
        branch=texts["branch"],
        session_id="",
        check_id="",
        at=when,
        source="imported",
        tightens=tightens,
        term=stated.term,
        said=stated.said,
        action=stated.action,
        target=stated.target,
        extent=stated.extent,
    )
    return (own if isinstance(own, str) and is_ulid(own) else ""), made


def _object(line: str) -> Mapping[str, object] | str:
    if len(line) > LINE_CHARS_MAX:
        return f"{len(line)} characters are no precedent"
    try:
        held = cast(object, json.loads(line))
    except (ValueError, RecursionError):
        return "no JSON; each line is one object, as `compass memory export` prints them"
    return cast(dict[str, object], held) if isinstance(held, dict) else "no JSON object"


def _meaning(one: Precedent) -> tuple[object, ...]:
    """Two precedents with the same say the same."""
    return (one.term.casefold(), one.said, one.action, one.target, one.extent, one.tightens, one.branch)
