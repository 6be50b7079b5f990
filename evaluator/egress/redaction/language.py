"""How people speak of secrets, by language: labels, and which words only go on with the sentence after one. Pure.

A password can be a word that people say of passwords (`the password is wrong`), and is then left: a reader needs the
sentence. The words stand in `egress/secret_words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, cast

from evaluator.egress.redaction.patterns import compiled
from evaluator.tables import table

_WORDS = "egress/secret_words"


@cache
def vocabulary(name: str) -> frozenset[str]:
    """A list of the table."""
    return frozenset(cast(Mapping[str, str], table(_WORDS)["words"])[name].split())


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A pattern of the table, whose line ends are no part of it."""
    return re.compile(cast(Mapping[str, str], table(_WORDS)["patterns"])[name].replace("\n", ""))


class Labels(NamedTuple):
    """What names a secret in one language, as the table says of each field."""

    passwords: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    towards: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    users: tuple[str, ...] = ()


@cache
def labels() -> dict[str, Labels]:
    """By language."""
    found = cast(Mapping[str, Mapping[str, list[str]]], table(_WORDS)["labels"])
    return {
        code: Labels(**{field: tuple(words) for field, words in row.items()}) for code, row in found.items()
    }


JOINED = ("zh", "ja", "ko")
"""The languages that write words without spaces, or join particles to them."""


@cache
def joins(*, spaced: bool = True) -> tuple[str, ...]:
    """The joining words of the languages that write words apart, or of the others."""
    return _united("joins", tuple(code for code in labels() if (code not in JOINED) is spaced))


@cache
def named(field: str) -> tuple[str, ...]:
    """What all languages have in this field of the labels, the longest first."""
    return _united(field, tuple(labels()))


def _united(field: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    found = {word for code in codes for word in getattr(labels()[code], field)}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


_PARTS_MAX = 3


@cache
def _known() -> frozenset[str]:
    return vocabulary("function") | vocabulary("told")


def goes_on(value: str) -> bool:
    """Whether the value is a word of the sentence, or is put together with one (`case-sensitive`)."""
    word = value.lower().strip(".,:;!?()[]{}\"'`*_")
    if not word or _is_said(word):
        return True
    parts = compiled("[-_/]").split(word)
    return 1 < len(parts) <= _PARTS_MAX and (parts[0] in vocabulary("leads") or _is_said(parts[-1]))


def is_listed(word: str) -> bool:
    """Whether the table has the word itself, in lower case; what endings make of a word does not count."""
    return word in _known()


def is_joined_talk(value: str) -> bool:
    """Whether the value, in a script without spaces, tells or asks something of a secret: `不能为空`, `入力必須`."""
    return pattern("joined_talk").search(value) is not None


def is_abstract(value: str) -> bool:
    """A noun for what is never typed: `the secret is consistency`."""
    return pattern("abstract").fullmatch(value.lower()) is not None


def _is_said(word: str) -> bool:
    if word in _known():
        return True
    return word not in vocabulary("no_endings") and pattern("said").fullmatch(word) is not None


@cache
def _continuing() -> frozenset[str]:
    continuing = cast(Mapping[str, str], table(_WORDS)["continues"])
    return frozenset(word for words in continuing.values() for word in words.split())


def _singulars(word: str) -> tuple[str, ...]:
    """What an Italian plural may be of: `errate`, `lunghe`, `semplici`."""
    if len(word) < 5 or word[-1] not in "ei":
        return ()
    stem = word[:-2] if word[-2] == "h" else word[:-1]
    return (f"{stem}a",) if word[-1] == "e" else (f"{stem}o", f"{stem}e")


def continues(value: str, languages: tuple[str, ...]) -> bool:
    """Whether the value is a word that goes on after a label; the forms of verbs are those of these languages."""
    lowered = value.lower().strip(".,:;!?()[]{}\"'`*_")
    if goes_on(value) or is_abstract(value) or lowered in _continuing():
        return True
    parts = compiled("[-_/]").split(lowered)
    if len(parts) > 1 and not any(map(str.isdigit, lowered)) and parts[-1] in _continuing():
        return True
    if lowered.endswith("s") and goes_on(lowered[:-1]):
        return True
    if any(is_listed(one) or one in _continuing() for one in _singulars(lowered)):
        return True
    endings = cast(Mapping[str, str], table(_WORDS)["endings"])
    return value.islower() and any(
        compiled(endings[language]).fullmatch(value) for language in languages if language in endings
    )
