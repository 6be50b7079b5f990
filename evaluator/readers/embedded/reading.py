"""What a reader takes the exchange to ask for, before it looks at the write. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.language.views import View, action_of, view
from evaluator.model import Extent, Reading
from evaluator.readers.embedded.case import Case
from evaluator.readers.embedded.rules.limit import contained
from evaluator.readers.embedded.rules.rule import Family, Objection, Rule, short

WORDS_MAX, TARGET_CHARS, CHOSEN_CHARS, LEANING = 6, 80, 2_000, 2
Fired = Mapping[Family, tuple[Rule, Objection]]


def _named_in(text: View) -> list[str]:
    """The things that a text names, by path first, then by folder, then by name."""
    return [*text.files, *contained(text), *text.names]


def _extent_in(text: View) -> Extent:
    if "whole" in text.kinds:
        return "project"
    return "folder" if "container" in text.kinds or text.folders else "one_file"


def _meant(case: Case) -> list[str]:
    """What the request names; of a reply that names nothing what it can mean, which may be two things."""
    views, chosen = case.views, view("\n".join(case.pick.chosen), CHOSEN_CHARS)
    named = _named_in(views.request) or _named_in(chosen) or _named_in(views.settled)
    asked = chosen if chosen.words else views.request
    said = " ".join([word for word in asked.words if word.startswith(asked.content)][:WORDS_MAX])
    if named or case.pick.chosen or len(views.last.content) >= LEANING:
        return [*named[:1], said][:1]
    told = _named_in(views.prior) or [said]
    return told[:1] if case.accepts and case.offered else told[:2]


def reading_of(family: Family, case: Case, found: Fired) -> Reading:
    """The reader of acts takes a question for one; of two things that a reply can mean, `loss` holds the other."""
    if family == "act" and "act" in found:
        return Reading("answer", short(case.views.last.text, TARGET_CHARS), "one_place")
    target = _meant(case)[-1 if family == "loss" else 0]
    action = action_of(case.views.request, case.views.prior)
    return Reading(action, short(target, TARGET_CHARS), _extent_in(case.views.request))


def rival_of(case: Case, reading: Reading, found: Fired) -> str | None:
    """The strongest other reading, or None."""
    others = [name for name in _meant(case) if short(name, TARGET_CHARS) != reading.target]
    others += [objection.rival for _, objection in found.values() if objection.rival]
    others += [target.path for target in case.change.targets[:1] if "act" in found]
    return f"{reading.action} {short(others[0], TARGET_CHARS)}" if others else None
