"""The rows of chibi's own programs, as a shell command calls them."""

from __future__ import annotations

from evaluator.shell.options import names
from evaluator.shell.rows.agent import Agent

CHIBI = Agent(
    lifts=names(
        "--trust --home --project-root --set --call-tool --plugin --set-current-system-prompt --set-system-prompt"
    ),
    letters="tspPyY",
    resumes=names("--switch-context --ephemeral-context --check-all-inboxes --check-inbox-for"),
    resuming_letters="cCbB",
)
"""Without an option it goes on in the context that is current, as every call of it does."""
ROWS = {"chibi": CHIBI, "chibi-json": CHIBI}
