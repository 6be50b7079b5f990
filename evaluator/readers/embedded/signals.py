"""The named signals that the readers weigh, each in [0, 1], computed once for one subject. Pure.

`GROUPS` says which signals there are, what kind of reason each is, and whether it speaks for the write or
against it. Nothing here knows a weight.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from evaluator.model import Effects, ResolvedOption
from evaluator.readers.embedded.language.change import PendingChange
from evaluator.readers.embedded.language.clauses import DICTATED, LOGGED, Clause, clauses_of
from evaluator.readers.embedded.language.views import View, Views
from evaluator.readers.embedded.objections import focus
from evaluator.readers.embedded.objections.focus import Focus, FocusMatch
from evaluator.readers.embedded.objections.grounding import Ground, value
from evaluator.readers.embedded.objections.menu import OfferedMenu, Pick, menu_of, pick

GROUPS: Final[dict[str, dict[str, str]]] = {
    "grounding": {
        "target_named": "for", "target_named_by_user": "for", "words_shared": "for", "values_given": "for",
        "least_value_given": "for", "said_at_all": "for", "request_concrete": "for", "is_a_call": "either",
        "nothing_leads_to_it": "against", "groundless": "against",
    },
    "focus": {
        "asked_for": "for", "asked_for_by_user": "for", "names_asked_for": "for", "not_asked_for": "against",
        "a_target_not_asked_for": "against", "spoken_against": "against", "user_against": "against",
        "prior_against": "against", "another_asked_for": "against", "placed_elsewhere": "against",
    },
    "option": {
        "option_fits": "for", "answers_with_a_value": "for", "other_option": "against",
        "no_option_picked": "against", "no_such_option": "against",
    },
    "act": {
        "orders": "for", "asks": "against", "wants_words": "against", "puts_off": "against",
        "ends_asking": "against", "ends_wanting_words": "against", "ends_putting_off": "against",
        "question": "against",
    },
    "contradiction": {
        "contradiction": "against", "forbidden": "against", "scope": "against", "area": "against",
        "spares_something": "against", "plain": "against", "pasted": "against",
    },
    "destruction": {"destruction": "against", "destructive": "against"},
    "referent": {
        "referents": "against", "points_at_nothing": "against", "agrees_to_nothing": "against",
    },
    "vagueness": {"vague": "against", "indefinite": "against"},
}  # fmt: skip
"""Group -> signal -> whether it speaks for the write, against it, or either way."""
NAMES: Final = tuple(name for group in GROUPS.values() for name in group)
FOUND = (
    "question",
    "contradiction",
    "forbidden",
    "scope",
    "area",
    "destruction",
    "referents",
    "vague",
    "pasted",
)
"""Signals that are the strongest finding of their name."""

PLAIN = {
    "forbidden": 0.9, "contradiction": 0.75, "destruction": 0.65, "other_option": 0.95, "no_such_option": 1.0,
    "pasted": 0.9,
}  # fmt: skip
"""From this strength on a signal is plain enough to block without a paid reader."""
ACCEPTING = frozenset(("affirm", "pronoun", "plural"))
BRIEF_WORDS = 4
ANSWER_WORDS = 14
OTHER_TOOLS = 0.2
"""What a question counts where the write is a call of another tool, which may well be how one answers."""
NAMES_MAX = 40
UNLISTED = 0.8
OPTIONS_MAX, OPTION_CHARS = 12, 1_000
NO_TARGETS = 0.6
"""What an unsupported destruction counts where no target could be read off the call."""
Side = tuple[str, ...]
SETTLED, COVERED, TWO_REFERENTS = 0.9, 0.6, 0.95
LED = ("choice", "proposal", "related")
"""What the request takes up of the prior turn, where it settles what may be destroyed."""
TARGETS_MAX = 8
INDEFINITE = re.compile(
    r"\b(?:a|an|any|one of (?:the|my|our|your|these|those)|another)\s+(?:\w+\s+)?(?:file|files|document"
    r"|folder|directory|word|name"
    r"|value|number|amount|metric|key|city|place|location|person|friend|colleague|user|ticket|message|item"
    r"|thing|statistics?|date"
    r"|format|branch|class|function|method|column|table|service|module|page|component|setting|option|flag"
    r"|variable|field)\b"
    r"|\b(?:some|certain|specific|particular|several|different|a few|a couple of|a set of)\s+\w+"
    r"|\b(?:something|someone|somewhere|somehow)\b"
    r"|\bthat (?:amount|value|number|place|person)\b|\bmy (?:friend|cousin|colleague)\b",
    re.IGNORECASE,
)
CONCRETE = re.compile(
    r"'[^'\n]{1,80}'|\"[^\"\n]{1,80}\"|`[^`\n]+`|\b\d[\d.,:/-]*|(?<=[a-z,] )[A-Z][\w-]+"
    r"|\b[\w-]{1,40}\.[a-z]{1,5}\b|[^\W_]+_\w+"
)


@dataclass(frozen=True, slots=True)
class Heard:
    """The exchange as clauses, and what the last message does with what the prior turn offers."""

    request: tuple[Clause, ...]
    own: tuple[Clause, ...]
    prior: tuple[Clause, ...]
    offered: bool
    accepts: bool
    whole: bool
    menu: OfferedMenu
    pick: Pick
    focus: Focus


def bounded(options: Side) -> Side:
    return tuple(option[:OPTION_CHARS] for option in options[:OPTIONS_MAX])


def hear(views: Views, resolved: ResolvedOption | None, *, removing: bool) -> Heard:
    last, settled = views.last_message, views.settled
    request, prior = clauses_of(views.request.text), clauses_of(views.prior.text)
    own = tuple(clause for clause in request if not clause.quoted)
    tail = [clause for clause in prior if clause.sentence >= prior[-1].sentence - 1]
    asking = any(clause.question for clause in own)
    offered = any((clause.question or clause.offer) and not clause.more for clause in tail)
    brief = sum(len(clause.words) for clause in own) <= BRIEF_WORDS and not asking
    wordless = bool(last.text.strip()) and not last.words
    accepts = bool(ACCEPTING & last.kinds.keys()) or (brief and offered) or wordless
    menu = menu_of(views.prior.text, prior)
    agrees = accepts and len(last.content) <= 2 and not asking and any(clause.offer for clause in tail)
    whole = any(c.each and not c.turned for c in own) or (agrees and offered and menu.listed)
    if resolved is not None:
        picked = Pick(bounded(resolved.labels), bounded(resolved.rejected))
    else:
        picked = pick(views.request.text, request, menu, whole=whole) if prior else Pick()
    aimed = focus.focus_of(
        request, prior, frozenset(last.content), last.names, picked,
        clauses_of(settled.text) if not settled.empty else (), accepts=accepts,
        removing=removing,
    )  # fmt: skip
    return Heard(request, own, prior, offered, accepts, whole, menu, picked, aimed)


def acts(heard: Heard) -> dict[str, float]:
    """What the user's own clauses do: order a change, ask, want words, put it off; the last ones count most."""
    orders = asks = informs = later = 0.0
    own, chosen = heard.own, bool(heard.pick.chosen)
    last = own[-1].sentence if own else 0
    for clause in own:
        near = 1.0 if clause.sentence >= last - 1 else 0.6
        if clause.against == "later":
            later = max(later, near)
        elif clause.turned:
            continue
        elif clause.question and not (clause.order and not clause.inform):
            asks = max(asks, near * (0.7 if clause.order else 1.0))
        elif clause.inform:
            informs = max(informs, near)
            orders = max(orders, 0.5 if clause.order else 0.0)
        elif clause.order:
            orders = 1.0
        elif clause.affirm and heard.offered:
            orders = max(orders, 0.9)
    orders = max(orders, 0.9 if chosen else 0.0)
    final = next(
        (c for c in reversed(own) if c.question or c.order or c.inform or c.against == "later"), None
    )
    if chosen:
        final = None
    return {
        "orders": orders,
        "asks": asks * (1 - 0.7 * orders),
        "wants_words": informs * (1 - 0.5 * orders),
        "puts_off": later * (1 - 0.3 * orders),
        "ends_asking": float(final is not None and final.question and not (final.order and not final.inform)),
        "ends_wanting_words": float(final is not None and final.inform and not final.question),
        "ends_putting_off": float(final is not None and final.against == "later"),
    }


def aims(
    change: PendingChange, heard: Heard, wanted: dict[str, float]
) -> tuple[FocusMatch, list[FocusMatch], float]:
    """The aim of the whole write and of each of its targets, and the share of its names that is asked for."""
    here = heard.focus
    rare = focus.rarity((*heard.request, *heard.prior))
    alike = focus.near(wanted, here.known)
    whole = focus.aim(wanted, here, rare, alike)
    each = [whole]
    if len(change.targets) > 1:
        parts = [focus.terms_of_target(target) for target in change.targets[:TARGETS_MAX]]
        each = [focus.aim(part, here, rare, focus.near(part, here.known)) for part in parts]
    strong = {term: weight for term, weight in wanted.items() if weight > focus.NUMBER_WEIGHT}
    asked = [unit.clause.terms for unit in here.units if unit.stance >= focus.PLAIN]
    covered = sum(
        weight
        for term, weight in strong.items()
        if term in alike and any(not terms.isdisjoint(alike[term]) for terms in asked)
    )
    return whole, each, covered / sum(strong.values()) if strong else 0.0


def options(heard: Heard, wanted: dict[str, float], *, resolved: bool) -> tuple[float, float]:
    """How far the write fits what was chosen, and how far what was not, by the words that only one side says.

    The sides of a question in a sentence are not as sure as those of a list.
    """
    taken, passed = (
        focus.own_share(*sides, wanted) for sides in both_ways(heard.pick.chosen, heard.pick.rejected)
    )
    most = max(taken, passed)
    sure = 1.0 if resolved or heard.menu.listed else UNLISTED
    return (
        (max(0.0, taken - passed) / most * sure, max(0.0, passed - taken) / most * sure)
        if most
        else (0.0, 0.0)
    )


def both_ways(one: Side, other: Side) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
    return (one, other), (other, one)


def concrete_values(last: View) -> int:
    """How many concrete values the message's own words give: quoted, numbered, named."""
    lines = [
        line for line in last.text[:2_000].split("\n") if not LOGGED.match(line) and not DICTATED.search(line)
    ]
    return len(CONCRETE.findall("\n".join(lines)))


def given(change: PendingChange, whole: View) -> list[float]:
    return [value(one, whole) for one in change.values]


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of one subject. `grounds`: by the request and by the whole exchange; `strengths`: of
    findings, by name; `other_tool`: the write is a call of a tool that is neither a file tool nor Bash."""

    views: Views
    change: PendingChange
    effects: Effects
    heard: Heard
    whole: View
    grounds: tuple[Ground, Ground]
    strengths: dict[str, float]
    other_tool: bool
    resolved: bool


def signals(case: Case) -> dict[str, float]:
    """Name -> value, of each of `NAMES`."""
    views, change, effects, heard, whole = case.views, case.change, case.effects, case.heard, case.whole
    last, (by_user, by_whole) = views.last_message, case.grounds
    wanted = focus.terms_of(change)
    a, each, covered = aims(change, heard, wanted)
    fits, other = options(heard, wanted, resolved=case.resolved)
    chosen = bool(heard.pick.chosen)
    said = [*last.files, *last.folders, *views.prior.files, *views.prior.folders]
    passed = (
        focus.passed_by(list(dict.fromkeys(said))[:NAMES_MAX], wanted, heard.focus) if change.targets else 0.0
    )
    levels = given(change, whole)
    concrete = concrete_values(last)
    asked_back = views.prior.text.rstrip().endswith(("?", "？")) and len(last.words) <= ANSWER_WORDS
    severe = effects.operation_class == "destructive" or effects.operation == "overwrite"
    against = any(clause.against in ("spare", "forbids") for clause in heard.own)
    bare = heard.focus.bare
    found = {
        "target_named": by_whole.name, "target_named_by_user": by_user.name,
        "words_shared": max(by_user.symbols, by_whole.symbols),
        "values_given": sum(levels) / len(levels) if levels else 0.0,
        "least_value_given": min(levels, default=0.0), "said_at_all": a.known,
        "request_concrete": min(1.0, 2.0 * concrete / max(4, len(last.words))) ** 0.5,
        "is_a_call": float(bool(levels)),
        "nothing_leads_to_it": float(not by_whole.name and not a.known and not max(levels, default=0.0)),
        "asked_for": a.on, "asked_for_by_user": a.by_user, "names_asked_for": covered,
        "not_asked_for": float(a.known > 0) * max(0.0, 0.5 - a.on) * 2,
        "a_target_not_asked_for": max(0.0, *(a.on - one.on for one in each)),
        "spoken_against": a.off,
        "user_against": max(0.0, *(one.against_user - one.by_user for one in each)),
        "prior_against": max(0.0, a.passed - a.on) * (a.by_user < 0.5) * (not chosen),
        "another_asked_for": passed * (not chosen),
        "placed_elsewhere": float(bool(focus.located(last.names, heard.prior, change.targets))),
        "option_fits": fits, "answers_with_a_value": float(asked_back and concrete > 0 and not heard.menu.options),
        "other_option": other,
        "no_option_picked": float(
            heard.pick.open and heard.focus.led != "related" and not heard.whole and a.by_user <= focus.PLAIN
        ),
        "no_such_option": float(heard.pick.beyond is not None),
        "spares_something": float(against and severe),
        "destructive": float(effects.operation_class == "destructive"),
        "points_at_nothing": float(bare and heard.focus.led in ("nothing", "")),
        "agrees_to_nothing": float(
            heard.accepts and bare and bool(heard.prior) and not heard.offered
            and not any(clause.order for clause in heard.own)
        ),
        "indefinite": min(1.0, len(INDEFINITE.findall(last.text[:2_000])) / 2),
        **{name: level * (OTHER_TOOLS if case.other_tool else 1.0) for name, level in acts(heard).items()},
        **{name: case.strengths.get(name, 0.0) for name in FOUND},
    }  # fmt: skip
    if not change.targets and not change.new:
        found["destruction"] *= NO_TARGETS
    if effects.operation_class == "destructive":
        settled = 0.7 if a.on >= SETTLED and heard.focus.led in LED else 0.0
        found["destruction"] *= 1 - 0.8 * max(covered if covered >= COVERED else 0.0, settled)
    silent = not views.request.text.strip() and views.settled.empty
    found["plain"] = float(any(found[name] >= least for name, least in PLAIN.items()))
    unsettled = heard.focus.led in ("nothing", "")
    found["groundless"] = float(
        silent
        or (bare and not heard.prior and found["nothing_leads_to_it"] > 0)
        or (unsettled and found["referents"] >= TWO_REFERENTS)
    )
    return {name: round(found[name], 4) for name in NAMES}
