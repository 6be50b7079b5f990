"""From an answered hold to a precedent: what the open words turned out to mean; nothing where that is unsure. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluator.exchange.fold import fold
from evaluator.exchange.replies import speaks_to_compass
from evaluator.exchange.standing import declines
from evaluator.language import clauses, noun_words, nouns, views, words
from evaluator.model import ACTIONS, Action, Extent, Reading
from evaluator.precedents.precedent import TEXT_CHARS_MAX, Source
from evaluator.precedents.surroundings import ALONG
from evaluator.record import Record

REQUEST_CHARS, REQUEST_LINES = 600, 3
"""A longer request may hold what somebody else wrote."""
ALONG_HEADS = frozenset(map(nouns.key, ALONG))
_PASTED = re.compile(r"[\"“”«»「」]|```|^\s*>|(?<!\w)'[^']+'(?!\w)", re.MULTILINE)
_UNSURE = re.compile(
    r"(?<!\w)(?:maybe|perhaps|probably|i guess|i think|not sure|dunno|no idea|whatever|whichever|either|any of"
    r"|you (?:decide|choose|pick)|up to you|don't know|vielleicht|keine ahnung|egal|weiß nicht|such dir|peut-être"
    r"|je ne sais|n'importe|comme tu veux|quizá\w*|tal vez|no sé|cualquiera|como quieras|talvez|tanto faz|forse|non so"
    r"|может|не знаю)(?!\w)"
    r"|たぶん|多分|かも|どちらでも|どっちでも|任せ|也许|可能|随便|都行|都可以|아마|아무거나|모르"
)
_NEGATED = re.compile(
    r"^\s*(?:not|nicht|pas|no|non|não|не|不是|不要)\s+\S"
    r"|(?<!\w)(?:anything but|other than|except|außer|sauf|menos)(?!\w)"
    r"|ではな|じゃな|말고"
)
_CORRECTING = re.compile(r"^\s*(?:no|nope|nein|non|não|нет|いいえ|不)\s*[,.;:!，、。！–-]+\s*", re.IGNORECASE)


class Answered(Record):
    """An answered hold. `request` and `typed` are what the user typed: the request, and the answer to the hold, empty
    where they clicked. `readings` are those they chose, in the readers' words; none for an explanation.
    """

    request: tuple[str, ...]
    typed: str
    readings: tuple[str, ...] = ()


class Settled(Record):
    """What a precedent is made of; the rest is where and when."""

    source: Source
    term: str
    said: str
    action: str
    target: str
    extent: str
    tightens: bool = False


def settled(found: Answered, targets: Sequence[str], reading: Reading | None) -> Settled | None:
    """After the write that fits the answer has passed. `targets` are its own, relative to the project, each of which
    exists or stands in the user's words; `reading` is what most readers took the request for.
    """
    if not _is_own(found) or len(found.readings) > 1:
        return None
    target = _target(found, targets)
    if target is None or len(target) > TEXT_CHARS_MAX:
        return None
    term = _term(found, target)
    if term is None:
        return None
    return Settled(
        source="chosen" if found.readings else "clarified",
        term=term,
        said=found.typed.strip(),
        action=_action(reading),
        target=target,
        extent=_extent(reading),
    )


def refused(request: Sequence[str], targets: Sequence[str]) -> Settled | None:
    """From `cancel`: the one target that was held is not what the words meant."""
    if len(targets) != 1 or not _is_typed_request(request) or len(targets[0]) > TEXT_CHARS_MAX:
        return None
    term = _term(Answered(tuple(request), ""), targets[0])
    if term is None:
        return None
    return Settled("cancelled", term, "", "", targets[0], "", tightens=True)


def _is_own(found: Answered) -> bool:
    """Whether all of it is the user's own, short and sure."""
    said = found.typed.strip()
    if len(said) > TEXT_CHARS_MAX or "\n" in said or _PASTED.search(said) or speaks_to_compass(said):
        return False
    if not found.readings:
        low = fold(said)
        if not said or "?" in low or _UNSURE.search(low) or declines(said):
            return False
        if _NEGATED.search(_CORRECTING.sub("", low)):
            return False
    return _is_typed_request(found.request)


def _is_typed_request(request: Sequence[str]) -> bool:
    text = "\n".join(request).strip()
    pasted = any(is_pasted for _, is_pasted in clauses.lines_of(text))
    return (
        bool(text)
        and len(text) <= REQUEST_CHARS
        and text.count("\n") < REQUEST_LINES
        and not pasted
        and "```" not in text
        and not speaks_to_compass(text)
    )


def _target(found: Answered, targets: Sequence[str]) -> str | None:
    """The write's only target, or the one of several that the answer names."""
    if len(targets) == 1:
        return targets[0]
    named = [
        one for one in targets if _names(found.typed, one) or any(_names(r, one) for r in found.readings)
    ]
    return named[0] if len(named) == 1 else None


def _names(text: str, target: str) -> bool:
    """Whether a text names a path: spelled, or by all pieces of its name."""
    low = words.normalise(text, TEXT_CHARS_MAX * 2).casefold()
    base = target.rsplit("/", 1)[-1].casefold()
    if base in low or target.casefold() in low:
        return True
    pieces = [nouns.key(piece) for piece in words.split(base.rsplit(".", 1)[0])]
    said = {nouns.key(word) for word in words.split(low)}
    return bool(pieces) and all(piece in said for piece in pieces)


def _term(found: Answered, target: str) -> str | None:
    """The noun of the request that was open; None where it may be more than one, or names nothing that lasts."""
    text = "\n".join(found.request)
    along = not ALONG.isdisjoint(words.split(target))
    spoken = [one for one in nouns.nouns_of(text) if _is_open(one) and (along or one.head not in ALONG_HEADS)]
    answer = {*_heads(found.typed), *(head for one in found.readings for head in _heads(one))}
    base = target.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    pieces = {nouns.key(piece) for piece in words.split(base)}
    for close in (
        [one for one in spoken if one.head in answer],
        [one for one in spoken if one.head in pieces or not pieces.isdisjoint(one.modifiers)],
        [one for one in spoken if one.definite and not one.beside],
        [one for one in spoken if one.definite],
        spoken,
    ):
        heads = {(one.head, one.modifiers) for one in close}
        if len(heads) == 1:
            return close[0].text.strip()[:TEXT_CHARS_MAX]
        if heads:
            return None
    return None


def _is_open(one: nouns.Noun) -> bool:
    """Whether a noun can be a term: it names something, and no new thing."""
    term = nouns.term_of(one.text)
    first = one.text.split()[0].casefold() if one.text.split() else ""
    return (
        term is not None
        and not (term.fleeting and not term.modifiers)
        and first not in noun_words.INDEFINITE
        and first not in noun_words.EACH
        and views.NAME.fullmatch(one.text) is None
    )


def _heads(text: str) -> set[str]:
    """The nouns of an answer, and the words of one that is no sentence."""
    said = {
        nouns.key(word) for word in words.split(text) if word not in words.STOP and word not in words.GENERIC
    }
    return said | {one.head for one in nouns.nouns_of(text)}


def _action(reading: Reading | None) -> str:
    known: tuple[Action, ...] = ACTIONS
    return (
        reading.action
        if reading is not None and reading.action in known and reading.action != "answer"
        else ""
    )


def _extent(reading: Reading | None) -> Extent:
    """The smaller of the reading's and the write's, which is one file."""
    return "one_place" if reading is not None and reading.extent == "one_place" else "one_file"
