"""The words under which a precedent is found, and those of a text that looks for one. Pure."""

from __future__ import annotations

from evaluator.language import nouns, words
from evaluator.precedents.precedent import Precedent

WORDS_MAX = 200
"""Of a text that looks for precedents: its first and its last ones."""


def found_under(precedent: Precedent) -> frozenset[str]:
    """Keys of the term's content words, and pieces of the name of its target."""
    name = precedent.target.rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return frozenset(_keys(precedent.term)) | frozenset(_keys(name))


def looked_for(text: str) -> tuple[str, ...]:
    """The words that precedents of a text are looked up by, each once."""
    found = _keys(words.normalise(text, 8_000))
    if len(found) > WORDS_MAX:
        found = [*found[: WORDS_MAX // 2], *found[-WORDS_MAX // 2 :]]
    return tuple(dict.fromkeys(found))


def _keys(text: str) -> list[str]:
    """All of a text's words where it has no content words: a term may be `it`."""
    found = words.split(words.normalise(text, 8_000))
    content = [word for word in found if word not in words.STOP] or found
    return list(dict.fromkeys(piece for word in content for piece in _pieces(word)))


def _pieces(word: str) -> tuple[str, ...]:
    return words.pieces(word) if words.UNSPACED.search(word) else (nouns.key(word),)
