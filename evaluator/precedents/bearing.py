"""Which precedents bear on a request, and which of them count for rules. Pure, symbolic.

Whatever says otherwise keeps a precedent from bearing; whatever is unsure keeps it from counting.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from evaluator.language import noun_words, nouns, views, words
from evaluator.language.unspaced_nouns import redefines
from evaluator.precedents.place import Place
from evaluator.precedents.precedent import Precedent
from evaluator.record import Record

SHOWN_MAX = 3
TEXT_CHARS = 8_000
_SENTENCE = re.compile(r"[.!?。！？]+(?=\s|$)|[。！？]|\n+")
Bears = Literal["no", "shown", "counts"]


class Asked(Record):
    """What a precedent is held against. `folder` and `written` are relative to the project: where the agent stands,
    and what the turn wrote so far.
    """

    request: str
    prior: str
    written: tuple[str, ...]
    folder: str
    place: Place


class Bearing(Record):
    """`counts`: for rules its target is one that the exchange leads to."""

    precedent: Precedent
    counts: bool


class _Known(NamedTuple):
    """What belongs to the settled thing: keys of its term and of the parts of its path."""

    term: nouns.Term
    path: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        return self.path | self.term.modifiers | {self.term.head}


def bearing(
    found: Sequence[Precedent],
    asked: Asked,
    *,
    exists: Callable[[str], bool],
    folders: Callable[[], Collection[str]],
) -> tuple[Bearing, ...]:
    """At most SHOWN_MAX of `found`, those that count first, then the newest first.

    `found` is newest first. `exists` tells whether a path of the project stands, `folders` the project's folders,
    relative; they are asked as late as possible.
    """
    newest: dict[tuple[str, frozenset[str]], Precedent] = {}
    bears: list[Bearing] = []
    for one in found:
        by_place = _by_place(one, asked.place)
        term = nouns.term_of(one.term) if by_place != "no" else None
        if term is None:
            continue
        same = (term.head, term.modifiers)
        newer = newest.setdefault(same, one)
        if newer is not one and not (newer.tightens and newer.target != one.target):
            continue
        level = _on_request(one, term, asked)
        if level == "no" or not (one.tightens or exists(one.target)):
            continue
        counts = level == by_place == "counts" and not (one.tightens or term.fleeting)
        known = _known(one, term)
        if counts and _elsewhere(asked.request, known, folders()):
            counts = False
        bears.append(Bearing(one, counts))
    bears.sort(key=lambda one: not one.counts)
    return tuple(bears[:SHOWN_MAX])


def _by_place(one: Precedent, place: Place) -> Bears:
    if one.checkout != place.checkout:
        return "no"
    if one.branch == place.branch:
        # Two detached heads need not be one commit.
        return "shown" if place.detached else "counts"
    return "shown" if one.branch and one.branch == place.default and place.branch else "no"


def _known(one: Precedent, term: nouns.Term) -> _Known:
    parts = [piece for part in one.target.split("/") for piece in words.split(part.rsplit(".", 1)[0])]
    return _Known(term, frozenset(nouns.key(piece) for piece in parts))


def _on_request(one: Precedent, term: nouns.Term, asked: Asked) -> Bears:
    known = _known(one, term)
    said = nouns.occurrences(asked.request, term.head, known.all)
    here = [each for each in said if not each.other]
    if not here or _names_another(asked.request, one.target) or _is_elsewhere(asked, one.target):
        return "no"
    sentences = _sentences(asked.request, term.head)
    if any(_redefines(sentence) for sentence in sentences) or _other_place(asked.request, known):
        return "no"
    rival = _rival(asked, known, one.target)
    if rival == "no":
        return "no"
    sure = len(here) == len(said) and not any(each.open for each in here)
    whole = any(term.modifiers <= each.modifiers for each in here)
    explained = any(phrase in sentence for sentence in sentences for phrase in noun_words.EXPLAINING)
    return "counts" if sure and whole and rival == "counts" and not explained else "shown"


def _sentences(text: str, head: str) -> list[str]:
    """Those that hold the head, in lower case."""
    found = (part.casefold() for part in _SENTENCE.split(text[:TEXT_CHARS]))
    return [
        part for part in found if head in part or any(nouns.key(word) == head for word in words.split(part))
    ]


def _redefines(sentence: str) -> bool:
    flat = " ".join(re.sub(r"[,;:—–\"“”«»]", " ", sentence).split())
    return any(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", flat) for phrase in noun_words.REDEFINING) or (
        redefines(sentence)
    )


def _names_another(text: str, target: str) -> bool:
    """Whether a text names a path that is neither the target nor a folder that it lies in."""
    files, folders = views.mentions(words.normalise(text, TEXT_CHARS))
    path = f"/{target}"
    if any(not (path.endswith(f"/{file.lstrip('/')}") or f"/{file}".endswith(path)) for file in files):
        return True
    return any(f"/{folder.strip('/')}/" not in f"{path}/" for folder in folders)


def _is_elsewhere(asked: Asked, target: str) -> bool:
    """Whether the agent works in a folder that the target does not lie in."""
    folder = asked.folder.strip("/")
    return folder not in ("", ".") and not target.startswith(f"{folder}/")


def _other_place(text: str, known: _Known) -> bool:
    """Whether the request names a module, folder or service that the target does not belong to."""
    whole = nouns.read(text)
    tokens = whole.tokens
    for at, token in enumerate(tokens):
        if token.low not in noun_words.PLACES:
            continue
        near = [tokens[at - 1]] if at and whole.tongue == "english" else list(tokens[at + 1 : at + 2])
        near += list(tokens[max(0, at - 1) : at]) if whole.tongue == "germanic" else []
        for one in near:
            named = one.is_word and one.low not in words.STOP and one.low not in noun_words.DEFINITE
            named = named and one.low not in noun_words.NEUTRAL and one.low not in noun_words.PREPOSITIONS
            if named and nouns.key(one.low) not in known.all and not words.kinds(one.low):
                return True
    return False


def _rival(asked: Asked, known: _Known, target: str) -> Bears:
    """What was said or written before: "no" where it is about another thing of that name, "shown" where about both."""
    prior = words.normalise(asked.prior, 2 * TEXT_CHARS)
    files, folders = views.mentions(prior)
    spoken = [*files, *folders, *asked.written]
    own = any(_same(path, target) for path in spoken)
    others = [path for path in spoken if not _same(path, target) and _is_like(path, known, target)]
    said = nouns.occurrences(prior, known.term.head, known.all) if prior.strip() else ()
    apart = [one for one in said if one.other and one.modifiers - known.all]
    if not (others or apart):
        return "counts"
    return "shown" if own and not any(path in asked.written for path in others) else "no"


def _same(path: str, target: str) -> bool:
    return f"/{target}".endswith(f"/{path.lstrip('/')}") or f"/{path}".endswith(f"/{target}")


def _is_like(path: str, known: _Known, target: str) -> bool:
    """Whether a path is of something that could go by the same name."""
    base = path.rstrip("/").rsplit("/", 1)[-1]
    if base == target.rsplit("/", 1)[-1]:
        return True
    pieces = {nouns.key(piece) for part in path.split("/") for piece in words.split(part.rsplit(".", 1)[0])}
    if pieces & noun_tests:
        return False
    return known.term.head in pieces and not target.startswith(f"{path.rstrip('/')}/")


noun_tests = frozenset(("test", "spec", "fixture", "doc", "changelog", "readme"))
"""Pieces of the names of what goes along with a thing."""


def _elsewhere(text: str, known: _Known, folders: Collection[str]) -> bool:
    """Whether the rest of the request speaks of another folder of the project than the target's."""
    dull = words.GENERIC | noun_tests | words.STOP
    apart = (
        {
            nouns.key(piece)
            for folder in folders
            for piece in words.split(folder.rsplit("/", 1)[-1])
            if len(piece) > 2 and piece not in dull
        }
        - known.all
        - noun_tests
    )
    if not apart:
        return False
    said = {nouns.key(token.low) for token in nouns.read(text).tokens if token.is_word}
    return not apart.isdisjoint(said)
