"""Orders: which sentences of a text ask for something to be destroyed, controlled or run, and of what kind. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from evaluator.language import words
from evaluator.language.clauses import Clause, clauses_of
from evaluator.language.views import REQUEST_CHARS, mentions
from evaluator.readers.embedded.destruction import spelling
from evaluator.readers.embedded.destruction.spelling import OrderKind

SPELLED = re.compile(r"[/._*@~-]|\d")
"""A name with one of these is no ordinary word."""
QUOTES = re.compile(r"[`'\"]")
RUNNING: frozenset[OrderKind] = frozenset(("run",))
AGAINST = ("forbids", "spare")


@dataclass(frozen=True, slots=True)
class Said:
    """One order: what it asks for, and its words (lower case).

    `points`: it says nothing but a pronoun of its object, which `text` names elsewhere ("delete them").
    """

    kinds: frozenset[OrderKind]
    text: str
    points: bool = False


def ordered(text: str, *, beside: str = "", offers: bool = False, command: str = "") -> list[Said]:
    """The orders in a text in lower case. `offers`: it is the agent's, whose questions and offers are meant.

    `beside` is what an order may point at. A clause that is `command` and nothing else orders to run it.
    """
    clauses = clauses_of(text)
    plain = "\n".join(one.text for one in clauses if one.against not in AGAINST)
    several = len({name for found in mentions(plain) for name in found}) > 1
    doubtful = set[int]() if offers else {one.sentence for one in clauses if _doubts(one)}
    found: list[Said] = []
    open_: Said | None = None
    quoting = False
    for before, clause in zip((None, *clauses), clauses, strict=False):
        if spelling.REPORTED.search(clause.text) or clause.against in AGAINST:
            quoting = quoting or _announces(clause, text)
        elif before and clause.line != before.line and not clause.item:
            quoting = quoting and _announces(before, text)
        asks = clause.question and not clause.polite and not offers
        skipped = clause.quoted or quoting or asks or clause.sentence in doubtful
        if skipped or not (before and (clause.item or clause.sentence == before.sentence)):
            open_ = None
        for part in () if skipped else _parts(clause.text):
            said = spelling.OFFER.sub("", part, count=1) if offers else part
            kinds = kinds_of(said)
            if command and unquoted(spelling.COURTESY.sub(" ", said)) == command:
                kinds |= RUNNING
            if open_ and not kinds and _is_bare_list(said):
                open_ = replace(open_, text=f"{open_.text} {said}")
                found.append(open_)
                continue
            open_ = Said(kinds, said) if kinds else None
            if kinds and not _points(said, kinds):
                found.append(Said(kinds, said))
            elif kinds and (beside or not several or "plural" in words.seen(clause.words, clause.text)):
                found.append(Said(kinds, f"{plain}\n{lowered(beside)}", points=True))
    return found


def _doubts(clause: Clause) -> bool:
    """Whether a clause sets a condition, hedges, or forbids what the next one says ("do not, ever, delete it")."""
    found = words.seen(clause.words, clause.text)
    negated = any(clause.text.endswith(word) for word in found.get("negator", ()))
    return negated or "hedge" in found or spelling.CONDITION.search(clause.text) is not None


def _announces(clause: Clause, text: str) -> bool:
    """Whether a colon follows: what comes after it belongs to the clause ("never do this:")."""
    return f"{clause.text}:" in text or f"{clause.text}：" in text


def _is_bare_list(part: str) -> bool:
    """Whether names and words for sorts of things are all that a part of a sentence holds."""
    said = [word.strip(".,:;!?") for word in re.findall(r"[^\s,;`'\"()]+", part)]
    return bool(part.strip()) and all(SPELLED.search(word) or word in spelling.PLAIN_WORDS for word in said)


def _parts(text: str) -> list[str]:
    return [part for part in spelling.COORDINATED.split(text) if part.strip()]


def kinds_of(part: str) -> frozenset[OrderKind]:
    lead, taken = spelling.LEAD.match(part), spelling.TAKEN.search(part)
    starts = [part[lead.end() :] if lead else part, *([part[taken.end() :].lstrip()] if taken else [])]
    return frozenset(
        kind
        for kind in spelling.KINDS
        if spelling.CLOSING[kind].search(part) or any(spelling.OPENING[kind].match(one) for one in starts)
    )


def without_verb(part: str, kinds: frozenset[OrderKind]) -> str:
    """What is left of an order without its courtesies and its verb."""
    rest = part[found.end() :] if (found := spelling.LEAD.match(part)) else part
    for kind in kinds:
        rest = spelling.OPENING[kind].sub(" ", rest, count=1) if spelling.OPENING[kind].match(rest) else rest
        rest = spelling.CLOSING[kind].sub(" ", rest, count=1)
    return rest


def plain_words_left(text: str) -> list[str]:
    """The words of a text that say more than courtesies, particles and sorts of things."""
    for pattern in (spelling.UNSPACED_FILLERS, spelling.COURTESY):
        text = pattern.sub(" ", text)
    return [word for word in re.findall(r"[^\W_]+", text) if word not in spelling.PLAIN_WORDS]


def _points(part: str, kinds: frozenset[OrderKind]) -> bool:
    """Whether the order names nothing by itself, and a word stands for what it is about ("delete both files")."""
    if SPELLED.search(part):
        return False
    rest = without_verb(part, kinds)
    pointing = words.seen(words.split(rest), rest)
    known = {*pointing.get("pronoun", ()), *pointing.get("plural", ())}
    left = [word for word in plain_words_left(rest) if word not in known]
    return (bool(known) or "run" in kinds) and not left


def lowered(text: str) -> str:
    return words.normalise(text, REQUEST_CHARS).lower()


def unquoted(command: str) -> str:
    return " ".join(QUOTES.sub(" ", command).lower().split())
