"""Orders: which sentences of a text ask for something to be destroyed, run or controlled, and of what kind. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluator.language import words
from evaluator.language.clauses import Clause, clauses_of
from evaluator.language.views import REQUEST_CHARS, mentions
from evaluator.readers.embedded.destruction import spelling
from evaluator.readers.embedded.destruction.spelling import KINDS, OrderKind

SPELLED = re.compile(r"[/._*@~-]|\d")
"""A name with one of these is no ordinary word."""
QUOTES = re.compile(r"[`'\"]")
RUNNING: frozenset[OrderKind] = frozenset(("run",))


@dataclass(frozen=True, slots=True)
class Said:
    """One order: what it asks for, its words (lower case), and what it names beside them.

    `points`: its object stands elsewhere in the same text ("delete them").
    """

    kinds: frozenset[OrderKind]
    text: str
    points: bool = False


def ordered(text: str, *, beside: str = "", asking: bool = False, command: str = "") -> Iterator[Said]:
    """The orders in a text. `asking`: questions count too, for it is the agent who asks. `beside` is pointed at.

    A clause that is `command` and nothing else orders to run it.
    """
    clauses = clauses_of(text)
    plain = "\n".join(clause.text for clause in clauses if not spelling.forbids(clause.text))
    files, folders = mentions(plain)
    several = len({*files, *folders}) > 1
    held, listed = -1, False
    for at, clause in enumerate(clauses):
        if not asking and (
            spelling.CONDITION.search(clause.text) or spelling.ENDING_IN_NO.search(clause.text)
        ):
            held = clause.sentence
        reported = spelling.REPORTED.search(clause.text) or spelling.forbids(clause.text)
        if reported and _announces(clause, text):
            listed = True
        elif clause.line != clauses[at - 1].line and not clause.item:
            listed = at > 0 and listed and _announces(clauses[at - 1], text)
        if clause.sentence == held or listed:
            continue
        for one in _of_clause(clause, asking=asking, command=command):
            if not one.points:
                yield one
            elif beside or not several or "plural" in words.seen(clause.words, clause.text).cues:
                yield replace(one, text=f"{plain}\n{lowered(beside)}" if at or beside else plain)
        if at + 1 < len(clauses) and _goes_on(clause, clauses[at + 1]):
            yield from _listed(clauses[at:], asking=asking)


def _announces(clause: Clause, text: str) -> bool:
    """Whether a colon follows: what stands below belongs to the clause ("never do this:")."""
    return f"{clause.text}:" in text or f"{clause.text}：" in text


def _goes_on(clause: Clause, following: Clause) -> bool:
    return following.sentence == clause.sentence or following.item


def _listed(clauses: Sequence[Clause], *, asking: bool) -> Iterator[Said]:
    """An order whose objects go on over commas or list items, up to the next clause that says something of its own."""
    found = _of_clause(clauses[0], asking=asking)
    for clause in clauses[1:] if found else ():
        if not _goes_on(clauses[0], clause):
            return
        for part in _parts(clause.text):
            if not _is_bare_list(part):
                return
            found.append(Said(found[-1].kinds, f"{found[-1].text} {part}"))
            yield found[-1]


def _is_bare_list(part: str) -> bool:
    """Whether names and words for sorts of things are all that a part of a sentence holds."""
    said = [word.strip(".,:;!?") for word in re.findall(r"[^\s,;`'\"()]+", part)]
    return bool(part.strip()) and all(SPELLED.search(word) or word in spelling.PLAIN_WORDS for word in said)


def _of_clause(clause: Clause, *, asking: bool, command: str = "") -> list[Said]:
    polite = asking or spelling.POLITE.search(clause.text) is not None
    found: list[Said] = []
    follows = False
    for part in _parts(clause.text) if polite or not clause.question else ():
        modal = asking or spelling.POLITE.search(part) is not None
        if spelling.forbids(spelling.MODAL.sub(" ", part) if modal else part):
            break
        kinds = kinds_of(part)
        if command and unquoted(spelling.SOFTENERS.sub(" ", part)) == command:
            kinds |= RUNNING
        if kinds:
            found.append(Said(kinds, part, points=_points(part)))
        elif follows and _is_bare_list(part):
            found.append(Said(found[-1].kinds, f"{found[-1].text} {part}"))
            continue
        follows = bool(kinds)
    return found


def _parts(text: str) -> list[str]:
    return [
        part for one in spelling.COORDINATED.split(text) for part in spelling.ALSO.split(one) if part.strip()
    ]


def kinds_of(part: str) -> frozenset[OrderKind]:
    lead, taken = spelling.LEAD.match(part), spelling.TAKEN.search(part)
    starts = [part[lead.end() :] if lead else part, *([part[taken.end() :].lstrip()] if taken else [])]
    found: set[OrderKind] = {kind for kind in KINDS if spelling.CLOSING[kind].search(part)}
    found |= {kind for kind in KINDS if any(spelling.OPENING[kind].match(start) for start in starts)}
    return frozenset(found)


def _points(part: str) -> bool:
    """Whether the order names nothing by itself, and a word stands for what it is about ("delete both files")."""
    if SPELLED.search(part):
        return False
    rest = spelling.without_opening(part)
    said = words.split(rest)
    pointing = words.seen(said, rest).cues
    known = {*pointing.get("pronoun", ()), *pointing.get("plural", ())}
    alone = all(word in known or word in spelling.PLAIN_WORDS or word in words.STOP for word in said)
    return bool(known) and (alone or words.UNSPACED.search(rest) is not None)


def lowered(text: str) -> str:
    return words.normalise(text, REQUEST_CHARS).lower()


def unquoted(command: str) -> str:
    return " ".join(QUOTES.sub(" ", command).lower().split())
