"""Finds numbers that a label calls secret: a PIN, a code of a door, a code sent once. Pure.

Such a number has at least four digits; what is shorter is a pin of a board, an exit code, a length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from evaluator.stages.redaction import syntax
from evaluator.stages.redaction.labels import joins_without_space, pins
from evaluator.stages.redaction.patterns import beginnings, compiled, lower, matches_at
from evaluator.stages.redaction.spans import Span

KIND = "pin"

_DIGITS = r"[0-9]{4,12}[#*]?|[0-9]{3}[ -][0-9]{3}|[0-9]{2}(?: [0-9]{2}){1,3}"
_CODE = r"(?=[A-Za-z#*-]*[0-9][A-Za-z#*-]*[0-9])[0-9A-Za-zА-Я#*-]{4,12}"
_MEASURED = (
    r"[ \t]?(?:digits?|characters|chars|attempts|tries|retries|seconds|minutes|hours|days|ms|bytes|bits|requests|users|"
    r"px|hz|mv|ziffern|stellen|chiffres|cifras|dígitos|cifre|цифр|символ|位|桁|자리|अंक)"
)
_PREFIXES = ("min", "max", "gpio", "led", "num", "count", "total", "board", "input", "output", "reset")
_BARE_NAMES = frozenset({"pin"})


@cache
def _anchors() -> tuple[str, ...]:
    return beginnings(word for word in pins() if "pin" not in word[1:])


@cache
def _pin() -> re.Pattern[str]:
    names = "|".join(map(re.escape, pins()))
    joined = "|".join(joins_without_space())
    toward = r"to|auf|à|a|para|su|на"
    return re.compile(
        rf"(?P<name>{names}|pin[-_ ]?(?:code|number|no|nr|num))(?![A-Za-zА-я])"
        rf"(?P<join>[\"'`*_)\]]{{0,3}}(?:{syntax.WHOSE}{syntax.IS}|[ \t]?(?:{joined})[ \t:]{{0,4}}"
        rf"|[ \t]{{0,4}}(?:=>|={{1,3}}|\|)[ \t]{{0,4}}|[ \t]{{1,4}}(?:{toward})[ \t]{{1,4}}|[ \t]?:[ \t]{{0,4}}\n[ \t]{{0,8}})"
        rf"|(?P<beside>{syntax.WHOSE}[\"'`*]{{0,2}}[ \t]{{0,3}}[(,]?[ \t]?))"
        rf"(?P<quote>[\"'`*«「“„]{{0,2}})(?:(?P<digits>{_DIGITS})|(?P<code>{_CODE}))"
        rf"(?![A-Za-z0-9_%°]|[.,:/-][0-9A-Za-z])(?!{_MEASURED})",
        re.IGNORECASE,
    )


def find_pins(text: str) -> Iterator[Span]:
    lowered = lower(text)
    anchors = tuple(one for one in _anchors() if (one.isascii() or not text.isascii()) and one in lowered)
    if not anchors or not compiled("[0-9]").search(text):
        return
    for found in matches_at(text, anchors, _pin(), lowered):
        if not _is_part(text, found.start()) and _is_number(found):
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


def _is_number(found: re.Match[str]) -> bool:
    bare = found["name"].lower() in _BARE_NAMES
    if found["code"]:
        return (
            not bare
            and found["join"] is not None
            and not found["code"].lower().startswith(("http", "e-", "-"))
        )
    if len(set(found["digits"])) == 1 and found["digits"][0] == "0":
        return False
    year = found["digits"].startswith(("19", "20")) and len(found["digits"]) == 4
    # Without a space the digits go on with the name: `pin1024`.
    apart = (
        found["join"] is not None
        or found["quote"]
        or found["beside"][-1:] in {" ", "\t", "("}
        or bool(found["name"][-1] > "\u2fff")
    )
    return bool(apart) and not (year and found["join"] is None and found["name"] != "PIN")
