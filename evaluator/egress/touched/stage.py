"""From a call of a file tool to what readers may know of its text: names and counts. Pure; the file's text is given.

Names are taken only where the file's whole text is known: a part of it may begin inside a comment or a string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from evaluator.effects import FILE_TOOLS, text_of
from evaluator.egress.touched.change import TEXT_CHARS_MAX, Change, Lines, changes_of, lines_of
from evaluator.egress.touched.languages import Language, language_of
from evaluator.egress.touched.names import Names, names_on
from evaluator.egress.touched.notebook import cell_of
from evaluator.patches import Patch, patch_of
from evaluator.record import Record

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
    """`path` is the resolved target and `on_disk` its text, as `changes_of` takes it; `now` in seconds, monotonic.

    Of a patch of several files `on_disk` is empty if those that it writes are all new.
    """
    patch = patch_of(tool, given)
    if patch is not None:
        return _of_patch(patch, on_disk)
    if tool not in FILE_TOOLS:
        return Touched()
    language = language_of(path)
    if tool == "NotebookEdit":
        cell = cell_of(given, on_disk)
        language = cell.language if cell else None
        known = None if cell is None else cell.source
        changes = changes_of("Write", {"content": _new_source(given)}, known)
    else:
        changes = changes_of(tool, given, on_disk)
    if not changes:
        return Touched()
    each = [(change, lines_of(change)) for change in changes]
    added = sum(len(lines.added) for _, lines in each)
    removed = sum(len(lines.removed) for _, lines in each)
    if language is None or not changes[0].whole:
        return Touched((), added, removed)
    return Touched(_names(*each[0], language, now), added, removed)


def _of_patch(patch: Patch, on_disk: str | None) -> Touched:
    """Counts alone: of each file only the parts are known, and of what is overwritten or deleted nothing."""
    parts = [part for file in patch.files for part in file.parts]
    if not patch.whole or sum(len(old) + len(new) for old, new in parts) > TEXT_CHARS_MAX:
        return Touched()
    each = [lines_of(Change(old, new, whole=False)) for old, new in parts]
    gone = any(file.does == "delete" or (file.does == "write" and on_disk is None) for file in patch.files)
    removed = sum(len(lines.removed) for lines in each)
    return Touched((), sum(len(lines.added) for lines in each), None if gone else removed)


def _new_source(given: Mapping[str, object]) -> str:
    return "" if given.get("edit_mode") == "delete" else text_of(given, "new_source")


def _names(change: Change, lines: Lines, language: Language, now: Callable[[], float]) -> tuple[str, ...]:
    until = now() + PARSE_SECONDS

    def stop() -> bool:
        return now() > until

    after = names_on(change.after, lines.added, language, stop)
    before = names_on(change.before, lines.removed, language, stop)
    return tuple(dict.fromkeys(_ranked(before, after)))[:NAMES_MAX]


def _ranked(before: Names, after: Names) -> Iterator[str]:
    """Definitions; then what stands on the changed lines of one side alone, calls first; then the rest."""
    yield from after.definitions
    yield from before.definitions
    sides = ({*after.calls, *after.others}, {*before.calls, *before.others})
    differ = sides[0] ^ sides[1]
    every = (*after.calls, *before.calls, *after.others, *before.others)
    yield from (name for name in every if name in differ)
    yield from every
