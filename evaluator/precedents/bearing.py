"""Which precedents bear on a request, and which of them count for rules. Pure, symbolic.

Whatever says otherwise keeps a precedent from bearing; whatever is unsure keeps it from counting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from evaluator.language import noun_occurrences, noun_text, nouns
from evaluator.precedents import pointing, similar, surroundings, working
from evaluator.precedents.place import Place, Tree
from evaluator.precedents.precedent import Precedent
from evaluator.precedents.surroundings import Known, known_of
from evaluator.precedents.wordings import calls_anew, equates, explains, redefines, sentences, takes_back
from evaluator.record import Record, replace

SHOWN_MAX = 3
ALIKE_MAX = 30
"""Of those that share a word with the request, the newest ones that are looked at for similar names."""
Bears = Literal["no", "shown", "counts"]


class Asked(Record):
    """What a precedent is held against. `folder` and `written` are relative to the project: where the agent stands,
    and what the turn wrote so far.
    """

    request: str
    prior: str
    written: tuple[str, ...]
    folder: str
    place: Place


class Bearing(Record):
    """`counts`: for rules its target is one that the exchange leads to."""

    precedent: Precedent
    counts: bool


def bearing(
    found: Sequence[Precedent],
    asked: Asked,
    *,
    exists: Callable[[str], bool],
    tree: Callable[[str], Tree],
) -> tuple[Bearing, ...]:
    """At most SHOWN_MAX of `found`, those that count first, then the newest first.

    `found` is newest first. `exists` tells whether a path of the project stands, `tree` what stands beside the way to
    a path; they are asked as late as possible.
    """
    said = noun_text.keys_of(asked.request)
    newest: dict[tuple[str, frozenset[str]], Precedent] = {}
    whole: list[tuple[Precedent, Known]] = []
    parts: list[tuple[Precedent, Known]] = []
    alike: list[tuple[Precedent, Known, bool]] = []
    for one in found:
        term = nouns.term_of(one.term)
        if term is None:
            continue
        by_place = _by_place(one, asked.place)
        if by_place == "no":
            continue
        known = known_of(one.target, term, one.term)
        newer = newest.setdefault((term.head, term.modifiers), one)
        if newer is not one and not (newer.tightens and newer.target != one.target):
            continue
        spoken = term.head in said or term.head in asked.request
        bare = noun_occurrences.bare_occurrences(asked.request, term.head) if spoken else ()
        if not any(each.modifiers <= known.all for each in bare if not each.other):
            if len(alike) < ALIKE_MAX:
                alike.append((one, known, bool(bare)))
            continue
        # Without all that its term says it is at most shown.
        (whole if all(each in said or each in asked.request for each in term.modifiers) else parts).append(
            (one, known)
        )
    # What was settled by itself is no other thing's name.
    heads = frozenset(known.term.head for _, known in (*whole, *parts))
    bears: list[Bearing] = []
    for number, (one, known) in enumerate((*whole, *parts)):
        enough = bears if number >= len(whole) else [each for each in bears if each.counts]
        if len(enough) >= SHOWN_MAX:
            break
        level = _level(one, known, asked, heads, exists, tree)
        if level != "no":
            bears.append(Bearing(one, level == "counts"))
    if not bears and alike:
        heads |= frozenset(known.term.head for _, known, _ in alike)
        bears = _alike(alike, asked, heads, exists, tree)
    bears.sort(key=lambda one: not one.counts)
    return tuple(bears[:SHOWN_MAX])


def _alike(
    found: Sequence[tuple[Precedent, Known, bool]],
    asked: Asked,
    heads: frozenset[str],
    exists: Callable[[str], bool],
    tree: Callable[[str], Tree],
) -> list[Bearing]:
    """Those whose settled thing the request names by similar words: they are shown."""
    bears: list[Bearing] = []
    for one, known, spoken in found:
        if len(bears) >= SHOWN_MAX:
            break
        near = similar.read_as_settled(asked.request, one, known, heads, spoken=spoken)
        if near is None:
            continue
        if near.slips:
            beside = tree(one.target)
            if similar.is_named(near.slips, (*beside.folders, *beside.files)):
                continue
        if _level(one, near.known, replace(asked, request=near.request), heads, exists, tree) != "no":
            bears.append(Bearing(one, counts=False))
    return bears


def _level(
    one: Precedent,
    known: Known,
    asked: Asked,
    heads: frozenset[str],
    exists: Callable[[str], bool],
    tree: Callable[[str], Tree],
) -> Bears:
    level = _least(_by_place(one, asked.place), _by_words(one, known, asked))
    if level == "no" or not (one.tightens or exists(one.target)):
        return "no"
    level = _least(level, surroundings.by_tree(asked.request, asked.prior, known, tree(one.target)))
    if level == "counts":
        own = surroundings.is_spoken_of(asked.prior, known)
        if pointing.points_elsewhere(asked.request, asked.prior, known.term.head, known.all | heads, own=own):
            return "shown"
    return "shown" if level == "counts" and (one.tightens or known.term.fleeting) else level


def _least(*levels: Bears) -> Bears:
    return "no" if "no" in levels else "shown" if "shown" in levels else "counts"


def _by_place(one: Precedent, place: Place) -> Bears:
    if one.checkout != place.checkout:
        return "no"
    if one.branch == place.branch:
        # Two detached heads need not be one commit.
        return "shown" if place.detached else "counts"
    return "shown" if one.branch and one.branch == place.default and place.branch else "no"


def _by_words(one: Precedent, known: Known, asked: Asked) -> Bears:
    """By the request, and by what was said and written before it."""
    term = known.term
    said = noun_occurrences.occurrences(asked.request, term.head, known.all)
    here = [each for each in said if not each.other]
    if not here or not surroundings.lies_in(asked.folder, one.target):
        return "no"
    ends = tuple(each.end for each in here)
    if (
        takes_back(asked.request)
        or equates(asked.request, ends)
        or working.works_elsewhere(asked.request, known)
    ):
        return "no"
    near = sentences(asked.request, term.head)
    named = {calls_anew(sentence, term.head) for sentence in near}
    if "yes" in named or any(redefines(sentence) for sentence in near):
        return "no"
    if surroundings.other_place(asked.request, known):
        return "no"
    sure = len(here) == len(said) and not any(each.open for each in here)
    whole = any(term.modifiers <= each.modifiers for each in here)
    plain = sure and whole and "maybe" not in named and not any(explains(sentence) for sentence in near)
    return _least(
        "counts" if plain else "shown",
        surroundings.by_paths(asked.request, one.target, term.head),
        surroundings.by_prior(asked.prior, asked.written, known),
    )
