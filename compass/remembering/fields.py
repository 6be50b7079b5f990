"""What a precedent may say: checked wherever a person, a file or a glossary states one."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence

from evaluator.configuration.project import resolved
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents.precedent import TEXT_CHARS_MAX
from evaluator.record import Record

_UNSEEN = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Turn the direction of text, so that it reads as something else."""


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


_WANTED = {
    "term": "the open words, such as `the parser`",
    "target": "what they mean, such as `src/json/parser.py`",
}


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
