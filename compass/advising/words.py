"""What agents are told: that this is advice, and what was found. Data alone."""

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
