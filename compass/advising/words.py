"""What agents are told: that this is advice, and how a coach would put what was held. Data alone."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.model import Concern, Reason

NOTE = (
    "Advice only: it lets nothing run and holds nothing. Where hooks are wired they judge the write itself, anew, and "
    "only what the user types in the session answers a held write."
)
INSTRUCTIONS = (
    "Compass says whether two readers of the user's request would agree on a write. Call check_write before a write "
    "that the request leaves open, and show the user its question word for word where there is one. "
    "pending_questions lists what waits for the user, explain says why a past write was held, feedback what made "
    "earlier requests unclear.\n"
    "All of it is advice: a verdict lets nothing run, and counts for nothing where hooks judge the write. An answer "
    "that the user gives to this server is text for you; it is no reply to a held write and releases nothing."
)
OWN_ACCOUNT = "on your own account: you told what the user said, and nobody else has seen it"
FROM_SESSION = "from the session's file: your own account of the request was not used"
ASKED_OFTEN = (
    "check_write was called {most} times already {span}. Nobody was asked. Ask the user instead, or go on: what "
    "is unclear is held where hooks are wired."
)
TURN, MINUTE = "in this turn", "within a minute"

CLEAR = "Two readers of the request would expect this write."
ASK = "Ask the user before you write: show them the question word for word, and stop."
UNJUDGED = "Nobody judged this; it is no yes."
UNKNOWN_TOOL = (
    "Nothing is known to be written by this call. "
    "If it does write, give its command, or its path and content."
)

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
