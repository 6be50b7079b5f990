"""The text of a file before and after a call of a file tool, and the lines in which the two differ. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from evaluator.effects import edits_of, text_of
from evaluator.record import Record

TEXT_CHARS_MAX = 100_000
"""A longer text is not looked at."""


class Change(Record):
    """One file. `whole`: both are the file's whole text, else only the parts that the call gives."""

    before: str
    after: str
    whole: bool


class Lines(Record):
    """Rows, from 0, of lines that only one side has, in order. A line that only moved counts on neither side."""

    removed: tuple[int, ...]
    added: tuple[int, ...]


def changes_of(tool: str, given: Mapping[str, object], on_disk: str | None) -> tuple[Change, ...]:
    """`on_disk` is the text of the target, empty for a file that is yet to be created; None: it is not known.

    Empty where what is replaced is not known, or a text is too long.
    """
    found: tuple[Change, ...] = ()
    if tool != "Write":
        found = _edited(given, on_disk)
    elif on_disk is not None:
        found = (Change(on_disk, text_of(given, "content"), whole=True),)
    plain = (Change(_lined(one.before), _lined(one.after), one.whole) for one in found)
    return tuple(plain) if all(_fits(one.before) and _fits(one.after) for one in found) else ()


def _edited(given: Mapping[str, object], on_disk: str | None) -> tuple[Change, ...]:
    edits = edits_of(given)
    after = None if on_disk is None else _applied(on_disk, edits, _replaces_all(given, len(edits)))
    if on_disk is not None and after is not None:
        return (Change(on_disk, after, whole=True),)
    return tuple(Change(old, new, whole=False) for old, new in edits)


def _applied(text: str, edits: Sequence[tuple[str, str]], everywhere: Sequence[bool]) -> str | None:
    """None where an edit does not fit the text."""
    for (old, new), every in zip(edits, everywhere, strict=True):
        count = text.count(old) if old else int(not text)
        if not count or not _fits(text) or len(text) + count * len(new) > 2 * TEXT_CHARS_MAX:
            return None
        text = text.replace(old, new, -1 if every else 1) if old else new
    return text


def _replaces_all(given: Mapping[str, object], count: int) -> list[bool]:
    listed = given.get("edits")
    items = cast(list[object], listed) if isinstance(listed, list) else [dict(given)]
    found = [
        cast(dict[str, object], one).get("replace_all") is True for one in items if isinstance(one, dict)
    ]
    return found if len(found) == count else [False] * count


def _fits(text: str) -> bool:
    return len(text) <= TEXT_CHARS_MAX


def _lined(text: str) -> str:
    return text.replace("\r\n", "\n")


def lines_of(change: Change) -> Lines:
    """Linear in the texts: what both begin and end with is left out, then how often each line stands is compared."""
    old, new = _split(change.before), _split(change.after)
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    return Lines(_surplus(old, new, start), _surplus(new, old, start))


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _surplus(lines: Sequence[str], others: Sequence[str], start: int) -> tuple[int, ...]:
    left = Counter(others)
    rows: list[int] = []
    for row, line in enumerate(lines, start):
        if left[line] > 0:
            left[line] -= 1
        else:
            rows.append(row)
    return tuple(rows)
