"""The aim: how much of the write is said where the exchange asks for it, and where it sets it aside. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from evaluator.language import words
from evaluator.language.change import PendingChange
from evaluator.language.clauses import Clause, clauses_of
from evaluator.language.shell import segments
from evaluator.readers.embedded.case import Case

NAME, FOLDER, TEXT, GENERIC = 1.0, 0.5, 0.25, 0.2
"""What a word of the write counts by where it stands."""
TEXT_WORDS_MAX, TEXT_CHARS = 28, 2_000
ORDERED, MATTER, LEFT, SAID, ASKED, PASSED, SET_ASIDE = 1.0, 0.7, 0.5, 0.25, 0.1, 0.0, -1.0
"""How far a clause asks for what it says: an order, what is said beside one, what the agent told, a question."""
BEGINNING = 4
"""Two terms mean the same if one begins with the other and they share this many letters."""
RELATED, NEARLY = 0.34, 0.85
"""From this share of what the request says on, a clause of the agent's is what the request speaks of."""
RARITY = -0.7
"""A term that is said n times tells n to the power of this."""
LAST_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class Aim:
    """Each in [0, 1], as a share of the clause that says most of the write: the best that asks for it, the best
    that sets it aside. `known` is the share of the write that any clause says."""

    asked: float = 0.0
    aside: float = 0.0
    known: float = 0.0


def about(change: PendingChange) -> dict[str, float]:
    """What the write is about: stem -> weight. Its names tell most, its text least."""
    texts = "" if change.shell else f"{change.new[:TEXT_CHARS]} {change.old[:TEXT_CHARS]}"
    names = [piece for target in change.targets for piece in target.stem]
    names += [word for value in change.values for word in words.split(value)]
    names += [word for part in segments(change.command) for one in part for word in words.split(one)]
    folders = [piece for target in change.targets for piece in target.folders[-3:]]
    body = list(dict.fromkeys(words.split(texts)))[:TEXT_WORDS_MAX]
    found: dict[str, float] = {}
    for weight, said in ((TEXT, body), (FOLDER, folders), (NAME, names)):
        for word in said:
            if word not in words.STOP and len(word) > 1:
                tells = min(weight, GENERIC) if word in words.GENERIC else weight
                found |= dict.fromkeys(words.pieces(word), tells)
    return found


def stances(case: Case) -> Iterator[tuple[Clause, float]]:
    """Every clause with how far it asks for what it says: to 1 for an order, below 0 where it sets aside."""
    for clause in case.own:
        asking = ASKED if clause.question else ORDERED if clause.order else MATTER
        yield clause, SET_ASIDE if clause.turned else asking
    for text in (case.views.settled.text, *case.pick.chosen):
        yield from ((clause, ORDERED) for clause in clauses_of(text))
    for option in case.pick.rejected:
        yield from ((clause, SET_ASIDE) for clause in clauses_of(option))
    taken, beside = ([], SAID) if case.pick.chosen else taken_up(case)
    for clause in case.prior:
        yield clause, ORDERED if clause in taken else SET_ASIDE if clause.turned else beside


def taken_up(case: Case) -> tuple[list[Clause], float]:
    """The agent's clauses that the request takes up (those that it speaks of, else what was proposed last), and
    how far the others are asked for beside them."""
    content = frozenset(case.views.last.content)
    rare = Counter(term for clause in case.prior for term in clause.terms)
    found: list[Clause] = []
    for clause in case.own:
        said = clause.terms & content
        total = sum(max(1, rare[term]) ** RARITY for term in said)
        if clause.turned or clause.question or not any(rare[term] for term in said):
            continue
        shares = [(sum(rare[term] ** RARITY for term in said & one.terms) / total, one) for one in case.prior]
        top = max(share for share, _ in shares)
        found += [one for share, one in shares if share >= max(RELATED, NEARLY * top)]
    if found or not case.prior or not (case.accepts or len(content) < 2):
        return found, SAID
    last = case.prior[-1].sentence
    near = [
        one for one in case.prior if one.sentence > last - LAST_SENTENCES and not (one.more or one.turned)
    ]
    proposed = any(one.question or one.offer for one in near)
    return (near, PASSED) if proposed else ([], LEFT)


@lru_cache(maxsize=4)
def aim_of(case: Case) -> Aim:
    wanted = about(case.change)
    units = list(stances(case))
    begins: dict[str, list[str]] = {}
    for one in frozenset[str]().union(*(clause.terms for clause, _ in units)):
        begins.setdefault(one[:BEGINNING], []).append(one)
    alike = {term: like for term in wanted if (like := _alike(term, begins.get(term[:BEGINNING], ())))}
    names = {term for term in alike if wanted[term] >= FOLDER} or set(alike)
    often = Counter(term for clause in (*case.own, *case.prior) for term in clause.terms)
    tells = {term: wanted[term] * max(max(1, often[one]) ** RARITY for one in alike[term]) for term in names}
    levels = [
        (sum(tells[term] for term in names if alike[term] & one.terms), stance) for one, stance in units
    ]
    top = max((level for level, _ in levels), default=0.0)
    if not top:
        return Aim()
    asked = max(level * max(0.0, stance) for level, stance in levels) / top
    aside = max(level * max(0.0, -stance) for level, stance in levels) / top
    return Aim(asked, aside, sum(wanted[term] for term in alike) / sum(wanted.values()))


def _alike(term: str, near: Iterable[str]) -> frozenset[str]:
    """Of the said terms that begin alike those that mean this one: itself, what it begins, what begins it."""
    if len(term) < BEGINNING or term.isdigit():
        return frozenset(one for one in near if one == term)
    return frozenset(one for one in near if one.startswith(term) or term.startswith(one))
