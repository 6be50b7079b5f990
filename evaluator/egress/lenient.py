"""What a reader's text may look like where its server was seen not to mind the schema. Pure.

After one leading closed `<think>` and inside one fence there is exactly one object, and nothing but white space
around it: where anything else stood beside it, a quote out of a slot could pass as the answer. Values are read
as they were meant only where that can be meant in one way; a score is never guessed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, cast

from evaluator.egress.schema import schema_of
from evaluator.model import ACTIONS, CONCERNS, EXTENTS, Look

THINK, THOUGHT = "<think>", "</think>"

_FENCED = re.compile(r"```[A-Za-z]{0,10}[ \t]*\r?\n(.*)\n[ \t]*```", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
_BOOLEANS: Final[Mapping[str, bool]] = {"true": True, "false": False}

NEAR_ACTIONS: Final[Mapping[str, str]] = {
    "answering": "answer", "explain": "answer", "question": "answer", "reply": "answer", "review": "answer",
    "write": "create", "creating": "create", "generate": "create", "new": "create",
    "append": "add", "adding": "add", "implement": "add", "insert": "add", "extend": "add",
    "edit": "change", "modify": "change", "update": "change", "replace": "change", "overwrite": "change",
    "changing": "change", "alter": "change", "adjust": "change",
    "bugfix": "fix", "fixing": "fix", "repair": "fix", "correct": "fix", "debug": "fix",
    "renaming": "rename",
    "moving": "move", "relocate": "move",
    "remove": "delete", "deleting": "delete", "drop": "delete", "erase": "delete",
    "refactoring": "refactor", "restructure": "refactor", "reorganize": "refactor", "rewrite": "refactor",
    "configuration": "configure", "config": "configure", "setup": "configure", "set_up": "configure",
    "execute": "run", "running": "run", "test": "run", "install": "run",
    "unknown": "other", "unclear": "other",
}  # fmt: skip
NEAR_EXTENTS: Final[Mapping[str, str]] = {
    "place": "one_place", "single_place": "one_place", "one_line": "one_place", "line": "one_place",
    "function": "one_place", "one_function": "one_place",
    "file": "one_file", "single_file": "one_file", "onefile": "one_file",
    "directory": "folder", "one_folder": "folder", "package": "folder", "module": "folder",
    "repository": "project", "repo": "project", "codebase": "project", "whole_project": "project",
    "outside": "beyond", "beyond_project": "beyond", "external": "beyond",
}  # fmt: skip
NEAR_CONCERNS: Final[Mapping[str, str]] = {
    "null": "none", "no": "none", "no_concern": "none", "nothing": "none", "n/a": "none",
    "targets": "target", "wrong_target": "target", "ambiguous_target": "target",
    "scope_drift": "scope", "scope_creep": "scope", "extent": "scope",
    "missing_context": "context", "lack_of_context": "context",
    "destruction": "destructive", "data_loss": "destructive", "loss": "destructive",
}  # fmt: skip
"""Words that models put for those of the schema, all of them; any other word makes the sample invalid."""


def only_text(text: str) -> str:
    """`text` without one leading closed think block and one fence around the rest. Raises ValueError for a block
    that is not closed, or that opens a second time.
    """
    rest = text.strip().removeprefix("\ufeff").lstrip()
    if rest.startswith(THINK):
        thought, closed, rest = rest.removeprefix(THINK).partition(THOUGHT)
        if not closed:
            raise ValueError("the reply thinks and does not come to an end")
        if THINK in thought:
            raise ValueError("the reply thinks twice")
    rest = rest.strip()
    fenced = _FENCED.fullmatch(rest)
    return fenced[1].strip() if fenced else rest


def as_meant(value: Mapping[str, object], look: Look, *, blind: bool) -> dict[str, object]:
    """The keys of the schema, with what is plainly meant in their place; what is not plain stays and is invalid.

    Raises ValueError where two keys differ in nothing that a reader sees, or where an unasked key holds an object:
    that may be an answer out of a slot.
    """
    found = _known(value, tuple(cast("list[str]", schema_of(look, blind=blind)["required"])))
    if look == "second":
        found.setdefault("rival", None)
    if "score" in found:
        found["score"] = _number(found["score"])
    if "fits" in found:
        found["fits"] = _boolean(found["fits"])
    if "primary_concern" in found:
        concern = found["primary_concern"]
        found["primary_concern"] = _near("null" if concern is None else concern, CONCERNS, NEAR_CONCERNS)
    reading = found.get("reading")
    if isinstance(reading, dict):
        inner = _known(cast("dict[str, object]", reading), ("action", "target", "extent"))
        if "action" in inner:
            inner["action"] = _near(inner["action"], ACTIONS, NEAR_ACTIONS)
        if "extent" in inner:
            inner["extent"] = _near(inner["extent"], EXTENTS, NEAR_EXTENTS)
        found["reading"] = inner
    return found


def _known(value: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    seen = [unicodedata.normalize("NFKC", name).strip().casefold() for name in value]
    if len(set(seen)) != len(seen):
        raise ValueError("a key is given twice")
    if any(_holds_object(held) for name, held in value.items() if name not in names):
        raise ValueError("an unasked key holds an object")
    return {name: value[name] for name in names if name in value}


def _holds_object(value: object) -> bool:
    if isinstance(value, list):
        return any(_holds_object(one) for one in cast("list[object]", value))
    return isinstance(value, dict)


def _number(value: object) -> object:
    """A JSON number that was written as a string; anything else as it is."""
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) else value


def _boolean(value: object) -> object:
    return _BOOLEANS.get(value.strip().lower(), value) if isinstance(value, str) else value


def _near(value: object, words: tuple[str, ...], near: Mapping[str, str]) -> object:
    if not isinstance(value, str):
        return value
    word = value.strip().casefold().replace("-", "_").replace(" ", "_")
    return word if word in words else near.get(word, value)
