"""Precedents: what a user settled once, and which of it a later check of the project is shown. Pure, no I/O.

Chosen by words alone: readers, who understand both, decide whether one bears on the request; rules use none.
"""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections.abc import Callable, Collection, Sequence
from typing import Literal, cast

from evaluator.exchange.orders import declines
from evaluator.model import ACTIONS, EXTENTS, Reading
from evaluator.record import Record
from evaluator.text import fold, is_unspaced, lines_of, names, speaks_to_compass, table

Source = Literal["chosen", "clarified", "cancelled", "glossary", "edited"]
SOURCES: tuple[Source, ...] = ("chosen", "clarified", "cancelled", "glossary", "edited")

TEXT_CHARS_MAX = 200
"""Of a term, of what was said and of a target."""

SHOWN_MAX = 3
WORDS_MAX, REQUEST_CHARS, REQUEST_LINES = 200, 600, 3
"""A longer request may hold what somebody else wrote."""
EXTENT_WORDS = {
    "one_place": "in one place",
    "one_file": "in one file",
    "folder": "in the folder",
    "project": "in the project",
    "beyond": "beyond the project",
}
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z\u00df-\u024f]+|[^\W\d_]+")
_TABLE = cast("dict[str, str]", table("exchange/words")["precedents"])
_EMPTY = names(_TABLE["empty"])
_UNSURE = re.compile(_TABLE["unsure"].replace("\n", ""))
_PASTED = re.compile(r"[\"“”«»「」]|```|^\s*>", re.MULTILINE)
_PATH = re.compile(r"[\w.@+~-]*/[\w.@+~/-]+|[\w@+~-]+\.[A-Za-z]\w{0,5}\b", re.ASCII)

Clean = Callable[[str, int], str]

# A glossary in Markdown. Its patterns are compiled at the first line: the hook reads none.
ENTRIES_MAX = 200
LINE_CHARS_MAX = 1_000
ITEM = r"[ \t]{0,3}[-*+][ \t]+(?P<said>\S.*)"
ENTRY = r"(?P<term>`[^`]+`|[^`]+?)[ \t]*:(?:\*\*|__)?[ \t]*`(?P<target>[^`]+)`[ \t]*(?:\((?P<more>[^()]*)\))?[ \t]*\.?"
FENCE = r"[ \t]{0,3}(?:```|~~~)"
MARKS = ' *_`"\u201c\u201d\u201e\u00ab\u00bb'
"""May stand around a term."""


class Precedent(Record):
    """What open words of a request turned out to mean. All texts stood in the user's words or name a known file.

    `precedent_id` is a ULID, `at` seconds since the epoch. `project` is the project key, `checkout` the resolved root
    of the work tree in which it was settled. `check_id`
    is the check whose hold was answered, empty for what no check led to. `term` and `said` are as the user typed them,
    at most `TEXT_CHARS_MAX` characters each. `action` and `extent` are of the closed lists of readings, empty for
    unknown. `target` is relative to the root of the work tree. `tightens`: the user did not want `target` for `term`.
    """

    precedent_id: str
    project: str
    checkout: str
    session_id: str
    check_id: str
    at: float
    source: Source
    term: str
    said: str
    action: str
    target: str
    extent: str
    tightens: bool


class RequestPlace(Record):
    """`project` is the project key, `checkout` the root of the work tree, of git's main one where it has others.

    `root` is that of the work tree itself: all targets are relative to it, wherever in it a session was started.
    """

    project: str
    checkout: str
    root: str = ""


class Settled(Record):
    """What a precedent is made of; the rest is where and when."""

    source: Source
    term: str
    said: str
    action: str
    target: str
    extent: str
    tightens: bool = False


def words_of(text: str) -> tuple[str, ...]:
    """The words that say something, folded, each once: of identifiers their pieces, of scripts without blanks pairs of
    neighbours. Of a long text the first and the last ones."""
    found: dict[str, None] = {}
    for run in _WORD.findall(unicodedata.normalize("NFKC", text[:8_000])):
        low = fold(run)
        if any(map(is_unspaced, low)):
            found.update(dict.fromkeys(low[at : at + 2] for at in range(max(1, len(low) - 1))))
        elif len(low) > 2 and low not in _EMPTY:
            found[low[:-1] if low.endswith("s") and not low.endswith("ss") and len(low) > 3 else low] = None
    every = list(found)
    return tuple(every if len(every) <= WORDS_MAX else [*every[: WORDS_MAX // 2], *every[-WORDS_MAX // 2 :]])


def found_under(one: Precedent) -> frozenset[str]:
    """The words that a precedent is kept under: those of its term, and of the name of its target."""
    name = one.target.rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return frozenset((*words_of(one.term), *words_of(name), one.target))


def looked_for(text: str, targets: Sequence[str] = ()) -> tuple[str, ...]:
    return (*words_of(text), *targets)


def shown_of(kept: Sequence[Precedent]) -> tuple[Precedent, ...]:
    """At most three of those that were found, the newest first; of several about the same words one."""
    found: dict[tuple[str, ...], Precedent] = {}
    # What the user settled themselves goes before a glossary's line about the same words.
    for one in sorted(kept, key=lambda one: one.source == "glossary"):
        found.setdefault(words_of(one.term) or (fold(one.term),), one)
    return tuple(sorted(found.values(), key=lambda one: -one.at))[:SHOWN_MAX]


def line(one: Precedent, clean: Clean, clean_path: Clean) -> str:
    """One fact, texts in quotes. `clean` sanitizes to a number of characters."""

    def quoted(text: str) -> str:
        return json.dumps(" ".join(clean(text, TEXT_CHARS_MAX).split()), ensure_ascii=False)

    # A number or a letter that chose from a list says nothing of the thing.
    tells = re.fullmatch(r"\W*(?:\d+|[a-z])?\W*", one.said.casefold()) is None
    said = f", in the user's words: {quoted(one.said)}" if tells else ""
    day = time.strftime("%Y-%m-%d", time.gmtime(one.at))
    target = json.dumps(clean_path(one.target, TEXT_CHARS_MAX), ensure_ascii=False)
    how = ", ".join(filter(None, (one.action, EXTENT_WORDS.get(one.extent, ""))))
    meant = "did not mean" if one.tightens else "meant"
    return f"{day}: {quoted(one.term)} {meant} {target}{f' ({how})' if how else ''}{said}"


def settled(
    request: Sequence[str], typed: str, chosen: Sequence[str], targets: Sequence[str], reading: Reading | None
) -> Settled | None:
    """What the user's answer settles, after the write that fits it has passed; None where anything is unsure.

    `request` and `typed` are what the user typed: the request, and the answer to the hold, empty where they clicked.
    `chosen` are the readings that they chose, in the readers' words; none for an explanation. `targets` are the write's
    own, relative to the project; `reading` is what most readers took the request for.
    """
    said = typed.strip()
    if len(chosen) > 1 or len(targets) != 1 or len(targets[0]) > TEXT_CHARS_MAX:
        return None
    # What is not the user's own, or long, is looked at no further.
    if len(said) > TEXT_CHARS_MAX or "\n" in said or _PASTED.search(said) or speaks_to_compass(said):
        return None
    low = fold(said)
    unsure = not chosen and (not said or "?" in low or _UNSURE.search(low) or declines(said))
    if unsure or not _is_precedent_request(request):
        return None
    target = targets[0]
    if any(
        not any(f"/{path.strip('./').casefold()}/" in f"/{target.casefold()}/" for path in paths)
        for paths in map(_PATH.findall, (said, *chosen))
        if paths
    ):
        return None
    if not chosen and set(words_of(said)).isdisjoint(words_of(target)):
        return None
    return Settled(
        source="chosen" if chosen else "clarified",
        term=_precedent_term(request),
        said=said,
        action=reading.action if reading is not None and reading.action in ACTIONS[1:] else "",
        target=target,
        extent="one_place" if reading is not None and reading.extent == "one_place" else "one_file",
    )


def refused(request: Sequence[str], targets: Sequence[str]) -> Settled | None:
    """From `cancel`: the one target that was held is not what the words meant."""
    if len(targets) != 1 or not _is_precedent_request(request) or len(targets[0]) > TEXT_CHARS_MAX:
        return None
    return Settled("cancelled", _precedent_term(request), "", "", targets[0], "", tightens=True)


def _precedent_term(request: Sequence[str]) -> str:
    return " ".join(" ".join(request).split())[:TEXT_CHARS_MAX]


def _is_precedent_request(request: Collection[str]) -> bool:
    text = "\n".join(request).strip()
    short = 0 < len(text) <= REQUEST_CHARS and text.count("\n") < REQUEST_LINES
    pasted = any(is_pasted for _, is_pasted in lines_of(text))
    return short and not pasted and "```" not in text and not speaks_to_compass(text)


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


def parsed_glossary(text: str) -> Glossary:
    """What a glossary says: each list item such as "- the parser: `src/json/parser.py` (fix, one_file)".

    Headings and prose between the items say nothing. A term that stands there twice counts as its last line says.
    """
    found: dict[str, GlossaryEntry] = {}
    faults: list[str] = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(FENCE, line):
            inside = not inside
            continue
        item = None if inside else re.fullmatch(ITEM, line)
        if item is None:
            continue
        entry = _entry(number, item["said"].rstrip())
        if isinstance(entry, str):
            faults.append(f"line {number}: {entry}")
            continue
        key = entry.term.casefold()
        if key not in found and len(found) == ENTRIES_MAX:
            faults.append(
                f"line {number}: more than {ENTRIES_MAX} entries; this one and all later ones are ignored"
            )
            break
        found.pop(key, None)
        found[key] = entry
    return Glossary(tuple(found.values()), tuple(faults))


def _entry(number: int, said: str) -> GlossaryEntry | str:
    """The entry, or why the line is none."""
    found = re.fullmatch(ENTRY, said) if len(said) <= LINE_CHARS_MAX else None
    if found is None:
        return 'not an entry such as "- the parser: `src/json/parser.py` (fix, one_file)"'
    term, target = found["term"].strip(MARKS), found["target"].strip()
    if not term or not target:
        return "the term or its meaning is missing"
    if max(len(term), len(target)) > TEXT_CHARS_MAX:
        return f"the term or its meaning is longer than {TEXT_CHARS_MAX} characters"
    action = extent = ""
    for word in filter(None, (one.strip().replace(" ", "_") for one in (found["more"] or "").split(","))):
        if word in ACTIONS and not action:
            action = word
        elif word in EXTENTS and not extent:
            extent = word
        else:
            return f"{word[:40]!r} is not one of {', '.join((*ACTIONS, *EXTENTS))}, or appears twice"
    return GlossaryEntry(number, term, target, action, extent)
