"""Which of the user's words a notice quotes, and what they are: an order, a question or a remark. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from evaluator.exchange.menu import as_question, sentences
from evaluator.exchange.orders import opens_with_order
from evaluator.record import Record
from evaluator.text import fold, safe, width

Manner = Literal["order", "question", "remark"]
TYPED_LINES_MAX = 5
POINT_MIN = 16
"""Columns of a sentence that can stand for a message."""
_CLAUSE = re.compile(r"[,:;]\s|\s[-–—]+\s|[，、；：]")
_COMMAND = re.compile(r"/[\w:-]+(?:\s|$)")
"""Typed to the host: an order."""
_LEADS = re.compile(
    r"\A(?:(?:ok|okay|so|now|then|and|but|also|well|hmm|yes|no|maybe|just|first)\b[,. ]*|- )*"
)
_WANTS = re.compile(
    r"(?:^|[,;:] )(?:let'?s|let us|(?:we|i) (?:should|want|need|have)(?: to)?|i'd like|(?:can|could|would) you)\b"
)
_AGREES = re.compile(r"(?:yes|yeah|yep|sure|go ahead|do it|proceed)\b")
"""It takes up what was asked."""
_QUESTION = re.compile(r"(?:what|how|why|when|where|who|which|is|are|does|did|any|anything|was|were)\b")
"""The beginning of a question whose mark is left out."""
_BESIDE = re.compile(r"\(.*|https?://\S+")
"""A sentence that only adds to the one before."""


class Quote(Record):
    text: str
    manner: Manner


def manner_of(sentence: str) -> Manner:
    if as_question(sentence) is not None:
        return "question"
    folded = fold(sentence)
    bare = _LEADS.sub("", folded, count=1)
    if _COMMAND.match(sentence) or _WANTS.search(bare) or opens_with_order(bare) or _AGREES.match(folded):
        return "order"
    return "question" if _QUESTION.match(bare) else "remark"


def asks(said: str) -> bool:
    """Whether the last that a message asks for is an answer."""
    manners = [one for one in map(manner_of, _sentences(said)) if one != "remark"]
    return bool(manners) and manners[-1] == "question"


def quote_of(said: str, columns: int, words: Sequence[str], *, asking: bool) -> Quote:
    """Of a longer message the sentence that speaks of the act, whose verb and names are `words`, else its last order or
    question; its last question first where it is `asking`. Of a longer sentence what it says last, if that is whole.

    What seems to be pasted is quoted from its beginning.
    """
    text = said.strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    each = _sentences(text)
    manners: list[Manner] = [manner_of(one) for one in each]
    whole: Manner = "remark"
    for one in manners:
        whole = whole if one == "remark" else one
    if len(lines) > TYPED_LINES_MAX or any(line.endswith((":", "：")) for line in lines):
        return Quote(said, "order")
    if width(text) <= columns:
        return Quote(said, whole)
    chosen = _chosen(each, manners, words, asking=asking)
    if chosen is None:
        return Quote(said, whole)
    point = each[chosen]
    if width(point) > columns:
        tails = [point[one.end() :] for one in _CLAUSE.finditer(point)]
        fitting = [one for one in tails if POINT_MIN <= width(one) < columns]
        point = f"…{fitting[0]}" if fitting else _end(tails[-1], columns) if tails else point
    return Quote(point, manners[chosen])


def _chosen(
    each: Sequence[str], manners: Sequence[Manner], words: Sequence[str], *, asking: bool
) -> int | None:
    of_act = [place for place, one in enumerate(each) if any(word in fold(one) for word in words)]
    asked = [place for place, one in enumerate(manners) if one == "question"]
    said = [place for place, one in enumerate(manners) if one != "remark" and width(each[place]) >= POINT_MIN]
    long = [place for place, one in enumerate(each) if width(one) >= POINT_MIN]
    ranked = (asked, of_act, said, long) if asking else (of_act, said, long)
    return next((found[-1] for found in ranked if found), None)


def _sentences(said: str) -> list[str]:
    lines = (line.strip() for line in said.splitlines())
    each = [
        bare for line in lines for one in sentences(line) if (bare := one.strip(")\"'” ").removeprefix("- "))
    ]
    return [one for one in each if not _BESIDE.fullmatch(one)] or each


def _end(text: str, columns: int) -> str:
    """The end of a quote: as many of its last words as fit."""
    words = text.split(" ")
    while len(words) > 1 and width(" ".join(words)) >= columns:
        words = words[1:]
    return f"…{' '.join(words)}"


def cut(said: str, columns: int) -> str:
    """The user's words from their beginning, on one line, cut between two of them."""
    plain = " ".join(safe(said, " ").replace('"', "'").split()).rstrip(".!。！")
    if width(plain) <= columns:
        return plain
    short = fit(plain, columns).rstrip("…")
    kept, blank, _ = short.rpartition(" ")
    return f"{kept.rstrip(' ,;:') if blank and len(kept) > len(short) // 2 else short}…"


def fit(text: str, columns: int) -> str:
    """One line of at most `columns`, its end cut."""
    line = " ".join(text.split()) if "\n" in text else text
    if width(line) <= columns:
        return line
    while width(line) > columns - 1:
        line = line[:-1]
    return line.rstrip() + "…"
