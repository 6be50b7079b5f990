"""Whom the scripted agent of the walk takes the person to mean. Pure; the gate judges what comes of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_READING = re.compile(r"^\s*(\d+)[.)]\s+(.*)$")
_ORDINALS = {"first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "latter": 1, "other": 1}


def readings_in(text: str) -> list[str]:
    """The numbered lines of a question."""
    return [found[2] for line in text.splitlines() if (found := _READING.match(line))]


def aim(answer: str, candidates: Sequence[str], readings: Sequence[str], held: str) -> str:
    """The candidate that the answer names, by name, number or place; else the one that was held."""
    said = unicodedata.normalize("NFKC", answer).casefold()
    named = [name for name in candidates if name.casefold() in said]
    if named:
        return min(named, key=said.index)
    number = re.search(r"\d+", said)
    if number and 0 < int(number[0][:4]) <= len(readings):
        chosen = readings[int(number[0][:4]) - 1]
        return next((name for name in candidates if name in chosen), held)
    places = [place for word, place in _ORDINALS.items() if re.search(rf"\b{word}\b", said)]
    return candidates[places[0]] if places and places[0] < len(candidates) else held
