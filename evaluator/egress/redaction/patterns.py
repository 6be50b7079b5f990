"""Spans, and patterns: compiles one when it is first asked for, and tries one only where a literal string stands. Pure.

Most texts hold no secret: importing the finders costs no compilation, and a search for a literal is fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern, compiled when it is first asked for. `flags` as of the `re` module."""
    return re.compile(pattern, flags)


@lru_cache(maxsize=1)
def lower(text: str) -> str:
    """In lower case, and of the same length. One finder after another asks for that of the same text."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def matches_at(
    text: str, anchors: Iterable[str], pattern: re.Pattern[str], haystack: str | None = None
) -> Iterator[re.Match[str]]:
    """Matches that begin where `haystack` (else `text`) holds one of the anchors; those of one do not overlap."""
    where = text if haystack is None else haystack
    for anchor in anchors:
        at = where.find(anchor)
        while at >= 0:
            match = pattern.match(text, at)
            yield from () if match is None else (match,)
            at = where.find(anchor, at + 1 if match is None else max(match.end(), at + 1))


@lru_cache(maxsize=1)
def _pattern_trigrams(text: str) -> set[tuple[str, str, str]]:
    words = " ".join({*text.split(), ""})
    return set(zip(words, words[1:], words[2:], strict=False))


@cache
def _pattern_literal_grams(literals: tuple[str, ...]) -> tuple[tuple[str, set[tuple[str, str, str]]], ...]:
    return tuple(
        (
            one,
            {gram for part in one.lower().split(" ") for gram in zip(part, part[1:], part[2:], strict=False)},
        )
        for one in literals
    )


def held(literals: tuple[str, ...], text: str) -> list[str]:
    """The literals that stand in the text. One pass over its words rules out nearly all, however many they are."""
    known = _pattern_trigrams(lower(text))
    return [one for one, needed in _pattern_literal_grams(literals) if needed <= known and one in text]


def matches_of(lowered: str, anchors: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Matches that begin with one of the anchors."""
    yield from matches_at(lowered, held(anchors, lowered), pattern)


@cache
def beginnings(words: tuple[str, ...]) -> tuple[str, ...]:
    """What stands wherever one of the words does: each but those that begin with another."""
    given = {*words}
    return tuple(
        sorted(one for one in given if not any(one != other and one.startswith(other) for other in given))
    )


class SecretSpan(NamedTuple):
    """The characters text[start:end] are a secret of this kind."""

    start: int
    end: int
    kind: str


def merge(found: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Disjoint spans in order. Where finds overlap, the first of them in `found` names the kind."""
    ranked = sorted(enumerate(found), key=lambda item: (item[1].start, item[0]))
    merged: list[tuple[int, SecretSpan]] = []
    for rank, span in ranked:
        if merged and span.start < merged[-1][1].end:
            best, last = merged[-1]
            kind = last.kind if best <= rank else span.kind
            merged[-1] = (min(best, rank), SecretSpan(last.start, max(last.end, span.end), kind))
        else:
            merged.append((rank, span))
    return [span for _, span in merged]
