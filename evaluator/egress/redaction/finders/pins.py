"""Finds numbers that a label calls secret: a PIN, a code of a door, a code sent once. Pure.

Such a number has at least four digits; what is shorter is a pin of a board, an exit code, a length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.language.labels import joins_without_space, pins
from evaluator.egress.redaction.patterns import beginnings, compiled, is_far, lower, matches_of
from evaluator.egress.redaction.spans import Span

KIND = "pin"

_DIGITS = r"[0-9]{4,12}[#*]?|[0-9]{3}[ -][0-9]{3}|[0-9]{2}(?: [0-9]{2}){1,3}"
_CODE = r"(?=[a-z#*-]*[0-9][a-z#*-]*[0-9])[0-9a-zа-я#*-]{4,12}"
_MEASURED = (
    r"[ \t]?(?:digits?|characters|chars|attempts|tries|retries|seconds|minutes|hours|days|ms|bytes|bits|requests|users|"
    r"px|hz|mv|ziffern|stellen|chiffres|cifras|dígitos|cifre|цифр|символ|位|桁|자리|अंक)"
)
_PREFIXES = ("min", "max", "gpio", "led", "num", "count", "total", "board", "input", "output", "reset")
_STEMS = ("código", "codice", "code de ")
"""Rare beginnings of several names."""
_BARE_NAMES = frozenset({"pin"})


@cache
def _anchors() -> tuple[str, ...]:
    return beginnings((word for word in pins() if "pin" not in word[1:] and not is_far(word[0])), _STEMS)


@cache
def _pin(far: bool) -> re.Pattern[str]:
    names = "|".join(re.escape(word) for word in pins() if is_far(word[0]) == far)
    names = names if far else rf"{names}|pin[-_ ]?(?:code|number|no|nr|num)"
    joined = "|".join(joins_without_space())
    toward = r"to|auf|à|a|para|su|на"
    of = syntax.WHOSE
    return re.compile(
        rf"(?P<name>{names})(?![a-zа-я])"
        rf"(?:[\"'`*_)\]]{{0,3}}(?:{of}{syntax.IS}|[ \t]?(?:{joined})[ \t:]{{0,4}}"
        rf"|[ \t]{{0,4}}(?:=>|={{1,3}}|\|)[ \t]{{0,4}}|[ \t]{{1,4}}(?:{toward})[ \t]{{1,4}}"
        r"|[ \t]?:[ \t]{0,4}\n[ \t]{0,8})"
        rf"|(?P<beside>{of}(?:'s)?[\"'`*]{{0,2}}[ \t]{{0,3}}[(,#]?[ \t]?))"
        rf"(?P<quote>[\"'`*«「“„]{{0,2}})(?:(?P<digits>{_DIGITS})|(?P<code>{_CODE}))"
        rf"(?![a-z0-9_%°]|[.,:/-][0-9a-z])(?!{_MEASURED})",
    )


def find_pins(text: str) -> Iterator[Span]:
    if not compiled("[0-9]").search(text):
        return
    for found in matches_of(lower(text), _anchors(), _pin(far=False), _pin(far=True)):
        if not _is_part(text, found.start()) and _is_number(found, text):
            group = "digits" if found["digits"] else "code"
            yield Span(*found.span(group), KIND)


def _is_part(text: str, at: int) -> bool:
    """Whether the label is the end of another word (`spin`), or of the name of something else (`MAX_PIN`)."""
    before = text[max(at - 1, 0) : at]
    hump = text[at].isupper() and before.islower() and text[at + 1 : at + 2].islower()
    if before.isalnum() and before.isascii() and not hump:
        return True
    if before.isalpha() and "а" <= before.lower() <= "я":
        return True
    words = compiled(r"[A-Za-z]+(?=[ _-]?\Z)").search(text, max(at - 12, 0), at)
    return words is not None and words[0].lower().endswith(_PREFIXES)


def _is_number(found: re.Match[str], text: str) -> bool:
    bare = found["name"] in _BARE_NAMES
    if found["code"]:
        return not bare and found["beside"] is None and not found["code"].startswith(("http", "e-", "-"))
    if len(set(found["digits"])) == 1 and found["digits"][0] == "0":
        return False
    year = found["digits"].startswith(("19", "20")) and len(found["digits"]) == 4
    # Without a space the digits go on with the name: `pin1024`.
    apart = (
        found["beside"] is None
        or found["quote"]
        or found["beside"][-1:] in {" ", "\t", "(", "#"}
        or bool(found["name"][-1] > "\u2fff")
    )
    return bool(apart) and not (
        year and found["beside"] is not None and text[found.start() : found.end("name")] != "PIN"
    )
