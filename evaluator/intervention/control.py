"""What the user tells Compass itself: `compass: proceed` and the like, and what was nearly that. Pure.

A near miss does nothing but be answered, so it may be generous where a person speaks to Compass, and must not be where
they speak to the agent of a project of that name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, cast

from evaluator.model import KeptPrompt
from evaluator.record import Record
from evaluator.text import CONTROL_PREFIX, fold, is_unspaced, phrases, table

_TABLE = table("intervention/control")
WORDS = {verb: phrases(said) for verb, said in cast("dict[str, str]", _TABLE["words"]).items()}
"""{verb: its words, of all languages}"""
ALL, SETTINGS, YES, GO, NO, _FILLER = (
    phrases(cast(str, _TABLE[key])) for key in ("all", "settings", "yes", "go", "no", "filler")
)
VERB_OF = {word: verb for verb, words in WORDS.items() for word in words}

Verb = Literal[
    "proceed", "proceed_all", "proceed_settings", "wrong", "cancel", "pause", "resume", "status", "unknown"
]  # fmt: skip

PAUSE_MINUTES = 10.0
PAUSE_MINUTES_MAX = 24 * 60.0
_CHARS_MAX = 200

_MINUTES = r"^(?:for )?(\d{1,5})\s*(m|min|mins|minute|minutes|minuten|分|분|h|hour|hours|stunden)?$"
_LONGEST_FIRST = sorted(VERB_OF, key=len, reverse=True)
BARE_CHARS_MAX = 40
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
_WRAPPERS = " \t`'\"*“”‘’«»"
_MARKS = " .!,;。！、"
_SPAN = re.compile(r"(.*?)((?:for)?\d{1,5}[^\W\d]{0,8})")


class Control(Record):
    """`minutes` is set for a pause alone, `meant` for a near miss: the right words, nearest first."""

    verb: Verb
    minutes: float = 0.0
    meant: tuple[str, ...] = ()


def parse_control(text: str) -> Control | None:
    """What a prompt tells Compass; None for one that is for the agent.

    The whole message must be the control. A near miss is `unknown`, which does nothing and is answered.
    """
    if len(text) > _CHARS_MAX:
        return None
    folded = fold(text)
    if (found := _parse_exact_control(folded)) is not None:
        return found
    meant = near_miss(folded)
    return Control("unknown", meant=meant) if meant else None


def is_control_reply(text: str) -> bool:
    """Whether a message is for Compass, a near miss included: it asks the agent for nothing."""
    return parse_control(text) is not None


def is_bare_word(text: str) -> bool:
    """Whether a whole prompt is yes, in any of the languages, or proceed: words that do not name Compass.

    They release only where all else holds (`resolution.one_reading`): who says yes to something else releases nothing.
    """
    if len(text) > BARE_CHARS_MAX:
        return False
    folded = fold(text).rstrip(" .!。！")
    return folded in YES or folded.replace(",", "") in GO


def is_wrong(text: str) -> bool:
    """Whether a prompt says that what was held should not have been."""
    control = parse_control(text)
    return control is not None and control.verb == "wrong"


class Pause(Record):
    """`prompt` asked for it; it lasts until `ends`, in seconds since the epoch."""

    prompt: KeptPrompt
    ends: float


def pause_in(prompts: Sequence[KeptPrompt], at: float) -> Pause | None:
    """The pause that lasts at a moment, by the newest word of a session's prompts on it."""
    for prompt in reversed(prompts):
        control = parse_control(prompt.text)
        if control is None or control.verb not in ("pause", "resume"):
            continue
        ends = prompt.at + control.minutes * 60
        return Pause(prompt, ends) if prompt.at <= at < ends else None
    return None


def _parse_exact_control(folded: str) -> Control | None:
    if not folded.startswith(CONTROL_PREFIX):
        return None
    words = folded[len(CONTROL_PREFIX) :].strip().rstrip(".!。！").strip()
    start = next((one for one in _LONGEST_FIRST if words == one or words.startswith(one + " ")), None)
    if start is None:
        return None
    verb, rest = VERB_OF[start], words[len(start) :].strip()
    if not rest:
        return Control("pause", PAUSE_MINUTES) if verb == "pause" else Control(cast(Verb, verb))
    if verb == "proceed" and rest in ALL:
        return Control("proceed_all")
    if verb == "proceed" and rest in SETTINGS:
        return Control("proceed_settings")
    span = re.match(_MINUTES, rest) if verb == "pause" else None
    if span is None:
        return None
    hours = (span[2] or "").startswith(("h", "stunde"))
    return Control("pause", min(float(span[1]) * (60 if hours else 1), PAUSE_MINUTES_MAX))


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
    plain = " ".join(words).rstrip(_MARKS)
    if found := _nearest_controls(plain):
        return found
    if not plain.startswith(CONTROL_PREFIX):
        return ()
    meant = _suggest_controls(plain)
    # "compass: fix it" tells the agent what to do.
    return () if meant == MAIN and " " in bare.removeprefix(CONTROL_PREFIX).strip() else meant


def _nearest_controls(plain: str) -> tuple[str, ...]:
    """The controls within the edits, blanks left out; nearest first, one for each thing that was meant."""
    joined = re.sub(r"\Acompass(?!:)", CONTROL_PREFIX, plain.replace(" ", ""))
    if edits(joined[: len(CONTROL_PREFIX)], CONTROL_PREFIX) > 2 * EDITS_MAX:
        return ()
    near: list[tuple[int, str]] = []
    span = _SPAN.fullmatch(joined)
    for phrase in _PHRASES:
        tight = phrase.replace(" ", "")
        whole, room = CONTROL_PREFIX + tight, min(EDITS_MAX, len(tight) // LETTERS_PER_EDIT)
        for said, more in ((joined, ""), *([span.groups()] if span and phrase in WORDS["pause"] else ())):
            most = EDITS_MAX if said.endswith(tight) else room
            if abs(len(said) - len(whole)) <= most and (distance := edits(said, whole)) <= most:
                near.append((distance, f"{CONTROL_PREFIX} {phrase} {more.removeprefix('for')}".strip()))
    least = min((distance for distance, _ in near), default=0)
    found: dict[Control | None, str] = {}
    for distance, whole in near:
        if distance == least:
            found.setdefault(_parse_exact_control(whole), whole)
    return tuple(found.values())


def _suggest_controls(prompt: str) -> tuple[str, ...]:
    """A prompt that starts as a control and goes on with nothing, or with one word that is none.

    More words are a request, and so are more than two signs of a script that writes no blanks.
    """
    rest = prompt.removeprefix(CONTROL_PREFIX).strip()
    if " " in rest or (len(rest) > 2 and any(map(is_unspaced, rest))):
        return ()
    if len(rest) == 1 and rest in "123456789":
        return (rest,)
    if rest in YES or rest in GO:
        return ("compass: proceed",)
    return ("compass: cancel",) if rest in NO else MAIN


def edits(one: str, other: str) -> int:
    """Letters to add, drop, change or swap with their neighbour: the optimal string alignment distance."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]
