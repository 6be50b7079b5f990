"""The aim: what the exchange asks for, what it sets aside, and how much of the write each of them says. Pure."""

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
ORDERED, MATTER, LEFT, SAID, ASKED, PASSED, SET_ASIDE = 1.0, 0.7, 0.5, 0.25, 0.1, 0.0, -0.8
"""How far a clause asks for what it says: an order, what is said beside one, what the agent told, a question."""
BEGINNING = 4
RELATED = 0.34
"""From this share of what the request says on, a clause of the agent's is what the request speaks of."""
LAST_SENTENCES, THIN = 6, 3
"""A proposal stands in the last sentences; one of so few words takes its matter from the sentence before it."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Each in [0, 1], as a share of the clause that says most of the write: the best that asks for it, the best
    that sets it aside. `known` is the share of the write that any clause says."""

    asked: float
    aside: float
    known: float


def about(change: PendingChange) -> dict[str, float]:
    """What the write is about: stem -> weight. Its names tell most, its text least."""
    found: dict[str, float] = {}
    texts = "" if change.shell else f"{change.new[:TEXT_CHARS]} {change.old[:TEXT_CHARS]}"
    names = [piece for target in change.targets for piece in target.stem]
    names += [word for value in change.values for word in words.split(value)]
    names += [word for part in segments(change.command) for one in part for word in words.split(one)]
    folders = [piece for target in change.targets for piece in target.folders[-3:]]
    body = list(dict.fromkeys(words.split(texts)))[:TEXT_WORDS_MAX]
    for weight, said in ((TEXT, body), (FOLDER, folders), (NAME, names)):
        for word in said:
            if word not in words.STOP and len(word) > 1:
                tells = min(weight, GENERIC) if word in words.GENERIC else weight
                found |= dict.fromkeys(words.pieces(word), tells)
    return found


def stances(case: Case) -> Iterator[tuple[Clause, float]]:
    """Every clause with how far it asks for what it says: to 1 for an order, below 0 where it sets aside."""
    for clause in case.own:
        if clause.turned:
            yield clause, -1.0
        elif clause.order and not clause.question:
            yield clause, ORDERED
        else:
            yield clause, ASKED if clause.question else MATTER
    for text in (case.views.settled.text, *case.pick.chosen):
        yield from ((clause, ORDERED) for clause in clauses_of(text))
    for option in case.pick.rejected:
        yield from ((clause, SET_ASIDE) for clause in clauses_of(option))
    if case.pick.chosen:
        yield from ((clause, SAID) for clause in case.prior)
        return
    clauses, led = taken_up(case)
    taken = set(map(id, clauses))
    for clause in case.prior:
        if id(clause) in taken and (led == "related" or not clause.turned):
            yield clause, ORDERED
        elif clause.turned:
            yield clause, SET_ASIDE
        else:
            yield clause, {"proposal": PASSED, "nothing": LEFT}.get(led, SAID)


def taken_up(case: Case) -> tuple[list[Clause], str]:
    """The agent's clauses that the request takes up: those that it speaks of, else what was proposed last."""
    content = frozenset(case.views.last.content)
    rare = Counter(term for clause in case.prior for term in clause.terms)
    found: list[Clause] = []
    for clause in case.own:
        asked = {term for term in clause.terms & content if rare[term]}
        total = sum(rare[term] ** -0.7 for term in asked) + len((clause.terms & content) - asked)
        if not asked or clause.turned or clause.question:
            continue
        shares = [(sum(rare[t] ** -0.7 for t in asked & one.terms) / total, one) for one in case.prior]
        top = max(share for share, _ in shares)
        if top >= RELATED:
            found += [one for share, one in shares if share >= 0.85 * top]
    if found:
        return found, "related"
    if not case.prior or not (case.accepts or len(content) < 2):
        return [], ""
    last = case.prior[-1].sentence
    near = [one for one in case.prior if one.sentence > last - LAST_SENTENCES and not one.more]
    asking = [one.sentence for one in near if one.question or one.offer]
    if not asking:
        return [], "nothing"
    found = [one for one in case.prior if one.sentence == asking[-1]]
    if sum(len(one.content) for one in found) <= THIN or not any(one.concrete for one in found):
        before = [one.sentence for one in case.prior if one.sentence < asking[-1]][-1:]
        found += [one for one in case.prior if one.sentence in before]
    return found, "proposal"


@lru_cache(maxsize=4)
def aim_of(case: Case) -> Aim:
    wanted = about(case.change)
    units = list(stances(case))
    every = frozenset[str]().union(*(clause.terms for clause, _ in units))
    begins: dict[str, list[str]] = {}
    for one in every:
        begins.setdefault(one[:BEGINNING], []).append(one)
    alike = {term: like for term in wanted if (like := _alike(term, begins.get(term[:BEGINNING], ())))}
    names = {term for term in alike if wanted[term] >= FOLDER}
    counted = names or set(alike)
    often = Counter(term for clause in (*case.own, *case.prior) for term in clause.terms)
    tells = {term: wanted[term] * max(max(1, often[one]) ** -0.7 for one in alike[term]) for term in counted}
    levels = [(sum(tells[t] for t in counted if alike[t] & clause.terms), stance) for clause, stance in units]
    top = max((level for level, _ in levels), default=0.0)
    if not top:
        return Aim(0.0, 0.0, 0.0)
    known = sum(wanted[term] for term in alike) / sum(wanted.values())
    asked = max((level * stance / top for level, stance in levels if stance > 0), default=0.0)
    aside = max((-level * stance / top for level, stance in levels if stance < -0.5), default=0.0)
    return Aim(asked, aside, known)


def _alike(term: str, near: Iterable[str]) -> frozenset[str]:
    """Of the said terms that begin alike those that mean this one: itself, what it begins, what begins it."""
    if len(term) < BEGINNING or term.isdigit():
        return frozenset(one for one in near if one == term)
    return frozenset(one for one in near if one.startswith(term) or term.startswith(one))
