"""Whether a message is an order that stands on its own, or speaks of what was asked before. Pure.

Errs to the latter: what is unsure is heard together with what it may belong to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from evaluator.exchange import reply_tokens
from evaluator.exchange.reply_tokens import begins
from evaluator.model import Action
from evaluator.text import fold, is_unspaced, joins, phrases

TEXT_CHARS_MAX = 2_000
TERM_CHARS_MIN = 3
_SORTS, _EMPTY = (frozenset(phrases(reply_tokens.BESIDE[name])) for name in ("sorts", "empty"))
_BREAK = re.compile(r"[.!?…;:,\n]|\s[-–—]\s|[。！？，；：、]")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+|;\s")
_TOKEN = re.compile(r"[^\s,;:!?()\[\]{}\"'`«»„“”。、，！？；：「」]+")
_PATH = re.compile(r"[\w@~.+-]*/[\w@~.+/-]+|[\w@~+-]+\.[a-z][a-z0-9]{0,5}\b|\.[a-z]\w+", re.ASCII)


def stands_alone(text: str, *, known: Collection[str], actions: Collection[str]) -> bool:
    """Whether the message orders something of its own: a verb in the place of an order, and a thing that is not one of
    `known`, the words of what was asked before. An order to do what `actions` name needs a file of its own."""
    folded = fold(text[:TEXT_CHARS_MAX])
    terms = {word for one in known for word in _order_terms(fold(one[:TEXT_CHARS_MAX]))} - _SORTS
    rest = _order_after_pivot(folded)
    pivots, folded = rest is not None, folded if rest is None else rest
    for sentence in _SENTENCE.split(folded):
        asks = sentence.rstrip(" \"')").endswith("?")
        # A polite order is no question.
        if asks and not any(
            begins(sentence, one) for one in _longest_order_phrases(reply_tokens.BESIDE["leads"])
        ):
            return False
        found = _parse_order(sentence) if sentence else None
        if found is not None:
            action, thing, at_start = found
            own = [word for word in _order_terms(thing) if word not in terms]
            shares = any(word in terms for word in _order_terms(folded))
            if not own or _order_points_elsewhere(thing, at_start=at_start):
                return False
            named = any(_PATH.fullmatch(word) for word in own)
            if shares:
                # To write tests for a held file is another matter than what is held.
                return named and action not in actions
            return pivots or named or action not in actions
    return False


def opens_with_order(text: str) -> bool:
    """Whether a text has a verb in the place of an order."""
    return _parse_order(fold(text[:TEXT_CHARS_MAX])) is not None


def declines(text: str) -> bool:
    """Whether the whole message only says no."""
    bare = " ".join(_TOKEN.findall(fold(text[:TEXT_CHARS_MAX]).replace("'", "\u02bc"))).replace("\u02bc", "'")
    bare = bare.strip(" .-")
    listed = {
        one for name in ("declines", "pivots") for one in _longest_order_phrases(reply_tokens.BESIDE[name])
    }
    for one in _longest_order_phrases(reply_tokens.BESIDE["polite"]):
        bare = bare.removesuffix(one).strip() if bare != one else bare
        bare = bare.removeprefix(f"{one} ").strip()
    if bare in listed:
        return True
    # "No, leave it": two of them are one.
    return any(bare.startswith(one + " ") and bare[len(one) :].strip() in listed for one in listed)


@lru_cache(maxsize=16)
def _longest_order_phrases(data: str) -> tuple[str, ...]:
    return tuple(sorted(phrases(data), key=len, reverse=True))


def _order_after_pivot(folded: str) -> str | None:
    """What follows words that turn away from what was asked before; None where there are none."""
    for start in _longest_order_phrases(reply_tokens.BESIDE["pivots"]):
        if begins(folded, start):
            rest = folded[len(start) :]
            mark = _BREAK.match(rest.lstrip())
            return rest.lstrip()[mark.end() if mark else 0 :].strip()
    return None


def _parse_order(sentence: str) -> tuple[Action, str, bool] | None:
    """(what is ordered, the rest of the sentence, whether the verb stood at its start) of a sentence that orders."""
    rest = _order_without_lead(sentence)
    for action, start, anywhere in _order_verbs():
        if anywhere:
            at = rest.find(start)
            if at >= 0:
                return action, f"{rest[:at]} {rest[at + len(start) :]}", False
        elif size := _order_verb_length(rest, start):
            return action, rest[size:], True
    words = rest.split()
    if len(words) > 1:
        last = words[-1].strip(".!?")
        for action, start, anywhere in _order_verbs():
            # German infinitives; Hindi, whose auxiliaries follow the verb.
            if not anywhere and _order_verb_length(last, start) == len(last) and last.endswith("en"):
                return action, " ".join(words[:-1]), False
        for action, start, anywhere in _order_verbs():
            if not anywhere and "\u0900" <= start[0] <= "\u097f":
                places = [
                    place for place, word in enumerate(words) if place and _order_verb_length(word, start)
                ]
                if places:
                    return action, " ".join(words[: places[0]]), False
    return None


def _order_without_lead(sentence: str) -> str:
    rest, before = sentence.strip(" -*\"'("), None
    leads = _longest_order_phrases(reply_tokens.BESIDE["leads"])
    while rest != before:
        before = rest
        for one in leads:
            if begins(rest, one):
                rest = rest[len(one) :].lstrip(" ,.!:-、，。！")
                break
    return rest


@lru_cache(maxsize=1)
def _order_verbs() -> tuple[tuple[Action, str, bool], ...]:
    """(action, verb, whether its script is written without spaces), the longest first."""
    found: list[tuple[Action, str]] = []
    for action, data in reply_tokens.ORDERS.items():
        found.extend((action, one) for one in phrases(data))
    ordered = sorted(found, key=lambda pair: len(pair[1]), reverse=True)
    return tuple((action, one, is_unspaced(one.rstrip("*")[-1])) for action, one in ordered)


def _order_verb_length(text: str, verb: str) -> int:
    """How many characters of the text the verb takes at its start; 0 where it does not stand there."""
    stem = verb.rstrip("*")
    if not text.startswith(stem):
        return 0
    end = len(stem)
    if not verb.endswith("*"):
        return 0 if end < len(text) and joins(text[end - 1], text[end]) else end
    while end < len(text) and joins(text[end - 1], text[end]):
        end += 1
    return end


def _order_points_elsewhere(thing: str, *, at_start: bool) -> bool:
    """Whether the object of the order stands elsewhere: "rename it", "the old one"."""
    words = [word.strip(".") for word in _TOKEN.findall(thing)]
    near = words[:1] if at_start else words
    pointing = _longest_order_phrases(reply_tokens.BESIDE["pointing"])
    return any(word in pointing for word in near) or any(
        one in thing for one in _longest_order_phrases(reply_tokens.BESIDE["pointing_anywhere"])
    ) or any(
        # "with one line" counts; "the old one" points.
        word in ("one", "ones") and following not in _SORTS
        for word, following in zip(words, [*words[1:], ""], strict=False)
    )  # fmt: skip


def _order_terms(folded: str) -> Iterator[str]:
    """Words that say something by themselves; of unspaced scripts every two neighbouring characters."""
    for token in _TOKEN.findall(folded):
        word = token.strip(".-_*")
        if any(map(is_unspaced, word)):
            runs = "".join(
                char if is_unspaced(char) and not "\u3040" <= char <= "\u309f" else " " for char in word
            )
            for run in runs.split():
                yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
            yield from (part for part in re.findall(r"[a-z0-9_./-]{3,}", word) if part not in _EMPTY)
        elif len(word) >= TERM_CHARS_MIN and word not in _EMPTY:
            yield word
