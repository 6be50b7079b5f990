"""Finds the token shapes of `shapes`. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.egress.redaction.finders.shapes import SHAPES
from evaluator.egress.redaction.patterns import compiled, matches_at
from evaluator.egress.redaction.spans import Span
from evaluator.egress.redaction.values import is_form

_DISTINCT_MIN = 5
"""Different characters that the end of a token has at least: `ghp_xxxx...` shows a form and hides nothing."""

_RANDOM_MIN = 15
"""Different characters in its last 20 that no form of a token has."""


def find_tokens(text: str) -> Iterator[Span]:
    for shape in SHAPES:
        if not any(anchor in text for anchor in shape.anchors):
            continue
        pattern = compiled(shape.pattern, re.ASCII)
        group = "v" if "v" in pattern.groupindex else 0
        found = pattern.finditer(text) if shape.inside else matches_at(text, shape.anchors, pattern)
        for match in found:
            if not _is_filler(match[group]):
                yield Span(*match.span(group), shape.kind)


def _is_filler(token: str) -> bool:
    end = token[-20:]
    if len(set(end)) < _DISTINCT_MIN:
        return True
    # A random token may spell a word of a form by chance; a form has no digits and few different letters.
    return is_form(token) and not any(map(str.isdigit, end)) and len(set(end)) < _RANDOM_MIN
