"""Sentences that say anew what a word means. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from evaluator.language import noun_words, nouns, unspaced_nouns

TEXT_CHARS = 8_000
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)|[。！？]+|\n+")
_REDEFINING = re.compile(rf"(?<!\w)(?:{noun_words.REDEFINING})")
_EXPLAINING = re.compile(rf"(?<!\w)(?:{noun_words.EXPLAINING})")


def sentences(text: str, head: str) -> list[str]:
    """Those that hold the head (a key), in lower case."""
    text = text[:TEXT_CHARS]
    if not nouns.may_say(text, head):
        return []
    return [part for part in _parts(text) if head in part or head in nouns.keys_of(part)]


@lru_cache(maxsize=16)
def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in _SENTENCE.split(text))


def redefines(sentence: str) -> bool:
    flat = " ".join(re.sub(r"[,;:—–\"“”«»]", " ", sentence).split()) + " "
    return _REDEFINING.search(flat) is not None or unspaced_nouns.redefines(sentence)


def explains(sentence: str) -> bool:
    return _EXPLAINING.search(sentence) is not None
