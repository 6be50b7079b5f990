"""A bounded excerpt of what was said, that keeps what matters to a pending write (a pure function)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence

from evaluator.text import alternatives, width

MARK = "[...]"
"""Stands where something was cut."""

_GAP = f"\n{MARK}\n"
_HEAD = f"{MARK}\n"
_TAIL = f"\n{MARK}"
_MENTIONS_MAX = 64
_FIRST_PASSAGES = 2
_SNAP_CHARS = 16
_SPACE, _LINE_END = re.compile(r"\s"), re.compile("\n")
_QUESTION_MARKS = ("?", "？", "؟")

Stretch = tuple[int, int]


def excerpt(text: str, limit: int, keep: Sequence[str], snap: int = _SNAP_CHARS) -> str:
    """At most `limit` wide of `text`, unchanged if it fits, "" for a limit that holds no marked cut.

    First come the passages that hold the last question or name one of `keep` (paths, stems, symbols; whole
    words, any case; the latest first), all but the first two within half of the limit; then the end, which
    takes two thirds of the rest, then the beginning. So what a pasted text repeats does not crowd out what
    was said around it. A cut of either end moves by up to `snap` characters to fall between words; between lines,
    where that is room for a line.
    """
    if limit <= 0:
        return ""
    if len(text) <= limit and width(text) <= limit:
        return text

    def end_of(size: int) -> Stretch:
        start = len(text) - size
        lines = snap > _SNAP_CHARS and _LINE_END.search(text, start, start + snap)
        space = lines or _SPACE.search(text, start, start + snap)
        return (space.end() if space and space.end() < len(text) else start, len(text))

    def start_of(size: int) -> Stretch:
        first = max(0, size - snap)
        lines = snap > _SNAP_CHARS and text.rfind("\n", first, size)
        space = lines if lines and lines > 0 else max(text.rfind(mark, first, size) for mark in " \n")
        return (0, space if space > 0 else size)

    spans: list[Stretch] = []
    for number, core in enumerate(_excerpt_mentions(text, keep)):
        spans = _excerpt_with_passage(text, spans, core, limit if number < _FIRST_PASSAGES else limit // 2)
    rest = limit - _excerpt_width(text, spans)
    spans = _grow_excerpt(text, spans, end_of, limit - rest // 3)
    return _render_excerpt(text, _grow_excerpt(text, spans, start_of, limit))


def _excerpt_mentions(text: str, keep: Sequence[str]) -> list[Stretch]:
    found: list[Stretch] = []
    question = max(text.rfind(mark) for mark in _QUESTION_MARKS)
    if question >= 0:
        found.append((question, question + 1))
    if names := {name for name in keep if name.strip()}:
        matches = re.finditer(
            rf"(?<![A-Za-z0-9_])(?:{alternatives(names)})(?![A-Za-z0-9_])", text, re.IGNORECASE
        )
        found.extend(reversed(deque((match.span() for match in matches), maxlen=_MENTIONS_MAX)))
    return found


def _excerpt_with_passage(text: str, spans: list[Stretch], core: Stretch, limit: int) -> list[Stretch]:
    """With the line around the core, or as much of it as fits; as before if not even the core fits."""
    for reach in (limit // 4, limit // 12, 0):
        start = max(text.rfind("\n", 0, core[0]) + 1, core[0] - reach)
        line_end = text.find("\n", core[1])
        end = min(line_end if line_end >= 0 else len(text), core[1] + reach)
        grown = _merge_excerpt_spans([*spans, (start, end)])
        if _excerpt_width(text, grown) <= limit:
            return grown
    return spans


def _grow_excerpt(
    text: str, spans: list[Stretch], span_of: Callable[[int], Stretch], limit: int
) -> list[Stretch]:
    """With the largest span of the given family that keeps the whole within `limit`."""
    best, low, high = spans, 1, min(limit, len(text))
    while low <= high:
        size = (low + high) // 2
        grown = _merge_excerpt_spans([*spans, span_of(size)])
        if _excerpt_width(text, grown) <= limit:
            best, low = grown, size + 1
        else:
            high = size - 1
    return best


def _merge_excerpt_spans(spans: list[Stretch]) -> list[Stretch]:
    merged: list[Stretch] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _render_excerpt(text: str, spans: list[Stretch]) -> str:
    if not spans:
        return ""
    head = _HEAD if spans[0][0] > 0 else ""
    tail = _TAIL if spans[-1][1] < len(text) else ""
    return head + _GAP.join(text[start:end] for start, end in spans) + tail


def _excerpt_width(text: str, spans: list[Stretch]) -> int:
    return width(_render_excerpt(text, spans))
