"""What was nearly a control: the right words for it. Pure; built-ins only.

A near miss does nothing but be answered, so it may be generous where a person speaks to Compass, and must not be where
they speak to the agent of a project of that name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from evaluator.exchange.replies import CONTROL_PREFIX
from evaluator.intervention.control_words import ALL, GO, NO, SETTINGS, VERB_OF, WORDS, YES

EDITS_MAX = 2
PROMPT_WORDS_MAX = 4
PROMPT_CHARS_MAX = 60
LETTERS_PER_EDIT = 3
"""Two edits make any short word of any other: a verb of less letters than this for each edit is another word."""

MAIN = ("compass: proceed", "compass: cancel", "compass: pause", "compass: resume", "compass: status")
"""What a person is told of where nothing tells which control was meant."""

_PHRASES: tuple[str, ...] = (
    *(word for words in WORDS.values() for word in words),
    *(f"{word} {more}" for word in WORDS["proceed"] for more in (*ALL, *SETTINGS)),
)
_FILLER = frozenset({"please", "pls", "bitte", "now", "thanks", "it", "this", "that", "them"})
_WRAPPERS = " \t`'\"*“”‘’«»"
_MARKS = " .!,;。！、"
_HEAD_CHARS = range(len(CONTROL_PREFIX) - EDITS_MAX, len(CONTROL_PREFIX) + EDITS_MAX + 1)
_SPAN = re.compile(r"(.*?)((?:for)?\d{1,5}[^\W\d]{0,8})")


def near_miss(folded: str) -> tuple[str, ...]:
    """The controls that a whole prompt may have meant, nearest first; empty for one that is for the agent.

    `folded` is the prompt after NFKC, in one case, its blanks single.
    """
    bare = folded.strip(_WRAPPERS).rstrip(_MARKS)
    words = bare.split()
    if not 1 <= len(words) <= PROMPT_WORDS_MAX or len(bare) > PROMPT_CHARS_MAX:
        return ()
    while len(words) > 1 and words[-1].strip(_MARKS) in _FILLER:
        words.pop()
    while len(words) > 1 and words[0].strip(_MARKS) in _FILLER:
        del words[0]
    plain = " ".join(words).rstrip(_MARKS)
    if found := _nearest(plain):
        return found
    if not plain.startswith(CONTROL_PREFIX):
        return ()
    meant = _addressed(plain)
    # "compass: fix it" tells the agent what to do.
    return () if meant == MAIN and " " in bare.removeprefix(CONTROL_PREFIX).strip() else meant


def _nearest(plain: str) -> tuple[str, ...]:
    """The controls within the edits, blanks left out; nearest first, one for each thing that was meant."""
    joined = plain.replace(" ", "")
    found: dict[str, tuple[int, int, str]] = {}
    for cut, spent in heads(joined):
        for phrase, more in _within(joined[cut:], EDITS_MAX - spent):
            whole = f"{CONTROL_PREFIX} {phrase}"
            rank = (spent + more, abs(whole.count(" ") - plain.count(" ")), whole)
            meaning = _meaning(phrase)
            if meaning not in found or rank[:2] < found[meaning][:2]:
                found[meaning] = rank
    least = min((rank[0] for rank in found.values()), default=0)
    return tuple(whole for distance, _, whole in sorted(found.values(), key=_rank) if distance == least)


def heads(joined: str) -> Iterator[tuple[int, int]]:
    """Where a control's first word may end, and its distance. Most prompts differ at once, and cost no more."""
    for length, row in enumerate(_rows(joined[: _HEAD_CHARS.stop], CONTROL_PREFIX)):
        if min(row) > EDITS_MAX:
            return
        if length in _HEAD_CHARS and length < len(joined) and row[-1] <= EDITS_MAX:
            yield length, row[-1]


def _rank(found: tuple[int, int, str]) -> tuple[int, int]:
    return found[:2]


def _meaning(phrase: str) -> str:
    """The same for the words of all languages."""
    if phrase in VERB_OF:
        return VERB_OF[phrase]
    start, _, more = phrase.rpartition(" ")
    return VERB_OF[start] + ("all" if more in ALL else "settings" if more in SETTINGS else "")


def _within(tail: str, left: int) -> Iterator[tuple[str, int]]:
    """The phrases that a tail without blanks may mean, and their distance."""
    span = _SPAN.fullmatch(tail)
    for phrase in _PHRASES:
        plain = phrase.replace(" ", "")
        room = min(left, len(plain) // LETTERS_PER_EDIT)
        if abs(len(tail) - len(plain)) <= room and (distance := edits(tail, plain)) <= room:
            yield phrase, distance
        if span is not None and phrase in WORDS["pause"] and (distance := edits(span[1], plain)) <= room:
            yield f"{phrase} {span[2].removeprefix('for')}", distance


def _addressed(prompt: str) -> tuple[str, ...]:
    """A prompt that starts as a control and goes on with nothing, or with one word that is none.

    More words are a request, and so are more than two signs of a script that writes no blanks.
    """
    rest = prompt.removeprefix(CONTROL_PREFIX).strip()
    if " " in rest or (len(rest) > 2 and any(_is_unspaced(char) for char in rest)):
        return ()
    if len(rest) == 1 and rest in "123456789":
        return (rest,)
    if rest in YES or rest in GO:
        return ("compass: proceed",)
    return ("compass: cancel",) if rest in NO else MAIN


def _is_unspaced(char: str) -> bool:
    return unicodedata.category(char) == "Lo" and unicodedata.east_asian_width(char) == "W"


def edits(one: str, other: str) -> int:
    """Letters to add, drop, change or swap with their neighbour: the optimal string alignment distance."""
    *_, last = _rows(one, other)
    return last[-1]


def _rows(one: str, other: str) -> Iterator[list[int]]:
    """For each beginning of `one`, from the empty one on: its distances to all beginnings of `other`.

    No later row holds less than the least of one: a row's least grows by one at most, and a swap, which counts from
    the row before, adds one.
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    yield last
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        yield row
        before, last = last, row
