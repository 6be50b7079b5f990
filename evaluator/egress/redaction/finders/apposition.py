"""Finds the quoted value that explains its label: `the token, “V”, goes there`, `пароль от архива «V»`. Pure."""

from __future__ import annotations

import re
from functools import cache

from evaluator.egress.redaction.finders import syntax
from evaluator.egress.redaction.language.labels import of
from evaluator.egress.redaction.language.sentences import is_joined_talk
from evaluator.egress.redaction.names import Level
from evaluator.egress.redaction.values import ValueStyle, is_secret, is_stated

QUOTES = {
    '"': '"', "'": "'", "`": "`", "«": "»", "»": "«", "„": "“", "“": "”", "‘": "’", "‚": "‘", "「": "」", "『": "』",
}  # fmt: skip

_UNLIKE_CODE = "«„“「『"
"""Quotes that no program has, so that a value may stand in them right behind its label."""
_OPENS = frozenset({" ", "\t", ",", *_UNLIKE_CODE})


@cache
def _after() -> re.Pattern[str]:
    owners = "|".join(map(re.escape, of()))
    opening, marks = "".join(QUOTES), "".join({*QUOTES, *QUOTES.values()})
    article = r"(?:(?:the|our|my|das|den|dem|der|le|la|el|il|lo|o|a)[ \t])?"
    return re.compile(
        rf"(?:(?P<whose>[ \t](?:{owners})[ \t]{article}{syntax.THINGS})[ \t]{{1,2}}"
        rf"|(?P<next>,[ \t])|[ \t]{{0,2}}(?=[{_UNLIKE_CODE}]))(?P<quote>[{opening}])[ \t]?"
        rf"(?P<v>[^\s{marks}](?:[^\n{marks}]{{0,126}}[^\s{marks}]))[ \t]?",
        re.IGNORECASE,
    )


def value_after(text: str, at: int, level: Level) -> tuple[int, int] | None:
    """Where the value stands, of a label that ends at `at`."""
    found = _after().match(text, at) if text[at : at + 1] in _OPENS else None
    if found is None or text[found.end() : found.end() + 1] != QUOTES[found["quote"]]:
        return None
    value = found["v"]
    end = found.end() + 1
    direct = not (found["whose"] or found["next"])
    if direct and level is not Level.PASSWORD:
        return None
    mixed = direct and is_secret(value, level, ValueStyle.LOOSE)
    closed = syntax.closing().match(text, end) is not None or (
        not found["next"] and text.startswith(("で", "を使", "を入"), end)
    )
    if not (closed or mixed) or (not direct and any(map(str.isspace, value))):
        return None
    if direct and not mixed and is_joined_talk(value):
        return None
    # In a list of words in quotes the next one follows just so.
    if not found["whose"] and (text[at - 1 : at] in QUOTES or _is_listed(text, end)):
        return None
    if not found["whose"] and level is not Level.PASSWORD and not any(map(str.isdigit, value)):
        return None
    return found.span("v") if is_stated(value, level, quoted=True, strong=True) else None


def _is_listed(text: str, at: int) -> bool:
    return any(one in text[at : at + 6] for one in QUOTES)
