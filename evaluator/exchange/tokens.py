"""A reply as tokens: all of it is listed phrases, numbers, keys and labels, or there are no tokens.

Built from the words of all languages at once. Knows nothing of what a combination of tokens means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Literal

from evaluator.exchange import words
from evaluator.exchange.fold import is_unspaced, joins, phrases

TokenKind = Literal[
    "yes", "deed", "filler", "both", "all", "and", "comma",
    "number", "ordinal", "last", "former", "latter", "key", "label",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A `deed` affirms a proposal ("do it"). `value` is the number, the ordinal's position from 1, or the
    index of the key's or label's option.
    """

    kind: TokenKind
    value: int = 0


_COMMAS = ",、;，"
_PUNCTUATION = " .!:()[]\"'`*。！：-"
_NUMBER = re.compile(r"\d+")
# A decimal, a range, a fraction or a negative number is no reference to an option.
_ODD_NUMBER = re.compile(r"\d\s*[:/~\-]\s*\d|\d\.\d|(?<![\w)])-\s*\d")


def tokenize(folded: str, own: Mapping[str, Token]) -> list[Token] | None:
    """The tokens of a folded reply, or None if any part is not understood. `own` are the menu's phrases."""
    odd = {place for span in _ODD_NUMBER.finditer(folded) for place in range(*span.span())}
    found: list[Token] = []
    index = 0
    while index < len(folded):
        char = folded[index]
        token, size = token_at(folded, index, own)
        if token.kind == "number" and index in odd:
            return None
        if size:
            found.append(token)
            index += size
        elif char in _COMMAS:
            found.append(Token("comma"))
            index += 1
        elif char in _PUNCTUATION:
            index += 1
        else:
            return None
    return found


def token_at(folded: str, index: int, own: Mapping[str, Token]) -> tuple[Token, int]:
    """The longest token at a place and its length, 0 if there is none. The menu's phrases come first."""
    number = _NUMBER.match(folded, index)
    candidates = chain(
        (((text, token) for text, token in own.items() if folded.startswith(text, index))),
        ((text, token) for text, token in _listed().get(folded[index], ()) if folded.startswith(text, index)),
        ((number[0], Token("number", int(number[0]) if len(number[0]) < 4 else 0)) for _ in (1,) if number),
    )
    best, size = Token("filler"), 0
    for text, token in candidates:
        if len(text) > size and _stands_alone(folded, index, index + len(text)):
            best, size = token, len(text)
    return best, size


def _stands_alone(folded: str, start: int, end: int) -> bool:
    return not (start and joins(folded[start - 1], folded[start])) and not (
        end < len(folded) and joins(folded[end - 1], folded[end])
    )


@lru_cache(maxsize=1)
def _listed() -> dict[str, list[tuple[str, Token]]]:
    table: dict[str, Token] = {}
    for language in words.LANGUAGES.values():
        for text, token in _entries(language):
            table.setdefault(text, token)
    for text in phrases(words.FORMER):
        table[text] = Token("former")
    for text in phrases(words.LATTER):
        table[text] = Token("latter")
    by_first: dict[str, list[tuple[str, Token]]] = {}
    for text, token in table.items():
        by_first.setdefault(text[0], []).append((text, token))
    return by_first


@lru_cache(maxsize=1)
def known_phrases() -> frozenset[str]:
    """All that a reply may say without a list's own words."""
    return frozenset(text for entries in _listed().values() for text, _ in entries)


def _entries(language: words.Words) -> Iterator[tuple[str, Token]]:
    plain: tuple[tuple[str, TokenKind], ...] = (
        (language.both, "both"),
        (language.all, "all"),
        (language.last, "last"),
        (language.yes, "yes"),
        (language.deeds, "deed"),
        (language.conjunctions, "and"),
        (language.filler, "filler"),
    )
    for forms, kind in ((language.ordinals, "ordinal"), (language.cardinals, "number")):
        for position, entry in enumerate(forms.split(","), 1):
            for text in entry.split("|"):
                if text.strip():
                    yield phrases(text)[0], Token("ordinal" if kind == "ordinal" else "number", position)
    for data, token_kind in plain:
        for text in phrases(data):
            yield text, Token(token_kind)


@lru_cache(maxsize=1)
def _qualified() -> Callable[[str], object]:
    listed = sorted({text for one in words.LANGUAGES.values() for text in phrases(one.qualifiers)})
    spaced = [re.escape(text) for text in listed if not is_unspaced(text[-1])]
    unspaced = [re.escape(text) for text in listed if is_unspaced(text[-1])]
    letter = "0-9_a-zà-ɏа-яёऀ-ॣ"
    return re.compile(rf"(?<![{letter}])(?:{'|'.join(spaced)})(?![{letter}])|{'|'.join(unspaced)}").search


def is_qualified(folded: str) -> bool:
    """Whether any word of a folded reply hedges, negates, conditions or excepts."""
    return _qualified()(folded.replace(",", "")) is not None


@lru_cache(maxsize=1)
def both_words() -> tuple[str, ...]:
    return tuple(text for one in words.LANGUAGES.values() for text in phrases(one.both))


@lru_cache(maxsize=1)
def all_words() -> tuple[str, ...]:
    return tuple(text for one in words.LANGUAGES.values() for text in phrases(one.all))


@lru_cache(maxsize=1)
def yes_words() -> tuple[str, ...]:
    return tuple(text for one in words.LANGUAGES.values() for text in phrases(one.yes))


def has_phrase(folded: str, listed: tuple[str, ...]) -> bool:
    """Whether one of the phrases stands in the text as whole words."""
    return any(
        _stands_alone(folded, place, place + len(one))
        for one in listed
        for place in (found.start() for found in re.finditer(re.escape(one), folded))
    )


@lru_cache(maxsize=1)
def _references() -> Callable[[str], Iterator[re.Match[str]]]:
    kinds = ("ordinal", "last", "former", "latter")
    listed = [text for same in _listed().values() for text, token in same if token.kind in kinds]
    spelled = "|".join(map(re.escape, sorted(listed, key=len, reverse=True)))
    return re.compile(rf"{spelled}|(?<![\w.#@/{{:-])#?\d{{1,2}}(?![\w%{{}}]*[a-z_%]|\.\d|[-/:]\d)").finditer


def references(folded: str) -> Iterator[Token]:
    """The numbers, ordinals and words like "the latter" anywhere in a folded text, in order."""
    for found in _references()(folded):
        text = found[0].lstrip("#")
        if text.isdigit() and len(text) < 3:
            yield Token("number", int(text))
        elif _stands_alone(folded, *found.span()):
            yield token_at(folded, found.start(), {})[0]
