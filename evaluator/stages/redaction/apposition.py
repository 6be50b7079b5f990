"""Finds the quoted value that explains its label: `the token, “V”, goes there`, `пароль от архива «V»`. Pure."""

from __future__ import annotations

import re
from functools import cache

from evaluator.stages.redaction import syntax
from evaluator.stages.redaction.labels import of
from evaluator.stages.redaction.names import Level
from evaluator.stages.redaction.values import is_stated

QUOTES = {
    '"': '"', "'": "'", "`": "`", "«": "»", "»": "«", "„": "“", "“": "”", "‘": "’", "‚": "‘", "「": "」", "『": "』",
}  # fmt: skip


@cache
def _after() -> re.Pattern[str]:
    owners = "|".join(map(re.escape, of()))
    opening, marks = "".join(QUOTES), "".join({*QUOTES, *QUOTES.values()})
    article = r"(?:(?:the|our|my|das|den|dem|der|le|la|el|il|lo|o|a)[ \t])?"
    return re.compile(
        rf"(?:(?P<whose>[ \t](?:{owners})[ \t]{article}{syntax.THINGS})[ \t]{{1,2}}"
        rf"|(?P<next>,[ \t])|(?=[「『]))(?P<quote>[{opening}])[ \t]?(?P<v>[^\s{marks}]{{2,128}})[ \t]?",
        re.IGNORECASE,
    )


def value_after(text: str, at: int, level: Level) -> tuple[int, int] | None:
    """Where the value stands, of a label that ends at `at`."""
    found = _after().match(text, at) if text[at : at + 1] in {" ", "\t", ",", "「", "『"} else None
    if found is None or text[found.end() : found.end() + 1] != QUOTES[found["quote"]]:
        return None
    value = found["v"]
    end = found.end() + 1
    if syntax.closing().match(text, end) is None and (
        found["next"] or not text.startswith(("で", "を使", "を入"), end)
    ):
        return None
    if not (found["whose"] or found["next"]) and not (level is Level.PASSWORD and value.isascii()):
        return None
    # In a list of words in quotes the next one follows just so.
    if not found["whose"] and (text[at - 1 : at] in QUOTES or _is_listed(text, end)):
        return None
    if not found["whose"] and level is not Level.PASSWORD and not any(map(str.isdigit, value)):
        return None
    return found.span("v") if is_stated(value, level, quoted=True, strong=True) else None


def _is_listed(text: str, at: int) -> bool:
    return any(one in text[at : at + 6] for one in QUOTES)
