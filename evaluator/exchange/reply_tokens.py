"""A reply as tokens: all of it is listed phrases, numbers, keys and labels, or there are no tokens.

Built from the words of all languages at once. Knows nothing of what a combination of tokens means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from evaluator.model import Action
from evaluator.text import is_unspaced, joins, phrases, table

WORDS: dict[str, Any] = table("exchange/words")
LANGUAGES: dict[str, dict[str, str]] = WORDS["replies"]
"""{language: {what is said: its phrases}}, as the file tells"""
ORDERS: dict[Action, str] = WORDS["orders"]
"""{what is ordered: verbs in the form of an order}"""
BESIDE: dict[str, str] = WORDS["beside"]
"""What stands beside an order, by the keys of the table."""
FORMER, LATTER, YES_ALONE = (str(WORDS[name]) for name in ("former", "latter", "yes_alone"))


def begins_with(folded: str, starts: tuple[str, ...]) -> bool:
    """Whether the text begins with one of the phrases, as whole words."""
    return any(begins(folded, one) for one in starts)


def begins(text: str, start: str) -> bool:
    return text.startswith(start) and not (len(text) > len(start) and joins(start[-1], text[len(start)]))


TokenKind = Literal[
    "yes", "deed", "filler", "both", "all", "and", "comma",
    "number", "ordinal", "last", "former", "latter", "key", "label",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """A `deed` affirms a proposal ("do it"). `value` is the number, the ordinal's position from 1, or the
    index of the key's or label's option."""

    kind: TokenKind
    value: int = 0


_COMMAS = ",、;，"
_PUNCTUATION = " .!:()[]\"'`*。！：-"
_NUMBER = re.compile(r"\d+")
# A decimal, a range, a fraction or a negative number is no reference to an option.
_ODD_NUMBER = re.compile(r"\d\s*[:/~\-]\s*\d|\d\.\d|(?<![\w)])-\s*\d")


def tokenize(folded: str, own: Mapping[str, ReplyToken]) -> list[ReplyToken] | None:
    """The tokens of a folded reply, or None if any part is not understood. `own` are the menu's phrases."""
    odd = {place for span in _ODD_NUMBER.finditer(folded) for place in range(*span.span())}
    found: list[ReplyToken] = []
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
            found.append(ReplyToken("comma"))
            index += 1
        elif char in _PUNCTUATION:
            index += 1
        else:
            return None
    return found


def token_at(folded: str, index: int, own: Mapping[str, ReplyToken]) -> tuple[ReplyToken, int]:
    """The longest token at a place and its length, 0 if there is none. The menu's phrases come first."""
    candidates = [*own.items(), *_reply_tokens_by_first().get(folded[index], ())]
    if number := _NUMBER.match(folded, index):
        candidates.append((number[0], ReplyToken("number", int(number[0]) if len(number[0]) < 4 else 0)))
    best, size = ReplyToken("filler"), 0
    for text, token in candidates:
        here = len(text) > size and folded.startswith(text, index)
        if here and _token_stands_alone(folded, index, index + len(text)):
            best, size = token, len(text)
    return best, size


def _token_stands_alone(folded: str, start: int, end: int) -> bool:
    return not (start and joins(folded[start - 1], folded[start])) and not (
        end < len(folded) and joins(folded[end - 1], folded[end])
    )


@lru_cache(maxsize=1)
def _reply_tokens_by_first() -> dict[str, list[tuple[str, ReplyToken]]]:
    by_text: dict[str, ReplyToken] = {}
    for language in LANGUAGES.values():
        entries = [
            (text, ReplyToken(kind, place))
            for key, kind in _COUNTED.items()
            for place, entry in enumerate(language[key].split(","), 1)
            for text in phrases(entry.replace("|", ","))
        ]
        entries += [
            (text, ReplyToken(kind)) for key, kind in _PLAIN.items() for text in phrases(language[key])
        ]
        for text, token in entries:
            by_text.setdefault(text, token)
    for text in phrases(FORMER):
        by_text[text] = ReplyToken("former")
    for text in phrases(LATTER):
        by_text[text] = ReplyToken("latter")
    by_first: dict[str, list[tuple[str, ReplyToken]]] = {}
    for text, token in by_text.items():
        by_first.setdefault(text[0], []).append((text, token))
    return by_first


@lru_cache(maxsize=1)
def known_phrases() -> frozenset[str]:
    """All that a reply may say without a list's own words."""
    return frozenset(text for entries in _reply_tokens_by_first().values() for text, _ in entries)


_COUNTED: dict[str, TokenKind] = {"ordinals": "ordinal", "cardinals": "number"}
_PLAIN: dict[str, TokenKind] = {
    "both": "both", "all": "all", "last": "last", "yes": "yes", "deeds": "deed", "conjunctions": "and",
    "filler": "filler",
}  # fmt: skip


@lru_cache(maxsize=1)
def _qualifier_token_search() -> Callable[[str], object]:
    listed = sorted({text for one in LANGUAGES.values() for text in phrases(one["qualifiers"])})
    spaced = [re.escape(text) for text in listed if not is_unspaced(text[-1])]
    unspaced = [re.escape(text) for text in listed if is_unspaced(text[-1])]
    letter = "0-9_a-zà-ɏа-яёऀ-ॣ"
    return re.compile(rf"(?<![{letter}])(?:{'|'.join(spaced)})(?![{letter}])|{'|'.join(unspaced)}").search


def is_qualified(folded: str) -> bool:
    """Whether any word of a folded reply hedges, negates, conditions or excepts."""
    return _qualifier_token_search()(folded.replace(",", "")) is not None


@cache
def words_for(field: Literal["both", "all", "yes"]) -> tuple[str, ...]:
    """The phrases of all languages for one thing that is said."""
    return tuple(text for one in LANGUAGES.values() for text in phrases(one[field]))


def has_phrase(folded: str, listed: tuple[str, ...]) -> bool:
    """Whether one of the phrases stands in the text as whole words."""
    return any(
        _token_stands_alone(folded, place, place + len(one))
        for one in listed
        for place in (found.start() for found in re.finditer(re.escape(one), folded))
    )
