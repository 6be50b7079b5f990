"""The five readers: what each attends to. Set by hand; the weights of the signals are fitted (`weights`)."""

from __future__ import annotations

from typing import Final

READERS: Final = ("literal", "contextual", "target-checking", "sceptical", "skimming")

ATTENTION: Final[dict[str, dict[str, float]]] = {
    # Goes by the words: does the user's own text name this write?
    "literal": {
        "grounding": 1.4, "focus": 0.9, "option": 0.8, "act": 1.0, "contradiction": 1.2, "destruction": 1.0,
        "referent": 0.8, "vagueness": 0.9,
    },
    # Goes by the conversation: what was offered, chosen and pointed at?
    "contextual": {
        "grounding": 0.8, "focus": 1.2, "option": 1.3, "act": 0.9, "contradiction": 0.8, "destruction": 0.9,
        "referent": 1.3, "vagueness": 1.0,
    },
    # Goes by the target: is it this file, this branch, this number, and no other?
    "target-checking": {
        "grounding": 1.1, "focus": 1.3, "option": 1.1, "act": 0.5, "contradiction": 1.4, "destruction": 0.9,
        "referent": 1.1, "vagueness": 0.6,
    },
    # Goes by what speaks against it: was it asked at all, forbidden, put off, does it lose something?
    "sceptical": {
        "grounding": 0.9, "focus": 0.9, "option": 1.0, "act": 1.5, "contradiction": 1.3, "destruction": 1.5,
        "referent": 1.0, "vagueness": 1.3,
    },
    # Goes by the gist: what kind of message is it, and does it look settled?
    "skimming": {
        "grounding": 0.8, "focus": 0.7, "option": 0.8, "act": 1.3, "contradiction": 0.6, "destruction": 0.7,
        "referent": 0.9, "vagueness": 1.3,
    },
}  # fmt: skip
"""Reader -> group of signals -> how far the fitted weights of that group count for it."""

SEEN_BY: Final[dict[str, dict[str, str]]] = {
    "literal": {
        "target_named": "target_named_by_user", "asked_for": "asked_for_by_user",
        "names_asked_for": "asked_for_by_user",
    },
}  # fmt: skip
"""Reader -> signal -> the signal that it looks at instead."""
