"""From an answered hold to a precedent: what the open words turned out to mean; nothing where that is unsure. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from evaluator.exchange.fold import fold
from evaluator.exchange.replies import speaks_to_compass
from evaluator.exchange.standing import declines
from evaluator.language import clauses, noun_words, nouns, unspaced_nouns, views, words
from evaluator.model import ACTIONS, Action, Extent, Reading
from evaluator.precedents.precedent import TEXT_CHARS_MAX, Source
from evaluator.precedents.surroundings import ALONG
from evaluator.record import Record

REQUEST_CHARS, REQUEST_LINES = 600, 3
"""A longer request may hold what somebody else wrote."""
ALONG_HEADS = frozenset(map(nouns.key, ALONG))
PROPERTIES = frozenset(map(nouns.key, noun_words.PROPERTIES))
OWNERLESS = frozenset(map(nouns.key, noun_words.OWNERLESS))
UNSPACED_PROPERTIES = unspaced_nouns.PROPERTIES
_JOINED = re.compile(r"['’]s?\s+|\s+(?P<of>(?:de|di|do|da|du|des|del|della)\s+|d['’])", re.IGNORECASE)
_NUMBER = re.compile(
    r"( \d{1,3})(?=\s*(?:$|[,;:!?\n]|\.(?!\d)| (?:of|in|is|should|needs|von|im|ist|soll|de|du|est|es)\b))"
)
"""Of a thing that has one, as in "step 7"."""
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
    folder, _, base = target.rpartition("/")
    pieces = _pieces(base.rsplit(".", 1)[0])
    around = _pieces(folder)
    offered = {piece for one in found.readings for path in views.mentions(one)[0] for piece in _pieces(path)}
    every = [
        one
        for one in nouns.nouns_of(text, (pieces | offered) - ALONG_HEADS)
        if _is_open(one, pieces) and (along or one.head not in ALONG_HEADS)
    ]
    spoken = [one for one in every if views.NAME.fullmatch(one.text) is None] or every
    typed = _heads(found.typed)
    meant = {head for one in found.readings for head in _heads(one)}
    tests: tuple[Callable[[nouns.Noun], bool], ...] = (
        lambda one: one.head in typed,
        lambda one: _shares(one, pieces),
        lambda one: not _is_placed(one, text) and _shares(one, around),
        lambda one: one.head in meant,
        lambda one: not (one.head in PROPERTIES and _has_owner(one, text)),
        lambda one: one.head not in UNSPACED_PROPERTIES,
        lambda one: one.topic,
        lambda one: one.definite and not one.beside,
        lambda one: one.definite,
    )
    left = spoken
    for test in tests:
        close = [one for one in left if test(one)]
        left = close or left
        if close and len({(one.head, one.modifiers) for one in left}) == 1:
            break
    if len({(one.head, one.modifiers) for one in left}) != 1:
        return None
    kept = _owner(left[0], pieces)
    number = _NUMBER.match(text[left[0].end :])
    if number and kept == left[0].text.strip() and left[0].head not in PROPERTIES:
        kept = f"{kept}{number[1]}"
    return kept[:TEXT_CHARS_MAX]


def _pieces(path: str) -> frozenset[str]:
    return frozenset(nouns.key(piece) for piece in words.split(path))


def _shares(one: nouns.Noun, pieces: Collection[str]) -> bool:
    return (
        one.head in pieces
        or not one.modifiers.isdisjoint(pieces)
        or not nouns.meant_by(one.text).isdisjoint(pieces)
    )


def _is_placed(one: nouns.Noun, text: str) -> bool:
    """Whether a noun only says in which module or folder something is."""
    behind = words.split(text[one.end : one.end + 30])
    within = set(words.split(one.text)) | set(behind[:1])
    return one.beside and not noun_words.PLACES.isdisjoint(within)


def _has_owner(one: nouns.Noun, text: str) -> bool:
    """Whether what it belongs to is told right behind it."""
    behind = words.split(text[one.end : one.end + 30])
    return bool(behind) and (
        behind[0] == "of" or behind[0] in noun_words.OF or behind[0] in ("der", "des", "von")
    )


def _owner(one: nouns.Noun, pieces: Collection[str]) -> str:
    """The words to keep: of a thing and a property of it the thing, unless only the property names the target."""
    whole = one.text.strip()
    if one.head in pieces or not one.modifiers:
        return whole
    unspaced = "の" in whole or "的" in whole
    joined = _JOINED.search(whole) if not unspaced else re.search(r"(?:の|的)(?=[^の的]+$)", whole)
    known = not one.modifiers.isdisjoint(pieces)
    if joined is not None:
        behind = joined["of"] is not None if not unspaced else False
        owner = whole[joined.end() :] if behind else whole[: joined.start()]
        is_property = one.head in UNSPACED_PROPERTIES if unspaced else one.head in PROPERTIES or not behind
    else:
        owner = whole.rpartition(" ")[0]
        is_property = one.head in PROPERTIES
    said = nouns.term_of(owner) if owner else None
    if said is None or said.head in OWNERLESS or not (known or is_property):
        return whole
    if known and not is_property and said.head not in pieces:
        return whole
    if joined is None and not is_property:
        return whole
    return owner.strip()


def _is_open(one: nouns.Noun, pieces: Collection[str]) -> bool:
    """Whether a noun can be a term: it names something, and no new thing."""
    term = nouns.term_of(one.text)
    first = words.split(one.text)[0] if words.split(one.text) else ""
    return (
        term is not None
        and not (term.fleeting and not term.modifiers and (one.head not in pieces or one.head in ALONG_HEADS))
        and first not in noun_words.INDEFINITE
        and first not in noun_words.EACH
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
