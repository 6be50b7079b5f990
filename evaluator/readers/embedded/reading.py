"""What a reader takes the exchange to ask for, before it looks at the write. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.model import Extent, Reading
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.language.views import View, view
from evaluator.readers.embedded.language.views import action_of
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


def reading_of(family: Family, case: Case, found: Mapping[Family, tuple[Rule, Objection]]) -> Reading:
    """The reader of acts takes a question for one; a reply that names nothing is read with what it answers."""
    views, request = case.views, case.views.request
    if family == "act" and "act" in found:
        return Reading("answer", short(views.last.text, TARGET_CHARS), "one_place")
    target = _named_in(request)
    if not target and case.pick.chosen:
        chosen = view("\n".join(case.pick.chosen), CHOSEN_CHARS)
        target = _named_in(chosen) or _said_in(chosen)
    if not target and len(views.last.content) < LEANING:
        target = _named_in(views.settled) or _named_in(views.prior)
    return Reading(action_of(request, views.prior), short(target or _said_in(request), TARGET_CHARS), _extent_in(request))


def rival_of(case: Case, reading: Reading, found: Mapping[Family, tuple[Rule, Objection]]) -> str | None:
    """The strongest other reading, or None."""
    for family, (_, objection) in found.items():
        if objection.rival:
            return f"{reading.action} {short(objection.rival, TARGET_CHARS)}"
        if family == "act" and case.change.targets:
            return f"change {short(case.change.targets[0].path, TARGET_CHARS)}"
    return None
