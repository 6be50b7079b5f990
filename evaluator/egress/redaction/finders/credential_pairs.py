"""Finds the password of a user and a password told in one breath (`credentials: user / V`), and secret numbers. Pure.

Such a number (a PIN, a code of a door, a code sent once) has at least four digits; what is shorter is a pin of a board,
an exit code, a length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.patterns import SecretSpan, beginnings, compiled, lower, matches_of
from evaluator.egress.redaction.secret_names import Level, goes_on, joins, named, pattern, vocabulary
from evaluator.egress.redaction.values import is_secret, is_stated
from evaluator.text import alternatives

KIND = "password"


@cache
def _credential_pair_pattern() -> re.Pattern[str]:
    names = alternatives(named("pairs"))
    close = r"[\"'`*_)\]]{0,3}"
    below = r"[ \t]?[:=][ \t]{0,4}\n[ \t]{0,8}[-*]?[ \t]?"
    said = r"[ \t]are[ \t]{1,4}|[ \t]?(?:是|为|は|는|은)[ \t:]{0,2}"
    join = rf"(?:{syntax.whose()}(?P<which>[ \t]\w{{2,16}}(?=[ \t]?[:=]))?(?:{syntax.says()}|{below})|{said})"
    user = r"[\"'`(*«]{0,2}(?P<user>[\w@.+-]{2,60})[\"'`*»]{0,2}"
    joined = r"(?:and|und|et|y|e|и|with|mit|&|\+)"
    between = (
        r"(?P<apart>[ \t]{1,4}[/|:][ \t]{1,4}|[:|])|(?P<tight>/)"
        rf"|(?P<loose>,?[ \t]{{1,3}}{joined}[ \t]{{1,3}}|,[ \t]{{1,3}}|[ \t]{{1,3}})"
    )
    value = r"[\"'`*«]{0,2}(?P<v>[^\s\"'`<>,;»」*。、]{4,128})"
    return re.compile(rf"(?P<name>{names}){close}{join}{user}(?:{between}){value}")


def find_pairs(text: str) -> Iterator[SecretSpan]:
    for found in matches_of(lower(text), beginnings(named("pairs")), _credential_pair_pattern()):
        value = text[found.start("v") : found.end("v")].rstrip(".)]}?:")
        if len(value) >= 4 and _is_credential_pair(text, found, value):
            yield SecretSpan(found.start("v"), found.start("v") + len(value), KIND)


def _is_credential_pair(text: str, found: re.Match[str], value: str) -> bool:
    user, name = found["user"], found["name"]
    if user in vocabulary("no_users") or value.lower() in vocabulary("no_passwords"):
        return False
    mixed = is_secret(value, Level.PASSWORD, quoted=False)
    if mixed or found["tight"] or found["loose"]:
        return mixed
    end = found.start("v") + len(value)
    if not is_stated(value, Level.PASSWORD, quoted=False) or pattern("closing").match(text, end) is None:
        return False
    if user in vocabulary("accounts") or compiled(r".*[@._0-9-].*").fullmatch(user):
        return True
    return not goes_on(user) and name.replace(" ", "_") not in vocabulary("weak_pairs")


PIN_KIND = "pin"

_DIGITS = r"[0-9]{4,12}[#*]?|[0-9]{3}[ -][0-9]{3}|[0-9]{2}(?: [0-9]{2}){1,3}"
_CODE = r"(?=[a-z#*-]*[0-9][a-z#*-]*[0-9])[0-9a-zа-я#*-]{4,12}"
_PREFIXES = ("min", "max", "gpio", "led", "num", "count", "total", "board", "input", "output", "reset")


@cache
def _credential_pin_pattern() -> re.Pattern[str]:
    names = alternatives(named("pins")) + "|pin[-_ ]?(?:code|number|no|nr|num)"
    joined = "|".join(joins(spaced=False))
    toward = r"to|auf|à|a|para|su|на"
    genitive = r"[ \t][а-яё]{3,20}[аиыя]"
    of = f"(?:{genitive}|{syntax.whose()})"
    return re.compile(
        rf"(?P<name>{names})(?![a-zа-я])"
        rf"(?:[\"'`*_)\]]{{0,3}}(?:{of}{syntax.says()}|[ \t]?(?:{joined})[ \t:]{{0,4}}"
        rf"|[ \t]{{0,4}}(?:=>|={{1,3}}|\|)[ \t]{{0,4}}|[ \t]{{1,4}}(?:{toward})[ \t]{{1,4}}"
        r"|[ \t]?:[ \t]{0,4}\n[ \t]{0,8})"
        rf"|(?P<beside>{of}(?:'s)?[\"'`*]{{0,2}}[ \t]{{0,3}}[(,#]?[ \t]?))"
        rf"(?P<quote>[\"'`*«「“„]{{0,2}})(?:(?P<digits>{_DIGITS})|(?P<code>{_CODE}))"
        rf"(?![a-z0-9_%°]|[.,:/-][0-9a-z])(?!{pattern('measured').pattern})"
    )


def find_pins(text: str) -> Iterator[SecretSpan]:
    for found in matches_of(lower(text), beginnings(named("pins")), _credential_pin_pattern()):
        if not _is_part_of_other_name(text, found.start()) and _is_credential_number(found, text):
            group = "digits" if found["digits"] else "code"
            yield SecretSpan(*found.span(group), PIN_KIND)


def _is_part_of_other_name(text: str, at: int) -> bool:
    """Whether the label is the end of another word (`spin`), or of the name of something else (`MAX_PIN`)."""
    before = text[max(at - 1, 0) : at]
    if before.isalpha() and before < "\u2fff" and not text[at].isupper():
        return True
    words = compiled(r"[A-Za-z]+(?=[ _-]?\Z)").search(text, max(at - 12, 0), at)
    return words is not None and words[0].lower() != "admin" and words[0].lower().endswith(_PREFIXES)


def _is_credential_number(found: re.Match[str], text: str) -> bool:
    if found["code"]:
        return found["name"] != "pin" and found["beside"] is None
    if found["beside"] is None:
        return True
    # Without a space the digits go on with the name: `pin1024`. A year may count something else.
    apart = found["beside"][-1:] in {" ", "\t", "(", "#"} or found["name"][-1] > "\u2fff"
    return apart and not (found["digits"].startswith(("19", "20")) and len(found["digits"]) == 4)
