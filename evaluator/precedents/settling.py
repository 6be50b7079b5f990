"""From an answered hold to a precedent: what the open words turned out to mean; nothing where that is unsure. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from evaluator.exchange.fold import fold
from evaluator.exchange.replies import speaks_to_compass
from evaluator.exchange.standing import declines, orders
from evaluator.language import clauses, noun_forms, noun_text, noun_words, nouns, unspaced_nouns, views, words
from evaluator.model import ACTIONS, Action, Extent, Reading
from evaluator.precedents.precedent import TEXT_CHARS_MAX, Source
from evaluator.precedents.surroundings import ALONG
from evaluator.record import Record

REQUEST_CHARS, REQUEST_LINES = 600, 3
"""A longer request may hold what somebody else wrote."""
ALONG_HEADS = frozenset(map(noun_text.key, ALONG))
PROPERTIES = frozenset(map(noun_text.key, noun_words.PROPERTIES))
OWNERLESS = frozenset(map(noun_text.key, noun_words.OWNERLESS))
UNSPACED_PROPERTIES = unspaced_nouns.PROPERTIES
_JOINED = re.compile(r"['’]s?\s+|\s+(?P<of>(?:de|di|do|da|du|des|del|della)\s+|d['’])", re.IGNORECASE)
_NUMBER = re.compile(
    r"( \d{1,3})(?=\s*(?:$|[,;:!?\n]|\.(?!\d)| (?:of|in|is|should|needs|von|im|ist|soll|de|du|est|es)\b))"
)
"""Of a thing that has one, as in "step 7"."""
_GLOB = re.compile(r"(?:^|(?<=/))[^/]*[*?\[{].*$", re.DOTALL)
_CONTRACTED = re.compile(
    r"(?:im|am|beim|zum|zur|vom|ins|ans|du|aux?|del|al|della|dello|nel|nella|sul|sulla)\s+", re.IGNORECASE
)
"""A preposition and an article in one word."""
_BEHIND = re.compile(
    r"\s+(?:for|of|für|pour|para)\s+[^\W\d_]{3,}(?=\s*(?:$|[.,;:!?\n]|\s(?:to|by|from|on|auf|um|à|a)\s))"
)
"""A bare noun that what stands before it belongs to."""
_BOUND = frozenset("must should shall ought soll sollte muss doit devrait debe debería deve dovrebbe".split())  # noqa: SIM905
_ADDING = frozenset("add füge ergänze ajoute ajouter añade agrega adiciona aggiungi".split())  # noqa: SIM905
_DIGRAPH = re.compile(r"(?<![aeiouq])([aou])e(?=[a-z])")
_PASTED = re.compile(r"[\"“”«»「」]|```|^\s*>|(?<!\w)'[^']+'(?!\w)", re.MULTILINE)
_UNSURE = re.compile(
    r"(?<!\w)(?:maybe|perhaps|probably|i guess|i think|not sure|dunno|no idea|whatever|whichever|either|any of"
    r"|you (?:decide|choose|pick)|up to you|don't know|vielleicht|keine ahnung|egal|weiß nicht|such dir|peut-être"
    r"|je ne sais|n'importe|comme tu veux|quizá\w*|tal vez|no sé|cualquiera|como quieras|talvez|tanto faz|forse|non so"
    r"|может|не знаю)(?!\w)"
    r"|たぶん|多分|かも|どちらでも|どっちでも|任せ|也许|可能|随便|都行|都可以|아마|아무거나|모르"
)
_CITED = re.compile(
    r"^\s*(?:(?:the|der|die|das|le|la|el)\s+)?(?:ticket|issue|bug|story|pr|mr|wiki|readme|slack|e-?mail|mail|thread|minutes"
    r"|comment|changelog|spec|protokoll|kommentar|courriel|correo|commentaire|comentario)\s*"
    r"(?:#?\d+|says?|said|:|sagt|steht|dit|dice|schreibt|écrit|states?|reads?)"
    r"|(?<!\w)(?:treat|consider|regard|record|remember|note|take|gilt|gelte)\w*\s+(?:\w+\s+){0,3}?(?:as\s+|als\s+)?"
    r"(?:settled|agreed|decided|confirmed|entschieden|geklärt)(?!\w)"
)
"""At the beginning: who says it; anywhere: that it be kept. The words of somebody else, whoever typed them."""
_NEGATED = re.compile(
    r"^\s*(?:not|nicht|pas|no|non|não|не|不是|不要)\s+\S"
    r"|(?<!\w)(?:anything but|other than|except|außer|sauf|menos)(?!\w)"
    r"|ではな|じゃな|말고"
)
_CORRECTING = re.compile(r"^\s*(?:no|nope|nein|non|não|нет|いいえ|不)\s*[,.;:!，、。！–-]+\s*", re.IGNORECASE)


_PATH = re.compile(r"[\w.@+~-]*/[\w.@+~/-]+|[\w@+~-]+\.[A-Za-z]\w{0,5}\b", re.ASCII)
_PART = re.compile(r"[,;.:!?()]\s|[、，。；]|\s[-–—]+\s")
"""Behind it an answer says what it does not mean."""
_ACTS = {"delete": "delete", "rename": "move", "move": "move"}
"""Actions that no other one stands for."""
PART_CHARS_MIN = 4
"""Of a word that stands within another one."""


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
    if target is None or len(target) > TEXT_CHARS_MAX or not _agrees(found, target, reading):
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
    # Of a pattern the folder that it begins with.
    target = _GLOB.sub("", targets[0]) or targets[0]
    term = _term(Answered(tuple(request), ""), target)
    if term is None:
        return None
    return Settled("cancelled", term, "", "", target, "", tightens=True)


def _is_own(found: Answered) -> bool:
    """Whether all of it is the user's own, short and sure."""
    said = found.typed.strip()
    if len(said) > TEXT_CHARS_MAX or "\n" in said or _PASTED.search(said) or speaks_to_compass(said):
        return False
    if not found.readings:
        low = fold(said)
        if not said or "?" in low or _UNSURE.search(low) or _CITED.search(low) or declines(said):
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


def _agrees(found: Answered, target: str, reading: Reading | None) -> bool:
    """Whether the write is what the answer says: a path that it names, or what lies there; else a word of the path; and
    no other act.
    """
    for said in (found.typed, *found.readings):
        paths = [path.strip("./").casefold() for path in _PATH.findall(said)]
        if paths and not any(f"/{path}/" in f"/{target.casefold()}/" for path in paths):
            return False
    if found.readings:
        chosen = fold(found.readings[0]).partition(" ")[0]
        return reading is None or _ACTS.get(chosen, "") == _ACTS.get(reading.action, "")
    if any(orders(found.typed, act) for act in ("delete", "rename", "move")):
        return False
    return _speaks_of(_PART.split(_CORRECTING.sub("", found.typed).strip(), maxsplit=1)[0], target)


def _speaks_of(said: str, target: str) -> bool:
    """Whether a word of a path, or one that it is derived from, stands in what is said."""
    pieces, low = _pieces(target), said.casefold()
    spoken = [word for word in words.split(said) if word not in words.STOP]
    roots = {noun_forms.root(piece) for piece in pieces if len(piece) >= noun_forms.ROOT_CHARS_MIN}
    return any(
        noun_text.key(word) in pieces
        or (len(word) >= noun_forms.ROOT_CHARS_MIN and noun_forms.root(word) in roots)
        or (len(word) >= PART_CHARS_MIN and any(word in piece for piece in pieces))
        for word in spoken
    ) or any(piece in low for piece in pieces if not piece.isascii() or len(piece) >= PART_CHARS_MIN)


def _names(text: str, target: str) -> bool:
    """Whether a text names a path: spelled, or by all pieces of its name."""
    low = words.normalise(text, TEXT_CHARS_MAX * 2).casefold()
    base = target.rsplit("/", 1)[-1].casefold()
    if base in low or target.casefold() in low:
        return True
    pieces = [noun_text.key(piece) for piece in words.split(base.rsplit(".", 1)[0])]
    said = {noun_text.key(word) for word in words.split(low)}
    return bool(pieces) and all(piece in said for piece in pieces)


def _term(found: Answered, target: str) -> str | None:
    """The noun of the request that was open; None where it may be more than one, or names nothing that lasts."""
    text = "\n".join(found.request)
    along = not ALONG.isdisjoint(words.split(target))
    folder, _, base = target.rpartition("/")
    pieces = _pieces(base.rsplit(".", 1)[0])
    around = _pieces(folder)
    offered = {piece for one in found.readings for path in views.mentions(one)[0] for piece in _pieces(path)}
    pieces |= _derived(text, pieces)
    said = nouns.nouns_of(text, (pieces | offered) - ALONG_HEADS)
    every = [
        one for one in said if _is_open(one, pieces) and (along or one.head not in ALONG_HEADS)
    ] or _last_resort(text, said)
    every = [one for one in every if not any(_holds(other, one) for other in every)]
    if (own := _own_name(text, target)) is not None:
        return own
    spoken = [one for one in every if views.NAME.fullmatch(one.text) is None] or every
    typed = _heads(found.typed)
    meant = {head for one in found.readings for head in _heads(one)}
    tests: tuple[Callable[[noun_text.Noun], bool], ...] = (
        lambda one: one.topic and one.head not in PROPERTIES and _is_bound(one, text),
        lambda one: one.head in typed,
        lambda one: _shares(one, pieces),
        lambda one: not _is_placed(one, text) and _shares(one, around),
        lambda one: one.head in meant,
        lambda one: not (one.head in PROPERTIES and _has_owner(one, text)),
        lambda one: one.head not in UNSPACED_PROPERTIES,
        lambda one: one.topic,
        lambda one: one.topic and not _is_subordinate(one, text),
        lambda one: one.definite and not one.beside and _CONTRACTED.match(one.text) is None,
        lambda one: one.definite,
        lambda one: (
            unspaced_nouns.KANA.search(text) is not None and one is left[0] and _is_placing(one, text)
        ),
    )
    left = spoken
    for test in tests:
        close = [one for one in left if test(one)]
        left = close or left
        if close and len({(one.head, one.modifiers) for one in left}) == 1:
            break
    if len({(one.head, one.modifiers) for one in left}) != 1:
        return None
    kept = _CONTRACTED.sub("", _owner(left[0], pieces), count=1)
    behind = _BEHIND.match(text[left[0].end :])
    if behind and kept == left[0].text.strip() and left[0].head not in pieces:
        kept = f"{kept}{behind.group()}"
    number = _NUMBER.match(text[left[0].end :])
    if number and kept == left[0].text.strip() and left[0].head not in PROPERTIES:
        kept = f"{kept}{number[1]}"
    return kept[:TEXT_CHARS_MAX]


def _pieces(path: str) -> frozenset[str]:
    """Keys of the words of a path, with those that an umlaut is written in two letters in."""
    said = words.split(path)
    return frozenset(noun_text.key(one) for word in said for one in (word, _DIGRAPH.sub(r"\1", word)))


def _derived(text: str, pieces: Collection[str]) -> frozenset[str]:
    """Words behind a preposition that the target's name is derived from, or that are derived from it."""
    roots = {noun_forms.root(piece) for piece in pieces if len(piece) >= noun_forms.ROOT_CHARS_MIN}
    tokens = noun_text.read(text).tokens
    return frozenset(
        noun_text.key(token.low)
        for before, token in pairwise(tokens)
        if before.low in noun_words.PREPOSITIONS and noun_forms.root(token.low) in roots
    )


def _last_resort(text: str, said: Sequence[noun_text.Noun]) -> list[noun_text.Noun]:
    """Where no noun lasts: what such things are called, what is added, or a word that could be an order."""
    lasting = [one for one in said if one.definite and words.split(one.text)[-1:][0] in noun_words.LASTING]
    tokens = noun_text.read(text).tokens
    if lasting or len(tokens) < 2:
        return lasting
    first = tokens[0]
    if first.low in _ADDING and len(said) == 1 and nouns.term_of(said[0].text) is not None:
        return [] if _is_fleeting(said[0]) else list(said)
    measured = any(noun_text.key(token.low) in noun_words.MEASURES for token in tokens[2:3])
    if first.low in noun_words.NOUNS_TOO and tokens[1].low in noun_words.INDEFINITE and measured:
        return [
            noun_text.Noun(
                first.text, noun_text.key(first.low), frozenset(), first.start, first.end, topic=True
            )
        ]
    return []


def _is_fleeting(one: noun_text.Noun) -> bool:
    term = nouns.term_of(one.text)
    return term is None or term.fleeting or not noun_words.OTHER.isdisjoint(words.split(one.text))


def _own_name(text: str, target: str) -> str | None:
    """The target's own name where the request opens with its file: "poller.rs must ..."."""
    found = views.FILE.match(text.lstrip())
    base = target.rsplit("/", 1)[-1]
    if found is None or found.group().rsplit("/", 1)[-1] != base:
        return None
    name = base.rsplit(".", 1)[0]
    return name if nouns.term_of(name) is not None else None


def _holds(one: noun_text.Noun, other: noun_text.Noun) -> bool:
    """Whether the name of one noun has the other in it."""
    end = one.start + len(one.text)
    return one is not other and one.start < other.start and other.start + len(other.text) <= end


def _next_word(one: noun_text.Noun, text: str) -> str:
    return next(iter(words.split(text[one.end : one.end + 30])), "")


def _is_bound(one: noun_text.Noun, text: str) -> bool:
    """Whether a sentence says what the noun it opens with must do."""
    bare = not text[: one.start].strip() and not one.definite
    return _next_word(one, text) in _BOUND or (bare and text[one.end :].lstrip().startswith(":"))


def _is_subordinate(one: noun_text.Noun, text: str) -> bool:
    before = words.split(text[: one.start])[-1:]
    return bool(before) and before[0] in noun_words.SUBORDINATING


def _is_placing(one: noun_text.Noun, text: str) -> bool:
    """Whether a particle of topic or place stands behind."""
    return text[one.start + len(one.text) :].startswith(("は", "で", "に", "の"))


def _shares(one: noun_text.Noun, pieces: Collection[str]) -> bool:
    return (
        one.head in pieces
        or not one.modifiers.isdisjoint(pieces)
        or not noun_text.meant_by(one.text).isdisjoint(pieces)
    )


def _is_placed(one: noun_text.Noun, text: str) -> bool:
    """Whether a noun only says in which module or folder something is."""
    behind = words.split(text[one.end : one.end + 30])
    within = set(words.split(one.text)) | set(behind[:1])
    return one.beside and not noun_words.PLACES.isdisjoint(within)


def _has_owner(one: noun_text.Noun, text: str) -> bool:
    """Whether what it belongs to is told right behind it."""
    behind = words.split(text[one.end : one.end + 30])
    return bool(behind) and (
        behind[0] == "of" or behind[0] in noun_words.OF or behind[0] in ("der", "des", "von")
    )


def _owner(one: noun_text.Noun, pieces: Collection[str]) -> str:
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


def _is_open(one: noun_text.Noun, pieces: Collection[str]) -> bool:
    """Whether a noun can be a term: it names something, and no new thing."""
    term = nouns.term_of(one.text)
    first = words.split(one.text)[0] if words.split(one.text) else ""
    return (
        term is not None
        and not (term.fleeting and not term.modifiers and (one.head not in pieces or one.head in ALONG_HEADS))
        and noun_words.MONTHS.isdisjoint(words.split(one.text)[-1:])
        and first not in noun_words.INDEFINITE
        and first not in noun_words.EACH
    )


def _heads(text: str) -> set[str]:
    """The nouns of an answer, and the words of one that is no sentence."""
    said = {
        noun_text.key(word)
        for word in words.split(text)
        if word not in words.STOP and word not in words.GENERIC
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
