"""A message as what it forbids and what it orders, clause by clause. Pure.

Only what a person typed counts: quotations, logs, code, pasted text, reports and questions forbid nothing. Whatever is
unsure is no ban.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.record import Record, replace
from evaluator.rules.clauses import Clause, below_heading, clauses, is_change, is_order, paths_in
from evaluator.rules.grammar import QUOTE_CHARS_MAX, Ban, ClauseGrammar
from evaluator.rules.vocabulary import Words, of_all, shared, words, words_for
from evaluator.text import fold, parted

if TYPE_CHECKING:
    from evaluator.model import Exchange

TEXT_CHARS_MAX = 8_000
SHORT_WORDS = 8
"""A reply of no more words takes up what the agent said last."""
LINES_MAX = 4096
"""More than the instruction files of a project hold, that are read on each call."""


class Message(Record):
    """`orders` and `says` are folded clauses that forbid nothing; `goes`: it lets the agent go on; `wonders`: it ends
    in a question and orders nothing.
    """

    bans: tuple[Ban, ...]
    orders: tuple[str, ...]
    says: tuple[str, ...]
    goes: bool
    wonders: bool
    text: str


def agrees(text: str) -> bool:
    """Whether a message opens with words that let the agent go on."""
    folded = fold(text)
    each = (words_for(folded), words("en"))
    return any(w["goes"].match(w.says(folded)) is not None for w in each)


def agrees_later(text: str) -> bool:
    """Whether a message lets the agent go on once something else is done: "back them up first, then ok"."""
    folded = fold(text).rstrip(" .!")
    each, last = (words_for(folded), words("en")), re.split(r"[,;.:!]", folded)[-1]
    if of_all("denied").search(last) or shared("before").search(last):
        return False
    return any(
        w.has(folded, "first") and any(one.end() == len(folded) for one in w["goes"].finditer(folded))
        for w in each
    )


@lru_cache(maxsize=512)
def read(text: str) -> Message:
    return _read(text, in_file=False)


@lru_cache(maxsize=LINES_MAX)
def bans_of_line(line: str) -> tuple[Ban, ...]:
    """What a line of an instruction file forbids. Kept apart: a call may read more such lines than messages."""
    if found := _read(line, in_file=True).bans:
        return found
    said = below_heading(line)
    return _read(said, in_file=True).bans if said else ()


def _read(text: str, *, in_file: bool) -> Message:
    own = parted(text[:TEXT_CHARS_MAX])[0]
    # A title orders nothing; in a plan that is handed over "no changes" and "only" tell of what is written there.
    document = in_file or shared("title").search(own) is not None
    # A row of a table tells of what stands in its first cell.
    own = (
        own.strip("| ").replace(" | ", ": ")
        if in_file
        else shared("title").sub("", shared("comment").sub("", own))
    )
    w = words_for(fold(own))
    bans: list[Ban] = []
    orders: list[str] = []
    says: list[str] = []
    ordered, talked, named, asked, spares = in_file, False, "", False, False
    for clause in clauses(own, w):
        found = (
            None
            if clause.asks or clause.doubted
            else ClauseGrammar(clause, w, ordered, talked, in_file).ban()
        )
        shut = in_file and not clause.whole and not clause.asks and shared("no_writes").search(clause.text)
        asked = clause.asks
        talked = talked or clause.asks or (not clause.whole and w.has(clause.text, "talk", "propose"))
        if shut:
            bans.append(Ban("halt", clause.said[:QUOTE_CHARS_MAX], stands=True))
        elif spares and not clause.asks and (more := _excepted(clause, w)):
            # "Leave all of it alone, except a.py"
            bans[-1] = replace(bans[-1], spares=(*bans[-1].spares, *more))
            continue
        elif found is not None and not (document and (clause.aside or found.sort in ("halt", "only"))):
            bans.append(found)
        spares = (found is not None and found.sort in ("thing", "act")) or (spares and clause.whole)
        if found is not None or clause.asks or clause.whole:
            named = "" if found is not None and not clause.whole else named
            continue
        says.append(clause.text)
        listed = shared("listed").search(clause.text) is not None
        orders_it = (listed or is_order(clause.text, w)) and not w.has(clause.text, "pausing")
        allows = w.has(clause.text, "allows")
        ordered = ordered or orders_it or allows
        if orders_it and not w.has(clause.text, "talk", "propose"):
            bans = [ban for ban in bans if ban.sort != "halt"]
        paths = " ".join(paths_in(clause.text))
        if is_change(clause.text) and w.has(clause.text, "pronoun") and not paths:
            bans = bans[:-1] if bans and _bars_one_way(bans[-1], w) else bans
        if orders_it or allows or agrees(clause.text):
            points = not paths and (w.has(clause.text, "pronoun") or not w.kinds(clause.text))
            orders.append(f"{clause.text} {named}" if points else clause.text)
        named = paths or named
    spared = tuple(name for ban in bans if ban.sort == "only" for name in ban.names)
    bans = [ban if ban.sort == "only" else replace(ban, spares=(*ban.spares, *spared)) for ban in bans]
    # "OK, and how would you do it?" lets nothing go on.
    orders = [one for one in orders if not (asked and w["goes"].fullmatch(one.strip(" ,.!")))]
    wonders = asked and not orders
    goes = agrees(own) and not wonders and all(ban.sort != "halt" for ban in bans)
    return Message(tuple(bans), tuple(orders), tuple(says), goes, wonders, fold(own))


def _excepted(clause: Clause, w: Words) -> tuple[str, ...]:
    """The names that a clause takes out of the ban before it; "and not a.py" forbids more."""
    found = w["except"].match(clause.text)
    return paths_in(clause.text) if found and not shared("negates").search(found.group()) else ()


def _bars_one_way(ban: Ban, w: Words) -> bool:
    """Whether a clause is no more than half of a choice: "don't rename a.py, delete it"."""
    return ban.sort == "thing" and bool(ban.names) and bool(w.acts(fold(ban.quote)))


def compile_words() -> None:
    """Compiles what nearly every message is looked at with, some 90 ms, so that no call waits for it."""
    read("Fix the parser, but don't touch the tests.")


def taken_up(exchange: Exchange) -> str:
    """What a short reply agrees to: the options that it picks, or all that the agent said last; empty for none."""
    last = exchange.request[-1] if exchange.request else ""
    if not exchange.prior_assistant_turn or not last or len(last.split()) > SHORT_WORDS:
        return ""
    from evaluator.exchange.menu import find_menu
    from evaluator.exchange.reply import resolve_reply

    menu = find_menu(exchange.prior_assistant_turn)
    resolved = resolve_reply(menu, last) if menu else None
    # "Shall I do them?" points at what was said before it.
    if menu and resolved and (menu.kind != "proposal" or paths_in("\n".join(resolved.labels))):
        return "\n".join(resolved.labels)
    agreed = agrees(last) and not read(last).wonders
    return exchange.prior_assistant_turn if resolved or agreed else ""
