"""Sentences that say anew what a word means. Pure."""

from __future__ import annotations

import re

from evaluator.language import noun_words, nouns, unspaced_nouns, words

TEXT_CHARS = 8_000
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)|[。！？]+|\n+")
_REDEFINING = re.compile(rf"(?<!\w)(?:{noun_words.REDEFINING})")
_EXPLAINING = re.compile(rf"(?<!\w)(?:{noun_words.EXPLAINING})")


def sentences(text: str, head: str) -> list[str]:
    """Those that hold the head (a key), in lower case."""
    found = (part.casefold() for part in _SENTENCE.split(text[:TEXT_CHARS]))
    return [
        part for part in found if head in part or any(nouns.key(word) == head for word in words.split(part))
    ]


def redefines(sentence: str) -> bool:
    flat = " ".join(re.sub(r"[,;:—–\"“”«»]", " ", sentence).split()) + " "
    return _REDEFINING.search(flat) is not None or unspaced_nouns.redefines(sentence)


def explains(sentence: str) -> bool:
    return _EXPLAINING.search(sentence) is not None
