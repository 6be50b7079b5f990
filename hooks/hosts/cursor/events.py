"""Cursor's names of the events that Compass is wired for. One that it does not know would void its whole file."""

from __future__ import annotations

from collections.abc import Mapping

NAME: str = "cursor"
EVENTS: Mapping[str, str] = {
    "session-start": "sessionStart",
    "user-prompt-submit": "beforeSubmitPrompt",
    "pre-tool-use": "preToolUse",
    "post-tool-use": "postToolUse",
    "post-tool-use-failure": "postToolUseFailure",
    "session-end": "sessionEnd",
}
"""{Compass's word: the host's name}. preToolUse fires for each tool, so beforeShellExecution and beforeMCPExecution,
which fire after it for the same call, are left to others: no call is judged twice."""
