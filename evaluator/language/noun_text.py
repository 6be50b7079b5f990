"""A request as nouns are looked for in it: its words, its tongue, and the key that a noun's forms share. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from evaluator.language import noun_tongues as tongues
from evaluator.language import noun_words as table
from evaluator.language import views, words

Tongue = Literal["english", "germanic", "romance"]
CHARS_MAX = 8_000
NOUNS_MAX = 40
_SCRIPT = words.UNSPACED.pattern.strip("[]")
_TOKEN = re.compile(rf"[{_SCRIPT}]+|[^\W\d_{_SCRIPT}]+(?:_[^\W_{_SCRIPT}]+)*(?:\d+)?|\d+|[^\w\s]|_")
_ENDS = re.compile(r"[.!?;:\n,()…\[\]{}]|--|–|—")
CASED = re.compile(r"[A-Z][a-z0-9]+[A-Z]|[a-z0-9][A-Z]|_")
_CYRILLIC = re.compile(r"^[\u0400-\u04ff]+$")
_CYRILLIC_END = re.compile(r"(?:ами|ями|ого|его|ому|ему|ов|ев|ах|ях|ам|ям|ом|ем|ой|ей|ию|[аеиоуыэюяьй])$")


@lru_cache(maxsize=20_000)
def key(word: str) -> str:
    """What words of one noun are compared by: lower case, no accents, singular as far as its ending tells; common
    nouns of programs in English.
    """
    found = singular(word)
    return _SAME.get(found, found)


def meant_by(text: str) -> frozenset[str]:
    """Keys of the English nouns that stand in a text of a script without blanks."""
    if text.isascii() or not words.UNSPACED.search(text):
        return frozenset()
    return frozenset(key(noun) for entry, noun in tongues.UNSPACED if entry in text)


def singular(word: str) -> str:
    """As `key`, with the word itself where programs have a common one in English."""
    word = unicodedata.normalize("NFKC", word).casefold()
    if _CYRILLIC.match(word):
        return _CYRILLIC_END.sub("", word) if len(word) > 4 else word
    if not word.isascii():
        word = "".join(one for one in unicodedata.normalize("NFD", word) if not unicodedata.combining(one))
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith(("ciones", "dores", "tores", "sores", "eiten", "ungen", "ionen", "gens")):
        return word[:-2]
    if word.endswith("enes"):
        word = word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
        return word[:-1] if word.endswith("en") and len(word) > 4 else word
    if word.endswith("en") and len(word) > 4:
        return word[:-1]
    # As their plurals, which do not tell `caches` from `batches`.
    return word[:-1] if word.endswith(("che", "she", "xe", "ze", "sse")) else word


_SAME = {singular(word): singular(noun) for word, noun in tongues.SAME.items()}
_OTHERS: dict[str, list[str]] = {}
for _word, _noun_of in _SAME.items():
    _OTHERS.setdefault(_noun_of, []).append(_word)


class Token(NamedTuple):
    text: str
    low: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()

    @property
    def ends(self) -> bool:
        return _ENDS.fullmatch(self.text) is not None


class Text(NamedTuple):
    """A text without quoted literals and paths, which say nothing of a noun beside them."""

    text: str
    tokens: tuple[Token, ...]
    tongue: Tongue


class Noun(NamedTuple):
    """One noun as it stands in a text. `modifiers` are keys, without those that set nothing apart.

    `other`: the words around it make it another thing than the bare noun. `open`: whether they do cannot be told.
    `definite`: the speaker takes it as known. `beside`: a preposition stands before it.
    `topic`: a sentence opens with it, without an article.
    """

    text: str
    head: str
    modifiers: frozenset[str]
    start: int
    end: int
    other: bool = False
    open: bool = False
    definite: bool = False
    beside: bool = False
    topic: bool = False


@lru_cache(maxsize=16)
def read(text: str) -> Text:
    text = words.normalise(text, CHARS_MAX)
    plain = views.URL.sub(_blank, text)
    plain = views.FOLDER.sub(_blank, views.FILE.sub(_blank, plain))
    plain = views.QUOTED.sub(_literal, plain)
    tokens = tuple(
        Token(found.group(), found.group().casefold(), found.start(), found.end())
        for found in re.finditer(rf"{_TOKEN.pattern}|\n", plain)
    )
    return Text(plain, tokens, _tongue(tokens))


def _blank(found: re.Match[str]) -> str:
    return "¤" * (found.end() - found.start())


def _literal(found: re.Match[str]) -> str:
    """A quoted single word may be the noun itself; anything else is what somebody wants to read."""
    inner = next(filter(None, found.groups()), "")
    return f" {inner} " if re.fullmatch(r"[^\W\d]\w*", inner) else _blank(found)


def _tongue(tokens: Sequence[Token]) -> Tongue:
    said = [token.low for token in tokens]
    romance, germanic = sum(one in table.ROMANCE for one in said), sum(one in table.GERMANIC for one in said)
    english = sum(one in table.ENGLISH for one in said)
    if max(romance, germanic) <= english:
        return "english"
    return "romance" if romance > germanic else "germanic"


def may_say(text: str, head: str) -> bool:
    """Whether a text can have a noun of that key: a cheap look before it is taken apart."""
    begins = (head[:4], *(word[:4] for word in _OTHERS.get(head, ())))
    return any(one in low for low in _folded(text) for one in begins)


@lru_cache(maxsize=16)
def _folded(text: str) -> tuple[str, ...]:
    low = text.casefold()
    if text.isascii():
        return (low,)
    plain = "".join(one for one in unicodedata.normalize("NFKD", low) if not unicodedata.combining(one))
    return low, plain


@lru_cache(maxsize=16)
def keys_of(text: str) -> frozenset[str]:
    """The keys of all words of a text, for scripts with blanks: of what it may speak."""
    return frozenset(
        key(piece) for token in read(text).tokens if token.is_word for piece in parts(token.text)
    )


def parts(text: str) -> list[str]:
    return [text, *words.split(text)] if CASED.search(text) else [text]
