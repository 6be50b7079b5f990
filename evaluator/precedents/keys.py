"""The words under which a precedent is found, and those of a text that looks for one. Pure.

Beside its words a precedent is found under what they look like after a slip of the keyboard (`~`, `-`, `^`: a letter
added, dropped, swapped), what they are derived from (`=`), and neighbours written as one word: so a text need not be
looked up in many forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from evaluator.language import noun_forms, noun_text, words
from evaluator.precedents.precedent import Precedent

WORDS_MAX = 200
"""Of a text that looks for precedents: its first and its last ones."""
FORMS_MAX = 40
"""Of the words of a text those that are looked up in other forms, too."""
COMPOUND_CHARS_MIN, PART_CHARS_MIN = 8, 4
"""Of a word written together, and of its first part."""


def found_under(precedent: Precedent) -> frozenset[str]:
    """Keys of the term's content words, and pieces of the name of its target, each with its forms."""
    name = precedent.target.rstrip("/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    term, named = _content(precedent.term), _content(name)
    each = (*term, *named)
    slips = (form for word in each for form in _as_kept(noun_forms.slips(noun_text.singular(word))))
    plain = (*_keys(each), *noun_text.meant_by(precedent.term))
    return frozenset((*plain, *_roots(each), *slips, *_joined(term), *_joined(named)))


def looked_for(text: str) -> tuple[str, ...]:
    """The words that precedents of a text are looked up by, each once."""
    said = _content(words.normalise(text, 8_000))
    found = _ends(_keys(said), WORDS_MAX)
    near = _ends(said, FORMS_MAX)
    slips = (
        form
        for word in near
        if not words.kinds(word)
        for form in _as_said(noun_forms.slips(noun_text.singular(word)))
    )
    forms = (*_roots(near), *slips, *_joined(near), *_firsts(near), *noun_text.meant_by(text))
    return tuple(dict.fromkeys((*found, *forms)))


def _as_kept(slips: Sequence[str]) -> list[str]:
    """The word, its letters in order, and the word without each letter: none is what the same word is looked up by
    but its letters, so that a word that is said finds no row many times over."""
    return (
        [f"~{slips[0]}", f"^{''.join(sorted(slips[0]))}", *(f"-{one}" for one in slips[1:])] if slips else []
    )


def _as_said(slips: Sequence[str]) -> list[str]:
    return (
        [f"-{slips[0]}", f"^{''.join(sorted(slips[0]))}", *(f"~{one}" for one in slips[1:])] if slips else []
    )


def _ends(found: list[str], most: int) -> list[str]:
    return found if len(found) <= most else [*found[: most // 2], *found[-most // 2 :]]


def _content(text: str) -> list[str]:
    """All of a text's words where it has no content words: a term may be `it`."""
    found = words.split(words.normalise(text, 8_000))
    return list(dict.fromkeys([word for word in found if word not in words.STOP] or found))


def _keys(found: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(piece for word in found for piece in _pieces(word)))


def _pieces(word: str) -> tuple[str, ...]:
    return words.pieces(word) if words.UNSPACED.search(word) else (noun_text.key(word),)


def _roots(found: Iterable[str]) -> list[str]:
    return [
        f"={noun_forms.root(word)}"
        for word in found
        if len(word) >= noun_forms.ROOT_CHARS_MIN and _is_plain(word)
    ]


def _joined(found: Sequence[str]) -> list[str]:
    """Neighbours as one word: "rate limit" is found as `ratelimit`."""
    return [
        f"{one}{noun_text.key(next_)}"
        for one, next_ in pairwise(found)
        if _is_plain(one) and _is_plain(next_)
    ]


def _firsts(found: Iterable[str]) -> list[str]:
    """What can be the first part of a word that is written together, as in `Pollertext`."""
    return [
        noun_text.key(word[:end])
        for word in found
        if len(word) >= COMPOUND_CHARS_MIN and _is_plain(word)
        for end in range(PART_CHARS_MIN, len(word) - 2)
    ]


def _is_plain(word: str) -> bool:
    return word.isalpha() and not words.UNSPACED.search(word)
