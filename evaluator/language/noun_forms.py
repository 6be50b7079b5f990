"""Other forms of one noun: what is derived from it, and how it looks after a slip of the keyboard. Pure.

Forms that are alike are no proof: they tell which words to look at.
"""

from __future__ import annotations

import re
from functools import lru_cache

from evaluator.language import noun_text

SLIP_CHARS_MIN = 5
"""Shorter words are too often other words after one slip."""
ROOT_CHARS_MIN = 4
_PLAIN = re.compile(r"[a-zäöüß]+")
_ENDINGS = ("ement", "ment", "ing", "ung", "ion", "er", "or", "ed", "en", "e")


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """What a noun and the verb that it comes from share: `sampl` of sample, sampler, sampling."""
    found = noun_text.singular(word)
    if _PLAIN.fullmatch(found) is None:
        return found
    for _ in range(2):
        ending = next((one for one in _ENDINGS if found.endswith(one)), "")
        if not ending or len(found) - len(ending) < ROOT_CHARS_MIN:
            break
        found = found[: -len(ending)]
    if len(found) > ROOT_CHARS_MIN and found.endswith("at"):
        found = found[:-2] if len(found) > ROOT_CHARS_MIN + 2 else found
    if len(found) >= ROOT_CHARS_MIN and found[-1] == found[-2] and found[-1] not in "aeiou":
        found = found[:-1]
    return found


@lru_cache(maxsize=4_000)
def slips(word: str) -> tuple[str, ...]:
    """The word, and the word without each of its letters: two words that are one slip apart share one of them (the
    symmetric deletes of Garbe 2012). Nothing of a short word."""
    if len(word) < SLIP_CHARS_MIN - 1 or _PLAIN.fullmatch(word) is None:
        return ()
    return (word, *dict.fromkeys(word[:at] + word[at + 1 :] for at in range(len(word))))


def is_slip(word: str, of: str) -> bool:
    """Whether one letter was dropped, added or changed, or two neighbours swapped (Damerau 1964), in a word of at
    least `SLIP_CHARS_MIN` letters. Its first letter and that of `of` may differ by a swap or a drop alone."""
    if word == of or len(of) < SLIP_CHARS_MIN or abs(len(word) - len(of)) > 1 or not word.isalpha():
        return False
    at = next((n for n, (one, other) in enumerate(zip(word, of, strict=False)) if one != other), None)
    if at is None:
        return True
    rest, own = word[at:], of[at:]
    if len(word) == len(of):
        return (at > 0 and rest[1:] == own[1:]) or (rest[:2] == own[1::-1] and rest[2:] == own[2:])
    return rest[1:] == own or rest == own[1:]
