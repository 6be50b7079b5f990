"""What a change touches, without its text: the names of definitions and identifiers, and its size in lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from evaluator.effects import FILE_TOOLS, edits_of, text_of
from evaluator.egress.definitions import Language, language_of, names_on
from evaluator.patches import patch_of
from evaluator.record import Record

TEXT_CHARS_MAX = 100_000
"""A longer text is not looked at."""


class Change(Record):
    """One file. `whole`: both are the file's whole text, else only the parts that the call gives."""

    before: str
    after: str
    whole: bool


class ChangedLines(Record):
    """Rows, from 0, of lines that only one side has, in order. A line that only moved counts on neither side."""

    removed: tuple[int, ...]
    added: tuple[int, ...]


def changes_of(tool: str, given: Mapping[str, object], on_disk: str | None) -> tuple[Change, ...]:
    """The changes that a call makes to its target's text. `on_disk` is the text of the target, empty for a file that is
    yet to be created; None: it is not known.

    Empty where what is replaced is not known, or a text is too long.
    """
    edits, after = edits_of(given), None
    if on_disk is not None:
        after = text_of(given, "content") if tool == "Write" else _apply_change_edits(on_disk, edits, given)
    found: tuple[Change, ...] = ()
    if on_disk is not None and after is not None:
        found = (Change(on_disk, after, whole=True),)
    elif tool != "Write":
        found = tuple(Change(old, new, whole=False) for old, new in edits)
    if any(len(text) > TEXT_CHARS_MAX for one in found for text in (one.before, one.after)):
        return ()
    return tuple(
        Change(one.before.replace("\r\n", "\n"), one.after.replace("\r\n", "\n"), one.whole) for one in found
    )


def _apply_change_edits(
    text: str, edits: Sequence[tuple[str, str]], given: Mapping[str, object]
) -> str | None:
    """The text with the edits applied; None where one does not fit."""
    listed = given.get("edits")
    items = cast(list[object], listed) if isinstance(listed, list) else [dict(given)]
    everywhere = [
        cast(dict[str, object], one).get("replace_all") is True for one in items if isinstance(one, dict)
    ]
    if len(everywhere) != len(edits):
        everywhere = [False] * len(edits)
    for (old, new), every in zip(edits, everywhere, strict=True):
        count = text.count(old) if old else int(not text)
        if not count or len(text) > TEXT_CHARS_MAX or len(text) + count * len(new) > 2 * TEXT_CHARS_MAX:
            return None
        text = text.replace(old, new, -1 if every else 1) if old else new
    return text


def lines_of(change: Change) -> ChangedLines:
    """Linear in the texts: what both begin and end with is left out, then how often each line stands is compared."""
    old, new = _split_change_lines(change.before), _split_change_lines(change.after)
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    return ChangedLines(_surplus_change_rows(old, new, start), _surplus_change_rows(new, old, start))


def _split_change_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _surplus_change_rows(lines: Sequence[str], others: Sequence[str], start: int) -> tuple[int, ...]:
    left = Counter(others)
    rows: list[int] = []
    for row, line in enumerate(lines, start):
        if left[line] > 0:
            left[line] -= 1
        else:
            rows.append(row)
    return tuple(rows)


NAMES_MAX = 20
PARSE_SECONDS = 0.3
"""For both texts. Ordinary ones of the greatest length take a tenth of it; some that were made to take a minute."""


class Touched(Record):
    """`names` as they stand in the text, the most telling first. Lines are None where they are not known."""

    names: tuple[str, ...] = ()
    added: int | None = None
    removed: int | None = None


def touched(
    tool: str, path: str, given: Mapping[str, object], on_disk: str | None, now: Callable[[], float]
) -> Touched:
    """The names and sizes of what a call changes. `path` is the resolved target and `on_disk` its text, as `changes_of`
    takes it; `now` in seconds, monotonic. Nothing of a notebook: what its cells held is not known.

    Of a patch of several files `on_disk` is empty if those that it writes are all new.
    """
    patch = patch_of(tool, given)
    if patch is not None:
        # Counts alone: of each file only the parts are known, and of what is overwritten or deleted nothing.
        parts = [part for file in patch.files for part in file.parts]
        if not patch.whole or sum(len(old) + len(new) for old, new in parts) > TEXT_CHARS_MAX:
            return Touched()
        rows = [lines_of(Change(old, new, whole=False)) for old, new in parts]
        gone = any(
            file.does == "delete" or (file.does == "write" and on_disk is None) for file in patch.files
        )
        taken = None if gone else sum(len(one.removed) for one in rows)
        return Touched((), sum(len(one.added) for one in rows), taken)
    if tool not in FILE_TOOLS or tool == "NotebookEdit":
        return Touched()
    language, changes = language_of(path), changes_of(tool, given, on_disk)
    if not changes:
        return Touched()
    each = [(change, lines_of(change)) for change in changes]
    added = sum(len(lines.added) for _, lines in each)
    removed = sum(len(lines.removed) for _, lines in each)
    if language is None or not changes[0].whole:
        return Touched((), added, removed)
    return Touched(_changed_names(*each[0], language, now), added, removed)


def _changed_names(
    change: Change, lines: ChangedLines, language: Language, now: Callable[[], float]
) -> tuple[str, ...]:
    until = now() + PARSE_SECONDS

    def stop() -> bool:
        return now() > until

    after = names_on(change.after, lines.added, language, stop)
    before = names_on(change.before, lines.removed, language, stop)
    # Definitions; then what stands on the changed lines of one side alone; then the rest.
    every, differ = (*after.others, *before.others), {*after.others} ^ {*before.others}
    ranked = (*after.definitions, *before.definitions, *(name for name in every if name in differ), *every)
    return tuple(dict.fromkeys(ranked))[:NAMES_MAX]
