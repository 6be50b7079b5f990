"""Where a secret stands in a text, and how overlapping finds become one. Depends on nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """The characters text[start:end] are a secret of this kind."""

    start: int
    end: int
    kind: str


def merge(found: Iterable[Span]) -> list[Span]:
    """Disjoint spans in order. Where finds overlap, the first of them in `found` names the kind."""
    ranked = sorted(enumerate(found), key=lambda item: (item[1].start, item[0]))
    merged: list[tuple[int, Span]] = []
    for rank, span in ranked:
        if merged and span.start < merged[-1][1].end:
            best, last = merged[-1]
            kind = last.kind if best <= rank else span.kind
            merged[-1] = (min(best, rank), Span(last.start, max(last.end, span.end), kind))
        else:
            merged.append((rank, span))
    return [span for _, span in merged]
