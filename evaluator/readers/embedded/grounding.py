"""Grounding: do the concrete values of the pending write occur in a text? Pure; knows no reader."""

from __future__ import annotations

import re

from evaluator.language import words
from evaluator.language.change import PendingChange, Target
from evaluator.language.views import View

EXACT, BY_STEM, BY_PIECES, BY_FOLDER = 1.0, 0.92, 0.84, 0.6
"""How surely a text names a target: by its path, its stem, pieces of it, its folder."""
UNTOLD = frozenset(
    ("any", "all", "none", "null", "true", "false", "default", "auto", "dontcare", "yes", "no")
)
"""Values that say nothing of their own."""
COMPLETED, CODED = 0.95, 0.5
DATE = re.compile(r"\d{4}-(\d{2}-\d{2})$")
PARTS_MAX, PLACES_MAX = 12, 200
INNER_LETTERS = 6
"""A piece of a name this long may also stand inside a word (socket in websocket)."""
SYMBOL_HITS = 3.0
"""So many words of a text found in the change count as full overlap."""
MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905


def bounded(low: str, needle: str, before: str = "-._/", after: str = "-_") -> bool:
    """Whether `needle` stands in `low` as a whole name. ASCII letters and digits bind."""
    start, places = low.find(needle), 0
    while start >= 0 and places < PLACES_MAX:
        end = start + len(needle)
        left, right = low[start - 1 : start], low[end : end + 1]
        if not (left and (left in before or (left.isascii() and left.isalnum()))) and not (
            right and (right in after or (right.isascii() and right.isalnum()))
        ):
            return True
        start, places = low.find(needle, start + 1), places + 1
    return False


def named(target: Target, text: View) -> float:
    """How surely a text names this target, by the levels above."""
    if text.empty:
        return 0.0
    parts = target.path.lower().split("/")[-PARTS_MAX:]
    if any(
        bounded(text.low, "/".join(parts[start:])) for start in range(len(parts)) if parts[start:] != ["."]
    ):
        return EXACT
    flat_stem = " ".join(target.stem)
    generic = all(piece in words.GENERIC for piece in target.stem)
    if not generic and len(flat_stem) > 2 and f" {flat_stem} " in text.flat:
        return BY_STEM
    naming = target.naming
    hits = sum(words.stem(p) in text.stems or (len(p) >= INNER_LETTERS and p in text.low) for p in naming)
    by_pieces = BY_PIECES * (hits / len(naming)) ** 0.5 if naming else 0.0
    if all(piece in words.GENERIC for piece in naming):
        by_pieces *= 0.5
    near = [piece for piece in target.folders[-3:] if piece not in words.GENERIC]
    by_folder = BY_FOLDER if any(words.stem(piece) in text.stems for piece in near) else 0.0
    if any(f"{target.path.lower()}/".startswith(f"{folder.lower()}/") for folder in text.folders):
        by_folder = BY_STEM
    return max(by_pieces, by_folder, min(by_pieces, by_folder) and min(BY_STEM, by_pieces + 0.1))


def symbols(change: PendingChange, text: View, *, names_only: bool) -> float:
    """How many of the words that the text says by itself occur in the changed text.

    A long text shares ordinary words with any change; `names_only` counts what it quotes or spells as code.
    """
    if not change.seen or text.empty:
        return 0.0
    hits = 0.0
    if not names_only:
        hits += sum(1.0 for word in text.content[:200] if word not in words.GENERIC and word in change.stems)
    known = set(change.names)
    hits += sum(
        1.5 for name in text.names if name.strip("()") in known or name in change.new or name in change.old
    )
    hits += sum(0.5 for number in text.numbers if number in change.numbers_in)
    return min(1.0, hits / SYMBOL_HITS)


def given(wanted: str, text: View) -> float:
    """The share of a value's words and numbers that the text holds; dates by their parts, a year being implied.

    What follows a comma only completes what stands before it ("Berkeley, CA"); a code of two letters or a
    word like `any` can stand for what was said without being spelled.
    """
    low = wanted.lower()
    if low in UNTOLD:
        return 1.0
    head, comma, rest = wanted.partition(",")
    if comma and len(rest.split()) <= 2 and head.strip() and not head.strip().isdigit():
        return max(COMPLETED * given(head, text), _value(wanted, low, text))
    dated = DATE.match(wanted)
    if dated:
        return max(_value(wanted, low, text), COMPLETED * _value(dated.group(1), dated.group(1), text))
    found = _value(wanted, low, text)
    return max(found, CODED) if len(low) <= 2 and low.isalpha() else found


def _value(wanted: str, low: str, text: View) -> float:
    if len(low) > 1 and bounded(text.low, low, "", ""):
        return 1.0
    pieces = [piece for piece in words.split(wanted) if piece not in words.STOP] or words.split(wanted)
    if not pieces:
        return 1.0
    hits = 0
    for piece in pieces[:60]:
        known = words.stem(piece) in text.stems
        if not known and piece.isdecimal():
            number = int(piece) if len(piece) < 9 else -1
            spelled = [piece.lstrip("0") or "0"]
            spelled += [NUMERALS[number]] if 0 <= number < len(NUMERALS) else []
            spelled += [MONTHS[number - 1][:3]] if 1 <= number <= 12 and len(piece) == 2 else []
            joined = text.numbers
            known = any(
                word in joined or any(have.startswith(word) for have in text.words) for word in spelled
            )
        hits += known
    return hits / min(len(pieces), 60)
