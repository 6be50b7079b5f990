"""A glossary in Markdown: what its lines say, and precedents as such lines. Pure.

A line is a list item, `- the parser: `src/json/parser.py``, with what is done and how far it goes in brackets behind it
where that is known: `(fix, one_file)`. Headings and prose between the items say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents.precedent import TEXT_CHARS_MAX, Precedent
from evaluator.record import Record

ENTRIES_MAX = 200
LINE_CHARS_MAX = 1_000
ITEM = re.compile(r"[ \t]{0,3}[-*+][ \t]+(?P<said>\S.*)")
ENTRY = re.compile(
    r"(?P<term>`[^`]+`|[^`]+?)[ \t]*:(?:\*\*|__)?[ \t]*`(?P<target>[^`]+)`[ \t]*(?:\((?P<more>[^()]*)\))?[ \t]*\.?"
)
FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
MARKS = ("**", "__", "`", '"', "\u201c", "\u201d", "\u201e", "\u00ab", "\u00bb")
"""May stand around a term."""
TITLE = "## Glossary"
INTRODUCTION = "What these words mean in this project:"


class GlossaryEntry(Record):
    """`line` is where it stands, from 1. `action` and `extent` are of the closed lists, or empty."""

    line: int
    term: str
    target: str
    action: str = ""
    extent: str = ""


class Glossary(Record):
    """`faults` name each line that looks like an entry and is none, and why."""

    entries: tuple[GlossaryEntry, ...]
    faults: tuple[str, ...]


def parsed(text: str) -> Glossary:
    """What a glossary says. A term that stands there twice counts as its last line says."""
    found: dict[str, GlossaryEntry] = {}
    faults: list[str] = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
            continue
        item = None if inside else ITEM.fullmatch(line)
        if item is None:
            continue
        entry = _entry(number, item["said"].rstrip())
        if isinstance(entry, str):
            faults.append(f"line {number}: {entry}")
            continue
        key = entry.term.casefold()
        if key not in found and len(found) == ENTRIES_MAX:
            faults.append(f"line {number}: more than {ENTRIES_MAX} entries; those from here on are left out")
            break
        found.pop(key, None)
        found[key] = entry
    return Glossary(tuple(found.values()), tuple(faults))


def printed(precedents: Iterable[Precedent]) -> str:
    """A section for a project's instructions, as `parsed` reads it; empty without a reading.

    `precedents` newest first: of several about one term the newest is told, and none that only says what was not meant.
    """
    newest: dict[str, Precedent] = {}
    for one in precedents:
        if not one.tightens:
            newest.setdefault(_plain(one.term).casefold(), one)
    lines = sorted((_line(one) for one in newest.values()), key=str.casefold)
    return "\n".join((TITLE, "", INTRODUCTION, "", *lines, "")) if lines else ""


def _entry(number: int, said: str) -> GlossaryEntry | str:
    """The entry, or why the line is none."""
    found = ENTRY.fullmatch(said) if len(said) <= LINE_CHARS_MAX else None
    if found is None:
        return "no entry such as - the parser: `src/json/parser.py` (fix, one_file)"
    term, target = _bare(found["term"]), found["target"].strip()
    if not term or not target:
        return "names no words, or nothing that they mean"
    if max(len(term), len(target)) > TEXT_CHARS_MAX:
        return f"more than {TEXT_CHARS_MAX} characters"
    action = extent = ""
    for word in filter(None, (one.strip().replace(" ", "_") for one in (found["more"] or "").split(","))):
        if word in ACTIONS and not action:
            action = word
        elif word in EXTENTS and not extent:
            extent = word
        else:
            return f"{word[:40]!r} is none of {', '.join((*ACTIONS, *EXTENTS))}, or said twice"
    return GlossaryEntry(number, term, target, action, extent)


def _bare(term: str) -> str:
    """Without the marks around it."""
    before = ""
    while term != before:
        before, term = term, term.strip()
        for mark in MARKS:
            term = term.removeprefix(mark).removesuffix(mark)
    return term


def _line(one: Precedent) -> str:
    more = ", ".join(filter(None, (one.action, one.extent)))
    return f"- **{_plain(one.term)}**: `{_plain(one.target)}`" + (f" ({more})" if more else "")


def _plain(text: str) -> str:
    """On one line, without what would end a term or a target."""
    return " ".join(
        "".join(" " if char in "`*\u2028\u2029" or not char.isprintable() else char for char in text).split()
    )
