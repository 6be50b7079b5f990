"""What stands around a line and belongs to it: the fields of its object, what follows a heading, a table's columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

REACH_LINES = 40
"""How far the fields of an object are looked for."""
FIELDS_MAX = 6
FOLLOWING_MAX = 4
OBJECT_CHARS_MAX = 300
HEADER_CHARS_MAX = 120
HEADER_SOURCE_MAX = 400

_KEYED = re.compile(
    r"""\s*(?:-\s+)?(?P<key>"[^"\n]{1,80}"|'[^'\n]{1,80}'|[\w./@-]{1,80})\s*(?::(?:\s+|$)|\s=\s)(?P<value>.*)"""
)
_OPENS = re.compile(r"[\[{]\s*$|[|>][-+]?\s*$")
_HEADING = re.compile(r"^(?:==>.*<==|commit [0-9a-f]{7,}\b.*|.*:)\s*$")
_FILE_NAME = re.compile(r"^==>.*<==$")
_RULE = frozenset(" \t+|=-")
_SEPARATORS = (",", "\t", "|")


def around(lines: Sequence[str], index: int, *, joins: bool) -> str:
    """The line at `index`, joined with what belongs to it, by single spaces; bounded in lines, not in characters.

    `joins` False: only the name of a file is joined, with how the file begins.
    """
    line = lines[index]
    found = _KEYED.match(line) if joins else None
    if found is not None:
        chosen = _children(lines, index) if not found["value"].strip() or _OPENS.search(line) else []
        chosen = chosen or _siblings(lines, index)
        return " ".join(lines[at].strip() for at in sorted({index, *chosen}))
    if (_HEADING if joins else _FILE_NAME).match(line.strip()):
        following: list[str] = []
        for next_line in map(str.strip, lines[index + 1 : index + 1 + 3 * FOLLOWING_MAX]):
            if _HEADING.match(next_line) or len(following) == FOLLOWING_MAX:
                break
            if re.search(r"\w", next_line) and not _OPENS.search(next_line):
                following.append(next_line)
        return " ".join((line.strip(), *following))
    return line.strip()


def object_in(line: str, start: int, end: int) -> str:
    """The innermost braces around a place of a long line, if they are short; else the line itself."""
    opened = line.rfind("{", max(0, start - OBJECT_CHARS_MAX), start)
    closed = line.find("}", end, end + OBJECT_CHARS_MAX)
    return line[opened : closed + 1] if 0 <= opened < closed <= opened + OBJECT_CHARS_MAX else line


def header_of(lines: Sequence[str]) -> str:
    """The names of the columns of a table, empty where the first line is none."""
    shown = [line for line in lines[:4] if line.strip()]
    if len(shown) < 2:
        return ""
    first, second = shown[0].strip()[:HEADER_SOURCE_MAX], shown[1].strip()
    words = first.split()
    ruled = "--" in second and set(second) <= _RULE
    columns = len(words) > 1 and first.upper() == first and any(word.isalpha() for word in words)
    titled = len(re.split(r"\s{2,}", first)) > 2 and all(
        word[0].isupper() and not any(map(str.isdigit, word)) for word in words
    )
    if not (ruled or columns or titled or any(_is_named_by(first, mark) for mark in _SEPARATORS)):
        return ""
    return first[:HEADER_CHARS_MAX]


def is_row(header: str, line: str) -> bool:
    """Whether the columns are those of this line: of values between separators there are as many."""
    mark = next((mark for mark in _SEPARATORS if _is_named_by(header, mark)), "")
    return line.strip() != header and (not mark or line.count(mark) == header.count(mark))


def _is_named_by(header: str, mark: str) -> bool:
    cells = header.split(mark)
    return len(cells) > 1 and all(re.fullmatch(r"\s*[A-Za-z_][A-Za-z_ .()*]{0,40}", cell) for cell in cells)


def _indent(line: str) -> int:
    """Where the key stands: behind the dash of a list."""
    bare = line.lstrip()
    dash = re.match(r"-\s+", bare)
    return len(line) - len(bare) + (dash.end() if dash else 0)


def _siblings(lines: Sequence[str], index: int) -> list[int]:
    """Lines of the scalar fields of the same object, the nearest, without those that repeat a key; where there is room
    also of objects in it; and the key above it.
    """
    own, keys = _indent(lines[index]), {_key(lines[index])}
    places = [range(index + 1, min(len(lines), index + 1 + REACH_LINES))]
    if not _is_item(lines[index]):
        places.append(range(index - 1, max(-1, index - 1 - REACH_LINES), -1))
    found = [at for one in places for at in _run(lines, one, own, keys)]
    found.sort(key=lambda at: (_indent(lines[at]) != own, abs(at - index)))
    return [*found[:FIELDS_MAX], *_above(lines, index, own)]


def _run(lines: Sequence[str], places: range, own: int, keys: set[str]) -> list[int]:
    found: list[int] = []
    for at in places:
        line = lines[at]
        indent, item = _indent(line), _is_item(line)
        if not line.strip() or indent < own or (item and indent == own and places.step > 0):
            break
        field = _KEYED.match(line)
        if field is not None and indent == own and _key(line) in keys:
            break
        if field is not None and field["value"].strip() and not _OPENS.search(line):
            found.append(at)
            if indent == own:
                keys.add(_key(line))
        if item and indent == own:
            break
    return found


def _above(lines: Sequence[str], index: int, own: int) -> list[int]:
    """The line of the key that holds the object."""
    for at in range(index - 1, max(-1, index - 1 - REACH_LINES), -1):
        found = _KEYED.match(lines[at])
        if not lines[at].strip():
            break
        if _indent(lines[at]) < own:
            named = found is not None and (not found["value"].strip() or _OPENS.search(lines[at]))
            return [at] if named else []
    return []


def _children(lines: Sequence[str], index: int) -> list[int]:
    """Lines of the scalar fields directly below a key."""
    own, inner = _indent(lines[index]), -1
    found: list[int] = []
    for at in range(index + 1, min(len(lines), index + 1 + REACH_LINES)):
        line = lines[at]
        if not line.strip() or _indent(line) <= own or len(found) == FIELDS_MAX:
            break
        inner = _indent(line) if inner < 0 else inner
        if _indent(line) == inner and not _OPENS.search(line):
            found.append(at)
    return found


def _is_item(line: str) -> bool:
    return re.match(r"\s*-\s", line) is not None


def _key(line: str) -> str:
    found = _KEYED.match(line)
    return found["key"].strip("\"'") if found else line.strip()
