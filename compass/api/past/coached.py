"""How a coach puts what was held: what was open, what would have saved the block, how it ended. Data alone."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.model import Concern, Reason

DOUBTED: Mapping[Concern, str] = {
    "target": "It is open which thing is meant.",
    "scope": "It goes further, or elsewhere, than what was asked for.",
    "context": "What was said does not settle this.",
    "destructive": "Something would be lost that nobody spoke of.",
    "none": "The request can be understood in more than one way.",
}
COACHED: Mapping[Concern, str] = {
    "target": "Name the thing itself, by its file or name; where several fit, ask which before writing.",
    "scope": "Say how far it goes: this one place, one file, or all of them; do no more than that.",
    "context": "Say what a word such as 'it' or 'that' stands for, and what was decided before.",
    "destructive": "Say in so many words what may be deleted or overwritten, and ask before it is lost.",
    "none": "Ask one numbered question with the readings that are possible, before the first write.",
}
SETTLED: Mapping[Reason, str] = {
    "released": "the user let it run with `compass: proceed`",
    "reply_to_question_pattern": "the user chose an option",
    "confident": "readers agreed once more had been said",
    "covered": "it was covered by a check that passed",
    "skip_sentinel": "the user wrote [compass:skip]",
    "paused": "the user had paused Compass",
    "cancelled": "the user cancelled it",
}
OPEN = "not settled yet"
