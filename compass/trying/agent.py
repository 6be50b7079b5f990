"""Whom the scripted agent of the walk takes the person to mean. Pure; the gate judges what comes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaluator.exchange.fold import fold
from evaluator.intervention.answer import chosen_readings

_READING = re.compile(r"^\s*(\d+)[.)]\s+(.*)$")
_OTHER = re.compile(r"\bother\b")


def readings_in(text: str) -> list[str]:
    """The numbered lines of a question."""
    return [found[2] for line in text.splitlines() if (found := _READING.match(line))]


def aim(answer: str, candidates: Sequence[str], readings: Sequence[str], held: str) -> str:
    """The candidate that the answer chooses or names; else the one that was held."""
    offered = [text for text in readings if any(name in text for name in candidates)] or candidates
    chosen = chosen_readings(answer, offered)
    said = fold(offered[chosen[0]] if chosen else answer)
    named = [name for name in candidates if fold(name) in said]
    if named:
        return min(named, key=lambda name: said.index(fold(name)))
    left = [name for name in candidates if name != held]
    return left[0] if left and _OTHER.search(said) else held
