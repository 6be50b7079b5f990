"""What a user's reply to a held write is: the choice of a reading, a refusal, an order of its own, or an explanation.

Pure. The reading of a menu's replies stands in `exchange`; here it is asked of the list that Compass showed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal, cast

from evaluator.exchange.menu import Menu, Option
from evaluator.exchange.option_names import action_of, own_names, shared_names, without_verbs
from evaluator.exchange.orders import declines, stands_alone
from evaluator.exchange.reply import REPLY_CHARS_MAX, choose
from evaluator.exchange.reply_tokens import has_phrase, is_qualified, known_phrases, tokenize
from evaluator.intervention.messages import ONLY_ANSWER, answer_choices, last_choices
from evaluator.record import Record
from evaluator.text import CONTROL_PREFIX, fold, is_unspaced, table

AnswerKind = Literal["reading", "nothing", "refusal", "new_request", "clarification"]
PART_CHARS_MIN = 4
PART_CHARS_MIN_UNSPACED = 2
_ENDS = " .!:()[]\"'`*。！："
_NUMBERED = re.compile(r"(?:#|no\.?(?=\s*\d)|nr\.?|n°)\s*(?=\d)")
_ORDINAL = re.compile(r"(?<![\w.])([1-9])\.(?=\s+[^\W\d])")
"""As German writes it: "die 2. Datei"."""
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()  # noqa: SIM905
_LOOSE_NUMBER = re.compile(r"(?<![\w./-])\d+(?![\w/-]|\.\w)")
"""A number that is no part of a name."""
_CLAUSE = re.compile(r"\s*[,;.!]\s+|\s+but\s+|\s+(?=and (?:keep|leave|not)\b)")
_NO_CHOICE = re.compile(r"\bone (?:first|second|third|2nd|sec|moment)\b|^(?:just )?the one$")


@cache
def said_as(key: str) -> re.Pattern[str]:
    """How something is put: a pattern of `replies.toml`."""
    return re.compile(cast(str, table("intervention/replies")[key]).replace("\n", ""))


class Answer(Record):
    """`chosen` are the indexes of readings. "nothing": "something else", and not yet what."""

    kind: AnswerKind
    chosen: tuple[int, ...] = ()


class Asked(Record):
    """What the reply may speak of: the list that was shown, what was held, and what had been asked for.

    `own_menu`: the agent showed a list of its own since, or the readings in another order.
    """

    readings: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    request: tuple[str, ...] = ()
    own_menu: bool = False
    listed: bool = True
    """Whether the readings were shown as a list: a single one is not, and has no "something else" beside it."""


def understood(reply: str, asked: Asked) -> Answer:
    """What a reply to a held write means that is neither a control word nor a mere "continue"."""
    addressed = fold(reply[: len(CONTROL_PREFIX)]) == CONTROL_PREFIX
    if addressed:
        # A project may have Compass's name: what follows is said to the agent, and of that project.
        reply = reply[len(CONTROL_PREFIX) :]
    if asked.readings and (found := _parse_listed_reply(reply, asked)) is not None:
        if all(asked.readings[index] != ONLY_ANSWER for index in found.chosen):
            return found
        # To choose that nothing changes is to refuse what is held; with another reading beside it, nothing is chosen.
        return Answer("refusal" if len(found.chosen) == 1 else "clarification")
    bare = fold(reply).strip(_ENDS)
    if declines(reply) or bare in answer_choices() or said_as("just_answer").fullmatch(bare):
        return Answer("refusal")
    actions = {action_of(one) for one in asked.readings} | set(asked.operations)
    known = (*asked.readings, *(_reply_target_name(one) for one in asked.targets), *asked.request)
    if stands_alone(reply, known=known, actions=() if addressed else actions):
        return Answer("new_request")
    return Answer("clarification")


def _parse_listed_reply(reply: str, asked: Asked) -> Answer | None:
    folded = fold(reply) if len(reply) <= REPLY_CHARS_MAX else ""
    bare = folded.strip(_ENDS)
    if not bare:
        return None
    whole = [index for index, label in enumerate(asked.readings) if bare == fold(label).strip(_ENDS)]
    if len(whole) == 1 and "?" not in folded:
        return Answer("reading", tuple(whole))
    if bare in {fold(one) for one in last_choices()}:
        return Answer("nothing")
    if declines(reply):
        return Answer("refusal")
    if asked.own_menu:
        return None
    # The whole reply may be a number, in any script's digits.
    digits = _NUMBERED.sub("", bare, count=1) if _NUMBERED.match(bare) else bare
    if digits.isdecimal() and len(digits) < 4:
        number, size = int(digits), len(asked.readings)
        if 1 <= number <= size:
            return Answer("reading", (number - 1,))
        # The number after the last reading is "something else"; further ones are what a person said, no more.
        return Answer("nothing" if asked.listed and number == size + 1 else "clarification")
    meant = said_as("correcting").sub("", folded, count=1) if said_as("correcting").match(folded) else folded
    chosen = (
        _parse_other_reply(bare, asked)
        or chosen_readings(meant, asked.readings, asked.targets)
        or _parse_contrasting_reply(meant, asked)
    )
    return None if chosen is None else Answer("reading", chosen)


def _parse_contrasting_reply(folded: str, asked: Asked) -> tuple[int, ...] | None:
    """The reading that one clause chooses where each other clause says that another one stays as it is."""
    clauses = [one.strip(_ENDS) for one in _CLAUSE.split(folded)]
    stay = [found for one in clauses if (found := said_as("stays").fullmatch(one))]
    left = [one for one in clauses if one and not said_as("stays").fullmatch(one)]
    if not stay or len(left) != 1 or "?" in folded:
        return None
    begins = clauses[0] != left[0] and stay[0]["kept"] and not stay[0][0].startswith("not ")
    if begins and without_verbs(left[0], asked.readings) == left[0]:
        # "keep old, legacy" goes on with what is kept.
        return None
    chosen = chosen_readings(left[0], asked.readings, asked.targets)
    staying = (found["kept"] or found["staying"] for found in stay)
    kept = [chosen_readings(one, asked.readings, asked.targets) for one in staying]
    if chosen is None or any(one is None or set(one) & set(chosen) for one in kept):
        return None
    return chosen


def _parse_other_reply(bare: str, asked: Asked) -> tuple[int, ...] | None:
    """Of two readings, the one that what is held does not name."""
    if len(asked.readings) != 2 or said_as("other").fullmatch(bare) is None:
        return None
    names = [*filter(None, map(_reply_target_name, asked.targets))]
    named = [index for index, label in enumerate(asked.readings) if any(name in label for name in names)]
    return (1 - named[0],) if len(named) == 1 else None


def chosen_readings(
    reply: str, readings: Sequence[str], targets: Sequence[str] = ()
) -> tuple[int, ...] | None:
    """The readings that a reply chooses by number, ordinal, "both" or "all", or by words that one of them alone has."""
    folded = fold(reply)
    said = _LOOSE_NUMBER.findall(folded)
    if len(set(said)) < len(said) or _NO_CHOICE.search(folded.strip(_ENDS)) or is_qualified(folded):
        return None
    menu = Menu(tuple(Option(str(number), label) for number, label in enumerate(readings, 1)), "numbered")
    chosen = choose(menu, folded, {})
    if chosen is not None:
        return chosen
    spelled = _ORDINAL.sub(lambda found: _ORDINALS[int(found[1]) - 1], folded)
    spoken = without_verbs(spelled, readings)
    own = {**shared_names(readings, targets), **own_names(readings)}
    # Not "two files", where the number counts, nor "legacy looks good", which says nothing of what to do with it.
    kinds = [token.kind for token in tokenize(spoken, own) or ()]
    after_name = kinds[kinds.index("label") :] if "label" in kinds else []
    if "number" not in kinds[:-1] and "yes" not in after_name and (named := choose(menu, spoken, own)):
        return named
    # The reading that holds the whole reply word for word, if it is the only one.
    bare = folded.strip(_ENDS)
    least = PART_CHARS_MIN_UNSPACED if any(map(is_unspaced, bare)) else PART_CHARS_MIN
    if len(bare) < least or "?" in bare or bare in known_phrases():
        return None
    found = [index for index, label in enumerate(readings) if has_phrase(fold(label), (bare,))]
    return (found[0],) if len(found) == 1 else None


def _reply_target_name(target: str) -> str:
    """The last part of a path: the folders that lead there are no thing that the user spoke of."""
    return target.rstrip("/").rpartition("/")[2]
