"""Grounding: do the concrete values of the pending write occur in a text? Pure; knows no reader."""

from __future__ import annotations

import math

from evaluator.language import words
from evaluator.language.change import PendingChange, Target
from evaluator.language.views import View

EXACT, BY_PIECES, BY_FOLDER = 1.0, 0.92, 0.6
"""How surely a text names a target: by its path, by all pieces of its name, by its folder."""
UNTOLD = frozenset("any all none null true false default auto dontcare yes no".split())  # noqa: SIM905
"""Values that say nothing of their own."""
PARTS_MAX, PLACES_MAX, PIECES_MAX = 12, 200, 60
SYMBOL_HITS = 3.0
"""So many words of a text found in the change count as full overlap."""
NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905


def bounded(low: str, needle: str, beside: str = "-_") -> bool:
    """Whether `needle` stands in `low` as a whole name. ASCII letters and digits bind, and so does what is `beside`."""
    start, places = low.find(needle), 0
    while start >= 0 and places < PLACES_MAX:
        end = start + len(needle)
        around = (low[start - 1 : start], low[end : end + 1])
        if not any(char and (char in beside or (char.isascii() and char.isalnum())) for char in around):
            return True
        start, places = low.find(needle, start + 1), places + 1
    return False


def named(target: Target, text: View) -> float:
    """How surely a text names this target, by the levels above."""
    parts = target.path.lower().split("/")[-PARTS_MAX:]
    if any(bounded(text.low, "/".join(parts[at:])) for at in range(len(parts)) if parts[at:] != ["."]):
        return EXACT
    naming, near = target.naming, [one for one in target.folders[-3:] if one not in words.GENERIC]
    said = sum(words.stem(piece) in text.stems for piece in naming) / max(1, len(naming))
    dull = all(piece in words.GENERIC for piece in naming)
    by_folder = BY_FOLDER if any(words.stem(piece) in text.stems for piece in near) else 0.0
    return max(BY_PIECES * math.sqrt(said) * (0.5 if dull else 1.0), by_folder)


def symbols(change: PendingChange, text: View) -> float:
    """How many of the words that the text says by itself occur in the changed text, in [0, 1]."""
    spelled = set(change.names)
    hits = sum(1.0 for word in text.content[:200] if word not in words.GENERIC and word in change.stems)
    hits += sum(1.5 for name in text.names if name.strip("()") in spelled or name in change.new + change.old)
    return min(1.0, hits / SYMBOL_HITS)


def given(wanted: str, text: View) -> float:
    """The share of a value's words and numbers that the text holds. What follows a comma only completes the rest."""
    low, (head, _, rest) = wanted.lower(), wanted.partition(",")
    if low in UNTOLD or (len(low) > 1 and bounded(text.low, low, "")):
        return 1.0
    said = head if len(rest.split()) <= 2 and head.strip() else wanted
    pieces = [piece for piece in words.split(said) if piece not in words.STOP] or words.split(said)
    kept = pieces[:PIECES_MAX]
    return sum(_holds(text, piece) for piece in kept) / len(kept) if kept else 1.0


def _holds(text: View, piece: str) -> bool:
    """Whether a text holds a word, or a small number that it may spell out."""
    small = piece.isdecimal() and len(piece) < 3 and int(piece) < len(NUMERALS)
    return words.stem(piece) in text.stems or (small and NUMERALS[int(piece)] in text.words)
