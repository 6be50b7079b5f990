"""What a reader takes the exchange to ask for, before it looks at the write. Pure."""

from __future__ import annotations

from evaluator.model import Extent, Reading
from evaluator.readers.embedded.features import Features
from evaluator.readers.embedded.findings import short
from evaluator.readers.embedded.language import intent
from evaluator.readers.embedded.language.views import View, view
from evaluator.readers.embedded.objections.scope import contained

WORDS_MAX = 6
TARGET_CHARS = 80
CHOSEN_CHARS = 2_000
NARROW = ("literal", "skimming")


def target_in(text: View) -> str:
    """The first thing that a text names, else its first words of content."""
    if text.files:
        return text.files[0]
    places = contained(text)
    if places:
        return places[0]
    if text.names:
        return text.names[0]
    said = [word for word in text.words if word.startswith(text.content)]
    return " ".join(said[:WORDS_MAX])


def extent_in(text: View) -> Extent:
    if "whole" in text.kinds:
        return "project"
    if "small" in text.kinds or "place" in text.kinds:
        return "one_place"
    if len(text.files) == 1:
        return "one_file"
    if "container" in text.kinds or text.folders or len(text.files) > 1:
        return "folder"
    return "one_file"


def reading_of(reader: str, features: Features) -> Reading | None:
    """None for a reader that sees only a request which says nothing without the prior turn."""
    views, near = features.views, reader in NARROW
    text = views.gist if reader == "skimming" else views.request
    if any(finding.feature == "question" and finding.strength >= 0.6 for finding in features.findings):
        return Reading("answer", short(views.gist.text, TARGET_CHARS), "one_place")
    if near and features.leaning and not views.prior.empty:
        return None
    target = target_in(text)
    if features.leaning:
        names = [one.name for one in features.candidates]
        if features.heard.pick.chosen:
            target = target_in(view("\n".join(features.heard.pick.chosen), CHOSEN_CHARS))
        elif names:
            # The sceptic holds the other thing that "it" can mean.
            other = reader == "sceptical" and len(names) > 1 and not features.agreed
            target = names[1] if other else names[0]
        else:
            target = target_in(views.settled) or target_in(views.prior) or target
    return Reading(intent.action_of(text, views.prior), short(target, TARGET_CHARS), extent_in(text))


def rival_of(features: Features, reading: Reading | None) -> str | None:
    """The strongest other reading, or None."""
    if reading is None:
        return None
    if len(features.candidates) > 1 and not features.agreed:
        others = [one.name for one in features.candidates if one.name != reading.target]
        return f"{reading.action} {short(others[0], TARGET_CHARS)}"
    for finding in features.findings:
        if finding.rival:
            return f"{reading.action} {short(finding.rival, TARGET_CHARS)}"
        if finding.feature == "question" and features.change.targets:
            return f"change {short(features.change.targets[0].path, TARGET_CHARS)}"
    return None
