"""Rewrites a JSON text so that it holds another value and changes no more characters than that needs.

Pure; knows nothing of settings. Order, indentation, number spellings and escapes of what stays are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import cast

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of a container: `start` is where its key (or its value) begins, `at` where its value does.

    `gap` is the text between it and what stands before it, the comma included.
    """

    key: str | None
    gap: str
    start: int
    at: int
    end: int
    value: object


@dataclass(frozen=True, slots=True)
class _Layout:
    unit: str
    newline: str

    def indent(self, depth: int) -> str:
        return self.newline + self.unit * depth

    def render(self, value: object, depth: int) -> str:
        """One member a line, as it stands `depth` levels deep; the first line is not indented."""
        text = json.dumps(value, indent=self.unit, ensure_ascii=False)
        return text.replace("\n", self.indent(depth))


def rewrite(text: str, value: object) -> str:
    """`text` changed to say `value`. Raises ValueError if `text` is not exactly one JSON document.

    Of members with the same key the last one counts, as in every common parser.
    """
    start = _skip(text, 0)
    before, end = cast(tuple[object, int], _DECODER.raw_decode(text, start))
    if _skip(text, end) != len(text):
        raise ValueError("more than one JSON document")
    layout = _Layout(_unit(text), "\r\n" if "\r\n" in text else "\n")
    return text[:start] + _changed(text[start:end], before, value, layout, 0) + text[end:]


def render(value: object) -> str:
    """A fresh document, two spaces deep, with a final newline."""
    return _Layout("  ", "\n").render(value, 0) + "\n"


def _changed(text: str, before: object, after: object, layout: _Layout, depth: int) -> str:
    """The text of one value, from its first to its last character."""
    if _same(before, after):
        return text
    if isinstance(before, dict) and isinstance(after, dict):
        plan = _object_plan(_members(text), cast(Mapping[str, object], after))
    elif isinstance(before, list) and isinstance(after, list):
        plan = _array_plan(_members(text), cast(Sequence[object], after))
    else:
        return layout.render(after, depth)
    return _assembled(text, list(plan), layout, depth)


# A plan lists the members of the changed container: (the old member or None, the key, the value to hold).
_Step = tuple[_Member | None, str | None, object]


def _object_plan(members: Sequence[_Member], after: Mapping[str, object]) -> Iterator[_Step]:
    last = {member.key: member for member in members}
    for member in members:
        if member.key is not None and member.key in after:
            counts = member is last[member.key]
            yield member, member.key, after[member.key] if counts else member.value
    for key, value in after.items():
        if key not in last:
            yield None, key, value


def _array_plan(members: Sequence[_Member], after: Sequence[object]) -> Iterator[_Step]:
    old = [_canonical(member.value) for member in members]
    new = [_canonical(value) for value in after]
    for tag, first, past, at, until in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for step in range(until - at):
            stays = tag in ("equal", "replace") and first + step < past
            yield (members[first + step] if stays else None), None, after[at + step]


def _assembled(text: str, plan: Sequence[_Step], layout: _Layout, depth: int) -> str:
    members = _members(text)
    opening = members[0].gap if members else layout.indent(depth + 1)
    closing = text[members[-1].end : -1] if members else layout.indent(depth)
    if not plan:
        return text[0] + text[-1]
    parts: list[str] = []
    for number, (member, key, value) in enumerate(plan):
        between = "," + (opening or " ")
        if number == 0:
            between = opening
        elif member is not None and member.start != members[0].start:
            between = member.gap
        if member is not None:
            old = text[member.at : member.end]
            parts += [between, text[member.start : member.at]]
            parts.append(_changed(old, member.value, value, layout, depth + 1))
        else:
            name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
            parts += [between, name, layout.render(value, depth + 1)]
    return text[0] + "".join(parts) + closing + text[-1]


def _members(text: str) -> list[_Member]:
    """The members of an object or array whose text, brackets included, is valid JSON."""
    found: list[_Member] = []
    named = text[0] == "{"
    position = 1
    while True:
        start = _skip(text, position)
        if found and text[start] == ",":
            start = _skip(text, start + 1)
        if text[start] in "}]":
            return found
        key, at = None, start
        if named:
            key, at = cast(tuple[str, int], _DECODER.raw_decode(text, start))
            at = _skip(text, _skip(text, at) + 1)
        value, end = cast(tuple[object, int], _DECODER.raw_decode(text, at))
        found.append(_Member(key, text[position:start], start, at, end, value))
        position = end


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    assert match is not None
    return match.end()


def _unit(text: str) -> str:
    """The indentation of the first indented line; two spaces where there is none."""
    match = re.search(r"\n([ \t]+)\S", text)
    return match.group(1) if match else "  "


def _same(one: object, other: object) -> bool:
    return _canonical(one) == _canonical(other)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)
