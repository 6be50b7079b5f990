"""What a reader takes the exchange to ask for, before it looks at the write. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from evaluator.language.views import View, action_of, view
from evaluator.model import Action, Extent, Reading
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.rules.limit import contained
from evaluator.readers.embedded.rules.rule import Family, Objection, Rule, short

WORDS_MAX = 6
TARGET_CHARS = 80
CHOSEN_CHARS = 2_000
LEANING = 2


def _named_in(text: View) -> str:
    """The first thing that a text names, or nothing."""
    return next(iter((*text.files, *contained(text), *text.names)), "")


def _said_in(text: View) -> str:
    return " ".join([word for word in text.words if word.startswith(text.content)][:WORDS_MAX])


def _extent_in(text: View) -> Extent:
    if "whole" in text.kinds:
        return "project"
    if "small" in text.kinds or "place" in text.kinds:
        return "one_place"
    if len(text.files) != 1 and ("container" in text.kinds or text.folders or text.files):
        return "folder"
    return "one_file"


@lru_cache(maxsize=4)
def _meant(case: Case) -> list[str]:
    """What a reply that names nothing can mean: what was settled, else the things that the agent spoke of."""
    views, prior = case.views, case.views.prior
    if _named_in(views.request) or len(views.last.content) >= LEANING or case.pick.chosen:
        return []
    settled = _named_in(views.settled)
    found = [settled] if settled else [*prior.files, *prior.folders] or [*contained(prior), *prior.names]
    return found[:1] if case.accepts and case.offered else found[:2]


def reading_of(family: Family, case: Case, found: Mapping[Family, tuple[Rule, Objection]]) -> Reading:
    """The reader of acts takes a question for one; of two things that a reply can mean, `loss` holds the other."""
    views, request = case.views, case.views.request
    if family == "act" and "act" in found:
        return Reading("answer", short(views.last.text, TARGET_CHARS), "one_place")
    target, meant = _named_in(request), _meant(case)
    if not target and case.pick.chosen:
        chosen = view("\n".join(case.pick.chosen), CHOSEN_CHARS)
        target = _named_in(chosen) or _said_in(chosen)
    if meant:
        target = meant[-1 if family == "loss" else 0]
    target = short(target or _said_in(request), TARGET_CHARS)
    return Reading(_action(case), target, _extent_in(request))


@lru_cache(maxsize=4)
def _action(case: Case) -> Action:
    return action_of(case.views.request, case.views.prior)


def rival_of(case: Case, reading: Reading, found: Mapping[Family, tuple[Rule, Objection]]) -> str | None:
    """The strongest other reading, or None."""
    others = [name for name in _meant(case) if short(name, TARGET_CHARS) != reading.target]
    others += [objection.rival for _, objection in found.values() if objection.rival]
    if others:
        return f"{reading.action} {short(others[0], TARGET_CHARS)}"
    asked = "act" in found and case.change.targets
    return f"change {short(case.change.targets[0].path, TARGET_CHARS)}" if asked else None
