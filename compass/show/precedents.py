"""Precedents as people read them. Pure."""

from __future__ import annotations

import time

from evaluator.precedents import Precedent
from evaluator.stamps import DAY_SECONDS
from evaluator.terminal import safe

HOW = {
    "chosen": "you chose a reading",
    "clarified": "you said it in words of your own",
    "cancelled": "you cancelled it",
    "glossary": "this project's glossary, which you trusted",
    "edited": "you edited it",
    "imported": "you imported it",
}


def means(one: Precedent) -> str:
    """One sentence without an end."""
    more = ", ".join(filter(None, (one.action, one.extent.replace("_", " "))))
    behind = f" ({more})" if more else ""
    verb = "did not mean" if one.tightens else "means"
    return safe(f'"{one.term}" {verb} {one.target}{behind}')


def heading(one: Precedent, *, ended: bool, checkout: str) -> str:
    """Id, day, how it came about and where it counts."""
    parts = [day(one.at), one.source]
    if one.branch:
        parts.append(f"on {one.branch}")
    if one.checkout != checkout:
        parts.append(f"in {one.checkout}")
    if ended:
        parts.append("ended")
    return safe(f"{one.precedent_id}  {', '.join(parts)}")


def rows(one: Precedent, *, days: int, ended: bool) -> list[tuple[str, str]]:
    """(label, text) of all that is kept of one; texts are safe to show."""
    until = day(one.at + days * DAY_SECONDS)
    found = [
        ("settled", means(one)),
        ("you said", one.said or "nothing of your own"),
        ("how", HOW[one.source]),
        ("when", time.strftime("%Y-%m-%d %H:%M", time.localtime(one.at))),
        ("until", f"{until}; it has ended, and no reader is shown it" if ended else until),
        ("where", one.checkout + (f", on {one.branch}" if one.branch else "")),
    ]
    if one.check_id:
        found.append(("check", f"{one.check_id} (`compass explain {one.check_id}`)"))
    if one.session_id:
        found.append(("session", one.session_id))
    return [(label, safe(text)) for label, text in found]


def day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
