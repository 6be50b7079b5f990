"""Finds what `egress/shapes.toml` describes: tokens of services; values in addresses, command lines, phrases. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, cast

from evaluator.egress.redaction.looks import is_random, is_user_and_password
from evaluator.egress.redaction.names import Level
from evaluator.egress.redaction.patterns import compiled, lower, matches_at
from evaluator.egress.redaction.spans import Span
from evaluator.egress.redaction.values import (
    CHARS_MIN,
    ValueStyle,
    is_form,
    is_placeholder,
    is_reference,
    is_secret,
)
from evaluator.tables import table

_DISTINCT_MIN = 5
"""Different characters that the end of a token has at least: `ghp_xxxx...` shows a form and hides nothing."""
_RANDOM_MIN = 15
"""Different characters in its last 20 that no form of a token has."""
_KEY_MIN = 20
_CREDENTIAL_MIN = 12
_ARGUMENT_MIN = 3
_PLAIN = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "pw"})


class Shape(NamedTuple):
    """One row of the table, which says what the fields mean."""

    kind: str
    at: tuple[str, ...]
    pattern: str
    flags: int
    fold: bool
    inside: bool
    holds: Callable[[str], bool]
    option: str
    needs: str


@cache
def shapes() -> tuple[Shape, ...]:
    data = table("egress/shapes")
    parts = cast(Mapping[str, str], data["parts"])

    def filled(pattern: object) -> str:
        return re.sub(r"\{([A-Z]+[0-9]?)\}", lambda part: parts[part[1]], str(pattern))

    return tuple(
        Shape(
            kind=cast(str, row["kind"]),
            at=tuple(cast(list[str], row["at"])),
            pattern=filled(row["is"]),
            flags=int(re.ASCII) * ("check" not in row) + int(re.IGNORECASE) * ("fold" in row),
            fold="fold" in row,
            inside="inside" in row,
            holds=CHECKS[str(row.get("check", "token"))],
            option=filled(row.get("option", "")),
            needs=str(row.get("needs", "")),
        )
        for row in cast(list[dict[str, object]], data["shapes"])
    )


@cache
def _literals() -> tuple[tuple[tuple[str, Shape], ...], ...]:
    """Each literal with its shape: those as written, those in lower case."""
    pairs = tuple((literal, shape) for shape in shapes() for literal in shape.at)
    return tuple(tuple(pair for pair in pairs if pair[1].fold is fold) for fold in (False, True))


def find_shapes(text: str) -> Iterator[Span]:
    lowered = lower(text)
    for where, literals in zip((text, lowered), _literals(), strict=True):
        for literal, shape in [pair for pair in literals if pair[0] in where]:
            pattern = compiled(shape.pattern, shape.flags)
            found = pattern.finditer(text) if shape.inside else matches_at(text, (literal,), pattern, where)
            for match in found:
                for value in _values(shape, text, match):
                    group = value.lastgroup or 0
                    if shape.holds(value[group]):
                        yield Span(*value.span(group), shape.kind)


def _values(shape: Shape, text: str, match: re.Match[str]) -> Iterator[re.Match[str]]:
    if not shape.option:
        yield match
    elif compiled(shape.needs).search(match[0]):
        yield from compiled(shape.option).finditer(text, *match.span())


def _is_token(value: str) -> bool:
    end = value[-20:]
    if len(set(end)) < _DISTINCT_MIN:
        return False
    # A random token may spell a word of a form by chance; a form has no digits and few different letters.
    return not is_form(value) or any(map(str.isdigit, end)) or len(set(end)) >= _RANDOM_MIN


def _is_literal(value: str) -> bool:
    return is_secret(value, Level.PASSWORD, ValueStyle.QUOTED)


def _is_password(value: str) -> bool:
    return is_secret(value.rstrip(".)]}。"), Level.PASSWORD, ValueStyle.LOOSE)


def _is_strong(value: str) -> bool:
    """Letters with a symbol, or of both cases with a digit: an e-mail address after `to:` seldom has them."""
    both = value.lower() != value != value.upper() and any(map(str.isdigit, value))
    return _is_password(value) and (both or compiled(r"\w[!#$%^&*+=?~]+\w").search(value) is not None)


def _is_argument(value: str) -> bool:
    if len(value) < _ARGUMENT_MIN or value.startswith("-"):
        return False
    return not is_reference(value, ValueStyle.TIGHT) and not is_placeholder(value)


def _is_in_address(value: str) -> bool:
    if value.lower() in _PLAIN or is_reference(value, ValueStyle.QUOTED):
        return False
    # Hardly anything is too plain here: the place alone says that it is a password.
    return (len(value) >= CHARS_MIN and value.isalnum() and not is_form(value)) or _is_literal(value)


CHECKS: dict[str, Callable[[str], bool]] = {
    "token": _is_token,
    "any": bool,
    "literal": _is_literal,
    "password": _is_password,
    "strong": _is_strong,
    "argument": _is_argument,
    "address": _is_in_address,
    "user": lambda value: is_random(value, _KEY_MIN),
    "key": lambda value: is_random(value, _KEY_MIN) and is_secret(value, Level.TOKEN, ValueStyle.LOOSE),
    "basic": is_user_and_password,
    "credential": lambda value: (
        is_random(value, _CREDENTIAL_MIN) and is_secret(value, Level.TOKEN, ValueStyle.TIGHT)
    ),
}
