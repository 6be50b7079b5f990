"""What the exchange points at: the clauses that order, the proposal that was accepted, the option that was chosen,
and what it points away from. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from evaluator.readers.embedded.language import words
from evaluator.readers.embedded.language.change import PendingChange, Target
from evaluator.readers.embedded.language.clauses import Clause, clauses_of
from evaluator.readers.embedded.language.shell import segments
from evaluator.readers.embedded.objections.menu import Pick

NAME_WEIGHT, FOLDER_WEIGHT, GENERIC_WEIGHT, TEXT_WEIGHT, NUMBER_WEIGHT, PROGRAM_WEIGHT = (
    1.0,
    0.5,
    0.2,
    0.25,
    0.45,
    0.4,
)
TEXT_TERMS_MAX = 14
PREFIX, SPLIT = 4, 3
RELATED = 0.34
"""From this share of a request's content on a clause of the prior turn is what the request speaks of."""
FLAG = re.compile(r"^-+")
JOINED = re.compile(r"\s(?:and|und|et|y|e|и|і|ve|en|dan|và|i|a|और)\s|と|和|、")
ALNUM = re.compile(r"\w")


def terms_of(change: PendingChange) -> dict[str, float]:
    """What the write is about, and how much each term tells."""
    found: dict[str, float] = {}

    def put(text: str, weight: float) -> None:
        for word in words.split(text):
            if word in words.STOP and len(word) < 4:
                continue
            for piece in words.pieces(word):
                value = min(weight, GENERIC_WEIGHT) if word in words.GENERIC else weight
                found[piece] = max(found.get(piece, 0.0), value)

    for target in change.targets:
        parts = target.path.split("/")
        put(parts[-1].rsplit(".", 1)[0] if "." in parts[-1].lstrip(".") else parts[-1], NAME_WEIGHT)
        for part in parts[-4:-1]:
            put(part, FOLDER_WEIGHT)
        if "." in target.base:
            put(target.base.rsplit(".", 1)[-1], GENERIC_WEIGHT)
    if change.shell:
        for program, *arguments in segments(change.command):
            put(program, PROGRAM_WEIGHT)
            for word in arguments:
                if ALNUM.search(word):
                    put(FLAG.sub("", word), NAME_WEIGHT if not word.startswith("-") else 0.7)
    for value in change.values:
        put(value, NAME_WEIGHT)
    for number in change.numbers_in[:6]:
        put(number, NUMBER_WEIGHT)
    if not change.shell:
        old, new = words.split(change.old[:2000]), words.split(change.new[:2000])
        fresh = [word for word in dict.fromkeys(new) if word not in old]
        for word in [*fresh[:TEXT_TERMS_MAX], *list(dict.fromkeys(old))[:TEXT_TERMS_MAX]]:
            if len(word) > 1:
                put(word, TEXT_WEIGHT)
    return found


def rarity(clauses: tuple[Clause, ...]) -> dict[str, float]:
    """Terms of many clauses tell less: 1 for those of one clause."""
    counted = Counter(term for clause in clauses if not clause.quoted for term in clause.terms)
    return {term: n**-0.7 for term, n in counted.items()}


def terms_of_target(target: Target) -> dict[str, float]:
    found: dict[str, float] = {}
    parts = target.path.split("/")
    stem = parts[-1].rsplit(".", 1)[0] if "." in parts[-1].lstrip(".") else parts[-1]
    for text, weight in ((stem, NAME_WEIGHT), *((part, FOLDER_WEIGHT) for part in parts[-4:-1])):
        for word in words.split(text):
            for piece in words.pieces(word):
                found[piece] = max(found.get(piece, 0.0), GENERIC_WEIGHT if word in words.GENERIC else weight)
    return found


def near(wanted: dict[str, float], known: frozenset[str]) -> dict[str, frozenset[str]]:
    """For each wanted term the known ones that mean it: itself, and what it begins or what begins it."""
    begins: dict[str, list[str]] = {}
    for term in known:
        if len(term) >= PREFIX:
            begins.setdefault(term[:PREFIX], []).append(term)
    found: dict[str, frozenset[str]] = {}
    for term in wanted:
        same = {term} if term in known else set[str]()
        if len(term) >= PREFIX and not term.isdigit():
            same |= {
                other
                for other in begins.get(term[:PREFIX], ())
                if other.startswith(term) or term.startswith(other)
            }
        if not same and len(term) >= 2 * SPLIT and term.isalpha():
            for at in range(SPLIT, len(term) - SPLIT + 1):
                if term[:at] in known and term[at:] in known:
                    same = {term[:at], term[at:]}
        if same:
            found[term] = frozenset(same)
    return found


def overlap(clause_terms: frozenset[str], wanted: frozenset[str], rare: dict[str, float]) -> float:
    """The share of what `wanted` says that the clause says, rare terms first."""
    total = sum(rare.get(term, 1.0) for term in wanted)
    return sum(rare.get(term, 1.0) for term in wanted & clause_terms) / total if total else 0.0


ON_ORDER, ON_MATTER, ON_SAID, ON_AFTER, ON_ASKED, ON_QUOTED = 1.0, 0.9, 0.7, 0.4, 0.3, 0.2
PLAIN = 0.6
"""From this stance on a clause asks for what it names."""
OFF_WEIGHT = {"spare": 1.0, "forbids": 1.0, "later": 0.9, "instead": 0.8, "done": 0.7}
PRIOR_SAID, PRIOR_PASSED, PRIOR_LEFT = 0.25, 0.4, 0.5
THIN = 3
"""A question with fewer words of its own takes its matter from the sentence before ("... OK?")."""
LAST_SENTENCES = 5


@dataclass(frozen=True, slots=True)
class Unit:
    """A clause with where it stands: `mine` is the user's; `stance` from -1, spoken against, to 1, asked for."""

    clause: Clause
    mine: bool
    stance: float


def stances(request: tuple[Clause, ...]) -> list[Unit]:
    """What is said before an order is its matter; what is said after it, a comment."""
    orders = [
        n for n, c in enumerate(request) if c.order and not c.question and not c.quoted and not c.turned
    ]
    found: list[Unit] = []
    for place, clause in enumerate(request):
        if clause.against in OFF_WEIGHT and not clause.quoted:
            stance = -OFF_WEIGHT[clause.against]
        elif clause.quoted:
            stance = ON_QUOTED
        elif place in orders:
            stance = ON_ORDER
        elif clause.question and not clause.order:
            stance = ON_ASKED
        else:
            following = next((n for n in orders if n > place), None)
            if following is None:
                stance = ON_AFTER if orders else ON_SAID
            else:
                stance = ON_MATTER if request[following].points else ON_SAID
        found.append(Unit(clause, True, stance))
    return found


def resembling(content: frozenset[str], clauses: list[Clause]) -> list[Clause]:
    """The clauses that share a word, by its beginning, with what a proposal says ("the fancy one")."""
    begins = {term[:PREFIX] for term in content if len(term) >= PREFIX and term not in words.GENERIC}
    return [c for c in clauses if begins & {term[:PREFIX] for term in c.content if len(term) >= PREFIX}]


def proposal(prior: tuple[Clause, ...]) -> tuple[list[Clause], bool]:
    """The clauses that a yes accepts, and whether the prior turn asks or offers anything at all."""
    if not prior:
        return [], False
    last = prior[-1].sentence
    near = [clause for clause in prior if clause.sentence > last - LAST_SENTENCES * 2]
    sentences = list(dict.fromkeys(clause.sentence for clause in near))[-LAST_SENTENCES:]
    asked = [n for n in sentences if any((c.question or c.offer) for c in near if c.sentence == n)]
    if asked and all(c.more for c in near if c.sentence == asked[-1] and (c.question or c.offer)):
        return [], True
    if not asked:
        return [clause for clause in prior if clause.sentence in sentences[-2:]], False
    taken = {asked[-1]} | {n for n in asked if any(c.offer for c in near if c.sentence == n)}
    own = frozenset[str]().union(*(clause.content for clause in near if clause.sentence in taken))
    named = any(c.concrete for c in near if c.sentence in taken and c.against not in PRIOR_AGAINST)
    if len(own) <= THIN or not named:
        before = [n for n in dict.fromkeys(c.sentence for c in prior) if n < min(taken)]
        meant = resembling(own, [c for c in prior if c.sentence in before[-4:]])
        if meant and not named:
            return [c for c in prior if c.sentence in taken or c in meant], True
        taken |= set(before[-2:])
    found = [clause for clause in prior if clause.sentence in taken]
    listed = max((c.line for c in found), default=0)
    if len(own) <= THIN + 1:
        lines = {c.line for c in prior if c.item and listed - 12 <= c.line <= listed}
        found += [clause for clause in prior if clause.line in lines and clause not in found]
    return found, True


@dataclass(frozen=True, slots=True)
class Focus:
    """`led` tells what of the prior turn the request takes up; `bare`, that it says nothing concrete itself."""

    units: tuple[Unit, ...]
    known: frozenset[str]
    bare: bool
    led: str


def of_option(clause: Clause, options: tuple[str, ...]) -> bool:
    return any(clause.text in option or option.strip() in clause.text for option in options)


PRIOR_AGAINST = {"spare": 0.8, "instead": 0.8, "later": 0.7, "done": 0.6, "only": 0.5}
"""In the prior turn a plain negation tells a fact ("is not called anywhere")."""


def related(
    request: tuple[Clause, ...], prior: tuple[Clause, ...], content: frozenset[str], names: tuple[str, ...]
) -> list[Clause]:
    """The clauses of the prior turn that a clause of the request speaks of by its content or by its being unused."""
    rare = rarity(prior)
    found: list[Clause] = []
    for name in names:
        spelled = frozenset(words.terms(name))
        found += [c for c in prior if spelled <= c.terms and c not in found]
    for clause in request:
        if clause.quoted or clause.turned or clause.question:
            continue
        for part in JOINED.split(clause.text):
            asked = frozenset(words.terms(part)) & content
            if not asked and not clause.removable:
                continue
            shares = [
                (overlap(c.terms, asked, rare) + 0.6 * (clause.removable and c.removable), c) for c in prior
            ]
            top = max(share for share, _ in shares)
            if top >= RELATED:
                found += [c for share, c in shares if share >= 0.85 * top and c not in found]
    return found


def focus_of(
    request: tuple[Clause, ...],
    prior: tuple[Clause, ...],
    content: frozenset[str],
    names: tuple[str, ...],
    picked: Pick,
    settled: tuple[Clause, ...],
    *,
    accepts: bool,
    removing: bool,
) -> Focus:
    """`content` is what the last message says by itself; `accepts` that it agrees or points back ("do it").

    Where the write is `removing`, what the prior turn calls done with is not thereby to be left.
    """
    units = stances(request)
    units += [Unit(c, True, ON_ORDER) for c in settled]
    known = frozenset[str]().union(*(c.terms for c in (*request, *prior, *settled)))
    bare = len(content) <= 1
    each = any(c.each and not c.turned and not c.quoted for c in request)
    led, taken = "", list[Clause]()
    if not prior:
        pass
    elif picked.chosen:
        led = "choice"
    elif each:
        led, taken = "each", [c for c in prior if not c.turned]
    else:
        if content or any(c.removable for c in request):
            taken = related(request, prior, content, names)
            led = "related" if taken else ""
        if not taken and (accepts or bare):
            taken, asked = proposal(prior)
            led = "proposal" if asked else "nothing"
            taken = taken if asked else []
    if led == "choice":
        units += [Unit(c, False, ON_ORDER) for option in picked.chosen for c in clauses_of(option)]
        units += [
            Unit(c, False, -OFF_WEIGHT["instead"]) for option in picked.rejected for c in clauses_of(option)
        ]
        units += [
            Unit(c, False, PRIOR_SAID) for c in prior if not of_option(c, (*picked.chosen, *picked.rejected))
        ]
        return Focus(tuple(units), known, bare, led)
    for clause in prior:
        turned = 0.0 if removing and clause.against == "done" else PRIOR_AGAINST.get(clause.against, 0.0)
        if clause in taken and (led == "related" or not turned):
            stance = ON_ORDER
        elif turned:
            stance = -turned
        elif led == "nothing":
            stance = PRIOR_LEFT
        else:
            stance = -PRIOR_PASSED if led in ("choice", "proposal") else PRIOR_SAID
        units.append(Unit(clause, False, stance))
    return Focus(tuple(units), known, bare, led)


@dataclass(frozen=True, slots=True)
class FocusMatch:
    """How the write meets the focus, each in [0, 1], relative to the clause that says most of the write.

    `on`, `off`: the best clause that is asked for, and that is spoken against; `by_user` and `against_user`
    the same in the user's own words; `known`: how much of the write is said anywhere.
    """

    on: float
    off: float
    by_user: float
    against_user: float
    passed: float
    known: float


def aim(
    wanted: dict[str, float], focus: Focus, rare: dict[str, float], alike: dict[str, frozenset[str]]
) -> FocusMatch:
    """By the names of the write where any is known, else by its text."""
    total = sum(wanted.values())
    names = {term: weight for term, weight in wanted.items() if weight >= FOLDER_WEIGHT and term in alike}
    weights = {
        t: w * max(rare.get(one, 1.0) for one in alike[t]) for t, w in (names or wanted).items() if t in alike
    }
    levels = [(level_of(weights, unit.clause.terms, alike), unit) for unit in focus.units]
    top = max((level for level, _ in levels), default=0.0)
    if not top or not total:
        return FocusMatch(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def best(mine: bool | None, sign: float, least: float = 0.0) -> float:
        return max(
            (
                level / top * abs(unit.stance)
                for level, unit in levels
                if unit.stance * sign > least and (mine is None or unit.mine == mine)
            ),
            default=0.0,
        )

    known = sum(weight for term, weight in wanted.items() if term in alike) / total
    return FocusMatch(
        best(None, 1.0), best(None, -1.0, 0.5), best(True, 1.0), best(True, -1.0), best(False, -1.0), known
    )


def level_of(weights: dict[str, float], terms: frozenset[str], alike: dict[str, frozenset[str]]) -> float:
    return sum(weight for term, weight in weights.items() if not terms.isdisjoint(alike[term]))


def passed_by(names: list[str], wanted: dict[str, float], focus: Focus) -> float:
    """How plainly the focus points at another thing by name while it does not point at the write.

    What the user names goes before what the prior turn names.
    """
    mine = {term for term, weight in wanted.items() if weight >= FOLDER_WEIGHT}
    best = 0.0
    for name in names:
        theirs = frozenset(words.terms(name))
        own, rest = theirs - mine - words.GENERIC, (mine - theirs) & focus.known
        if not own or len(own) > 6:
            continue
        for by_user in (True, False):
            units = [u for u in focus.units if u.stance > 0 and (u.mine or not by_user)]
            hit = max(
                (len(own & u.clause.terms) / len(own) * u.stance for u in units if u.stance >= ON_SAID),
                default=0.0,
            )
            if hit < 0.5:
                continue
            here = (
                max((len(rest & u.clause.terms) / len(rest) * u.stance for u in units), default=0.0)
                if rest
                else 0.0
            )
            best = max(best, hit - here)
            break
    return best


def own_share(options: tuple[str, ...], others: tuple[str, ...], wanted: dict[str, float]) -> float:
    """How much of the write's names these options say and the others do not, in weight."""
    said = frozenset(term for option in options for term in words.terms(option))
    said -= frozenset(term for option in others for term in words.terms(option))
    return sum(weight for term, weight in wanted.items() if term in said and weight > GENERIC_WEIGHT)


def located(names: tuple[str, ...], prior: tuple[Clause, ...], targets: tuple[Target, ...]) -> str:
    """The file in which the prior turn places a thing that the request names, if it is none of the targets."""
    for name in names:
        spelled = frozenset(words.terms(name))
        files = [file for clause in prior if spelled <= clause.terms for file in clause.files]
        if (
            files
            and targets
            and not any(t.path.endswith(f.rsplit("/", 1)[-1]) for f in files for t in targets)
        ):
            return files[0]
    return ""
