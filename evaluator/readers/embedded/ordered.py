"""Orders: which sentences of a text ask for something to be destroyed, run or controlled, and of what kind. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.readers.embedded import orders
from evaluator.readers.embedded.language import words
from evaluator.readers.embedded.language.clauses import UNUSED, UNWANTED, Clause, clauses_of
from evaluator.readers.embedded.language.imperatives import (
    CLOSING,
    CONDITION,
    ENDING_IN_NO,
    LEAD,
    NO_ORDER,
    OPENING,
    PLAIN_WORDS,
    POLITE,
    REPORTED,
    SOFTENERS,
    TAKEN,
    OrderKind,
)
from evaluator.readers.embedded.language.views import REQUEST_CHARS, view

KINDS: tuple[OrderKind, ...] = ("delete", "move", "undo", "run", "control")
ALSO = re.compile(r"\s*(?:并且?|然后|接着|再)(?=\S)")
"""Begins another order in Chinese."""
SPELLED = re.compile(r"[/._*@~-]|\d")
"""A name with one of these is no ordinary word."""
QUOTES = re.compile(r"[`'\"]")
MANY_MEANT = frozenset(("plural",))
RUNNING: frozenset[OrderKind] = frozenset(("run",))


@dataclass(frozen=True, slots=True)
class Said:
    """One order: what it asks for, its words (lower case), and what it names beside them.

    `points`: its object stands elsewhere in the same text ("delete them").
    """

    kinds: frozenset[OrderKind]
    text: str
    points: bool


def ordered(text: str, *, beside: str = "", asking: bool = False, command: str = "") -> Iterator[Said]:
    """The orders in a text. `asking`: questions count too, for it is the agent who asks. `beside` is pointed at.

    A clause that is `command` and nothing else orders to run it.
    """
    clauses = clauses_of(text)
    plain = "\n".join(clause.text for clause in clauses if not NO_ORDER.search(wanted_gone(clause.text)))
    several = len({*view(plain, REQUEST_CHARS).files, *view(plain, REQUEST_CHARS).folders}) > 1
    held, listed = -1, False
    for at, clause in enumerate(clauses):
        if (CONDITION.search(clause.text) or ENDING_IN_NO.search(clause.text)) and not asking:
            held = clause.sentence
        if _announces(clause, text) and (
            REPORTED.search(clause.text) or NO_ORDER.search(wanted_gone(clause.text))
        ):
            listed = True
        elif clause.line != clauses[at - 1].line and not clause.item:
            listed = at > 0 and listed and _announces(clauses[at - 1], text)
        if clause.sentence == held or listed:
            continue
        for one in _of_clause(clause, asking=asking, command=command):
            if not one.points:
                yield one
            elif (
                several
                and not beside
                and not MANY_MEANT
                & words.CUES.of(f" {' '.join(clause.words)} ", list(clause.words), clause.text).keys()
            ):
                continue
            elif at or beside:
                yield Said(one.kinds, f"{plain}\n{lowered(beside)}", points=True)
            else:
                yield Said(one.kinds, plain, points=True)
        if _is_continued(clauses, at):
            yield from _listed(clauses, at, asking=asking)


def _announces(clause: Clause, text: str) -> bool:
    """Whether a colon follows: what stands below belongs to the clause ("never do this:")."""
    return f"{clause.text}:" in text or f"{clause.text}：" in text


def _is_continued(clauses: Sequence[Clause], at: int) -> bool:
    return at + 1 < len(clauses) and (
        clauses[at + 1].sentence == clauses[at].sentence or clauses[at + 1].item
    )


def _listed(clauses: Sequence[Clause], at: int, *, asking: bool) -> Iterator[Said]:
    """An order whose objects go on over commas or list items, up to the next clause that says something of its own."""
    found = _of_clause(clauses[at], asking=asking)
    if not found:
        return
    text = found[-1].text
    for clause in clauses[at + 1 :]:
        if clause.sentence != clauses[at].sentence and not clause.item:
            return
        for part in _parts(clause.text):
            if not _is_bare_list(part):
                return
            text = f"{text} {part}"
            yield Said(found[-1].kinds, text, points=False)


def _is_bare_list(part: str) -> bool:
    """Whether names and words for sorts of things are all that a part of a sentence holds."""
    said = [word for word in re.findall(r"[^\s,;`'\"()]+", part) if not SPELLED.search(word.strip(".,:;!?"))]
    return bool(part.strip()) and all(word.strip(".:!?") in PLAIN_WORDS for word in said)


def _of_clause(clause: Clause, *, asking: bool, command: str = "") -> list[Said]:
    text = clause.text
    if clause.question and not asking and not POLITE.search(text):
        return []
    found: list[Said] = []
    follows = False
    for part in _parts(text):
        if NO_ORDER.search(wanted_gone(_without_modal(part) if asking or POLITE.search(part) else part)):
            break
        kinds = kinds_of(part)
        if command and unquoted(SOFTENERS.sub(" ", part)) == command:
            kinds |= RUNNING
        if not kinds and found and follows and _is_bare_list(part):
            found.append(Said(found[-1].kinds, f"{found[-1].text} {part}", points=False))
            continue
        follows = bool(kinds)
        if kinds:
            found.append(Said(kinds, part, points=_points(part)))
    return found


def _parts(text: str) -> list[str]:
    return [part for piece in orders.COORDINATED.split(text) for part in ALSO.split(piece) if part.strip()]


def wanted_gone(text: str) -> str:
    """Without what speaks for taking a thing away ("no longer needed", "nothing imports it")."""
    return UNUSED.sub(" ", UNWANTED.sub(" ", text))


def _without_modal(text: str) -> str:
    """Without the words that make an order polite, or a question of the agent one about doing it."""
    return re.sub(
        r"\b(?:should|would|could|shall|can|may|soll(?:en)?|sollte|dois|devrais|debo|devo)\b|是否|要不要|能不能|吗|呢|ません",
        " ",
        text,
    )


def kinds_of(part: str) -> frozenset[OrderKind]:
    lead = LEAD.match(part)
    rest = part[lead.end() :] if lead else part
    taken = TAKEN.search(part)
    found: set[OrderKind] = {kind for kind in KINDS if OPENING[kind].match(rest)}
    found |= {kind for kind in KINDS if CLOSING[kind].search(part)}
    if taken is not None:
        found |= {kind for kind in KINDS if OPENING[kind].match(part[taken.end() :].lstrip())}
    return frozenset(found)


def _points(part: str) -> bool:
    """Whether the order names nothing by itself, and a word stands for what it is about ("delete both files")."""
    if SPELLED.search(part):
        return False
    lead = LEAD.match(part)
    rest = part[lead.end() :] if lead else part
    for kind in KINDS:
        rest = CLOSING[kind].sub(" ", rest, count=1)
        opening = OPENING[kind].match(rest)
        rest = rest[opening.end() :] if opening else rest
    said = words.split(rest)
    pointing = words.CUES.of(f" {' '.join(said)} ", said, rest)
    known = {*pointing.get("pronoun", ()), *pointing.get("plural", ())}
    alone = all(word in known or word in PLAIN_WORDS or word in words.STOP for word in said)
    return bool(known) and (alone or words.UNSPACED.search(rest) is not None)


def lowered(text: str) -> str:
    return words.normalise(text, REQUEST_CHARS).lower()


def unquoted(command: str) -> str:
    return " ".join(QUOTES.sub(" ", command).lower().split())
