"""The lines of an instruction file that may forbid something. Pure."""

from __future__ import annotations

import re

from evaluator.rules.vocabulary import language_of, words
from evaluator.text import fold

LINES_MAX = 600
LEAD_WORDS_MAX = 6
"""A heading of more words says more than that what follows is forbidden."""
_BULLET = re.compile(r"\s*(?:[-*+•>]|\d+[.)])\s")
_STAYS = "{} is off limits"


def lines_in(text: str) -> tuple[str, ...]:
    """Without markup, code blocks and blank lines. What a heading such as "Off limits", or "Never:", stands over says
    so in each of its lines."""
    kept: list[str] = []
    fenced, form = False, ""
    for line in text.splitlines()[:LINES_MAX]:
        plain = line.strip().lstrip("#>*+- \t").replace("**", "").strip()
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif plain and not fenced:
            listed = _BULLET.match(line) is not None
            titled = line.lstrip().startswith("#")
            if titled or not listed:
                form = (
                    _form_of(plain.rstrip(" :："))
                    if titled or plain.endswith((":", "："))
                    else form
                    if "/" in plain
                    else ""
                )
                kept.append(plain)
            else:
                kept.append(form.format(plain) if form else plain)
    return tuple(kept)


def _form_of(heading: str) -> str:
    """What a heading makes of each line below it; empty for most."""
    folded = fold(heading)
    w = words(language_of(folded))
    if len(folded.split()) > LEAD_WORDS_MAX:
        return ""
    denied = w["deny"].match(w.led(folded))
    if w.has(folded, "asis", "off", "denied") or (denied and w.has(folded, "touch")):
        return "" if w.content(folded, "asis", "off", "denied", "touch") else _STAYS
    return f"{heading} {{}}" if denied and not w.content(folded, "make", "any") else ""
