"""What the user picked of what the agent laid out, and what was left. Reads menus by `evaluator.exchange`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.exchange.fold import fold
from evaluator.exchange.menu import Menu, laid_out
from evaluator.exchange.reply import resolve_reply
from evaluator.exchange.tokens import references
from evaluator.language.clauses import Clause
from evaluator.model import ResolvedOption

OPTIONS_MAX, OPTION_CHARS = 12, 1_000
PRIOR_CHARS = 12_000
BEYOND_WORDS = 4
NEAR_WORDS, SHORT_WORDS = 4, 12
NO_PICK = re.compile(
    r"\b(?:before|until|after|vor|bis|nach|avant|jusqu|après|antes|después|depois|prima|dopo|до|перед|после)\b"
)
OPENING = re.compile(r"\s*#?(\d{1,2})[.):,;]?(?=\s)")
"""A number that opens the reply, which reads like an item of a list."""
LETTER = re.compile(
    r"(?:^|^(?:la|el|le|l|die|das|den|o|dann|вариант|option|go|take|with|nimm|lieber) |option )\(?([a-h])\)?"
    r"(?=$|[\s.,!:;)])"
)


@dataclass(frozen=True, slots=True)
class Pick:
    """`beyond` is a number that the menu does not have; `size`, how many options were laid out."""

    chosen: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    beyond: int | None = None
    size: int = 0


def pick(
    prior: str, reply: str, own: tuple[Clause, ...], resolved: ResolvedOption | None, *, whole: bool
) -> Pick:
    """By the symbolic layer's reading where it has one; else by what the reply counts."""
    if resolved is not None:
        return Pick(_bounded(resolved.labels), _bounded(resolved.rejected))
    menu = laid_out(prior[-PRIOR_CHARS:])
    if menu is None:
        return Pick()
    found = resolve_reply(menu, reply)
    if found is not None:
        return Pick(_bounded(found.labels), _bounded(found.rejected))
    options, size = [option.label for option in menu.options], len(menu.options)
    taken, aside = _counted(own, menu)
    opening = OPENING.match(reply)
    if opening and menu.kind == "numbered" and not taken:
        taken = {int(opening[1]) - 1}
    over = [place + 1 for place in taken if place >= size]
    if over and len(reply.split()) <= BEYOND_WORDS and menu.kind == "numbered":
        return Pick(beyond=over[0], size=size)
    if not taken and aside and menu.kind != "bulleted":
        taken = set(range(size))
    taken = {place for place in taken - aside if place < size}
    if menu.kind != "bulleted" and (len(taken) == size or (not taken and whole)):
        return Pick(_bounded(options))
    if not taken or len(taken) == size:
        return Pick(size=size if menu.kind != "bulleted" else 0)
    return Pick(
        _bounded([option for at, option in enumerate(options) if at in taken]),
        _bounded([option for at, option in enumerate(options) if at not in taken]),
    )


def _counted(own: tuple[Clause, ...], menu: Menu) -> tuple[set[int], set[int]]:
    """Places (from 0) that the reply names by number, letter or ordinal: taken, and set aside."""
    taken, aside = set[int](), set[int]()
    for number, clause in enumerate(own):
        low = fold(clause.text)
        if clause.question and not clause.order:
            continue
        into = aside if clause.turned else taken
        near = len(clause.words) <= NEAR_WORDS or number == 0 or clause.turned or low[:1].isdigit()
        if len(clause.words) > SHORT_WORDS or not near or NO_PICK.search(low):
            continue
        letter = LETTER.search(low) if menu.kind == "lettered" else None
        if letter:
            into.add(ord(letter.group(1)) - 97)
        for token in references(low):
            if token.kind == "number" and menu.kind != "numbered":
                continue
            last = token.kind in ("last", "latter")
            into.add(len(menu.options) - 1 if last else max(token.value, 1) - 1)
    return taken, aside


def _bounded(options: Sequence[str]) -> tuple[str, ...]:
    return tuple(option[:OPTION_CHARS] for option in options[:OPTIONS_MAX])
