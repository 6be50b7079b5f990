"""A committed `.compass/glossary.md` that its user trusted: its entries as precedents of this checkout.

The gate knows these precedents alone, and never opens the file. What is committed later is not read until it is
trusted, too: the pin is the digest of what was. What the user settled about the same words stays newer than an entry.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Sequence
from typing import Literal, cast

from compass.project_precedents import ProjectPrecedents, Stated, faults_of, tidied
from evaluator.errors import ConfigError
from evaluator.files import replace_private
from evaluator.precedents import Precedent, looked_for, parsed_glossary
from evaluator.record import Record
from evaluator.settings.files import read_settings
from evaluator.settings.places import SHARED
from evaluator.settings.project_record import key_of, read_pins
from evaluator.text import RANDOM_BYTES, ulid

NAME = "glossary.md"
COMMITTED = os.path.join(SHARED, NAME)
BYTES_MAX = 64 * 1024
OLDER_SECONDS = 1.0

Standing = Literal["", "unread", "changed", "trusted"]
"""Of the file: not there, never trusted, changed since it was trusted, as it was trusted."""
TOLD: dict[Standing, str] = {
    "unread": "not read until you take it over with `compass trust`",
    "changed": "changed since you trusted it, and not read until you trust it again; what you took over still counts",
    "trusted": "read as you trusted it",
}


class OfferedGlossary(Record):
    """What lies in the project. `stated` are its entries, `left_out` its lines that are none and why.

    `pinned`: this content is what the user trusted, and all of it counts still.
    """

    digest: str
    stated: tuple[Stated, ...]
    left_out: tuple[str, ...]
    pinned: bool


def standing(state_dir: str, project_dir: str) -> Standing:
    """How the committed glossary stands; opens the file only where a pin stands to compare it with."""
    path = os.path.join(project_dir, COMMITTED)
    if not os.path.lexists(path):
        return ""
    pin = _pins(state_dir, project_dir).get(project_dir)
    if pin is None:
        return "unread"
    try:
        return "trusted" if _digest(_content(path) or b"") == pin else "changed"
    except ConfigError:
        return "changed"


def offered(memory: ProjectPrecedents, project_dir: str) -> OfferedGlossary | None:
    """The glossary committed in a project, None without one. Raises ConfigError for a file that cannot be read,
    StateError."""
    path = os.path.join(project_dir, COMMITTED)
    content = _content(path)
    if content is None:
        return None
    try:
        found = parsed_glossary(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text: what cannot be read cannot be trusted") from None
    stated: list[Stated] = []
    left_out = list(found.faults)
    for entry in found.entries:
        one = tidied(Stated(entry.term, "", entry.action, entry.target, entry.extent), memory.folders)
        faults = faults_of(one, memory.folders)
        if faults:
            left_out.append(f"line {entry.line}: {'; '.join(faults)}")
        else:
            stated.append(one)
    digest = _digest(content)
    pinned = _pins(memory.state_dir, project_dir).get(project_dir) == digest
    return OfferedGlossary(
        digest, tuple(stated), tuple(left_out), pinned and _counts(memory, project_dir, stated)
    )


def take(memory: ProjectPrecedents, project_dir: str, one: OfferedGlossary) -> None:
    """Takes a committed glossary's entries into the user's memory, the pin first. Raises ConfigError, StateError."""
    everything = memory.all()
    typed = [kept for kept in everything if kept.source != "glossary" and not memory.has_ended(kept)]
    made = [_precedent(memory, stated, typed) for stated in one.stated]
    before = [kept.precedent_id for kept in _own(memory, project_dir, everything)]
    _write(memory.state_dir, project_dir, one.digest, [kept.precedent_id for kept in made])
    memory.replace_all(before, made)


def give_back(memory: ProjectPrecedents, project_dir: str) -> int:
    """Takes a glossary's entries out of the user's memory; how many counted. Raises ConfigError, StateError."""
    own = _own(memory, project_dir, memory.all())
    if own:
        memory.forget([kept.precedent_id for kept in own])
    _write(memory.state_dir, project_dir, None, ())
    return len(own)


def _precedent(memory: ProjectPrecedents, stated: Stated, typed: Sequence[Precedent]) -> Precedent:
    words = set(looked_for(stated.term))
    # One term is the other, or the other with a modifier.
    others = [one.at for one in typed if words <= (said := set(looked_for(one.term))) or said <= words]
    at = min([memory.now, *(other - OLDER_SECONDS for other in others)])
    return Precedent(
        precedent_id=ulid(at, os.urandom(RANDOM_BYTES)),
        project=memory.project,
        checkout=memory.checkout,
        branch=memory.branch,
        session_id="",
        check_id="",
        at=at,
        source="glossary",
        term=stated.term,
        said="",
        action=stated.action,
        target=stated.target,
        extent=stated.extent,
        tightens=False,
    )


def _own(memory: ProjectPrecedents, project_dir: str, everything: Sequence[Precedent]) -> list[Precedent]:
    """The kept entries of this folder's glossary: another one of the work tree may have its own."""
    ids = _kept(_path(memory.state_dir, project_dir)).get(project_dir, ())
    return [one for one in everything if one.source == "glossary" and one.precedent_id in ids]


def _counts(memory: ProjectPrecedents, project_dir: str, stated: Sequence[Stated]) -> bool:
    """Whether each entry is kept; what was edited since is the user's own."""
    everything = memory.all()
    kept = {
        (one.term, one.target) for one in _own(memory, project_dir, everything) if not memory.has_ended(one)
    }
    edited = {one.term for one in everything if one.source == "edited"}
    return all((one.term, one.target) in kept or one.term in edited for one in stated)


def _content(path: str) -> bytes | None:
    """None without the file. Raises ConfigError; a link or a pipe is nothing that could be trusted."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        content = os.read(descriptor, BYTES_MAX + 1) if regular else b""
        os.close(descriptor)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}: what cannot be read cannot be trusted") from None
    if not regular:
        raise ConfigError(f"{path}: not a regular file, so it cannot be trusted")
    if len(content) > BYTES_MAX:
        raise ConfigError(f"{path}: a glossary may have at most {BYTES_MAX // 1024} KB; make it shorter")
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _path(state_dir: str, project_dir: str) -> str:
    return os.path.join(state_dir, key_of(state_dir, project_dir), "glossary.json")


def _pins(state_dir: str, project_dir: str) -> dict[str, str]:
    """The pins of glossaries by the real path of the project's folder: clones share a key."""
    return read_pins(_path(state_dir, project_dir))


def _kept(path: str) -> dict[str, Sequence[str]]:
    """By a project's folder, the ids of its entries; nothing of a file that cannot be read."""
    kept = read_settings(path).section("kept") or {}
    return {
        folder: [str(one) for one in cast("list[object]", ids)]
        for folder, ids in kept.items()
        if isinstance(ids, list)
    }


def _write(state_dir: str, project_dir: str, digest: str | None, ids: Sequence[str]) -> None:
    path = _path(state_dir, project_dir)
    pins, kept = read_pins(path), _kept(path)
    pins.pop(project_dir, None)
    kept.pop(project_dir, None)
    if digest is not None:
        pins[project_dir] = digest
        kept[project_dir] = list(ids)
    try:
        if pins:
            replace_private(path, json.dumps({"trusted": pins, "kept": kept}, indent=2) + "\n")
        elif os.path.lexists(path):
            os.unlink(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
