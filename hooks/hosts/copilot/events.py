"""Copilot CLI's names of the events that Compass is wired for."""

from __future__ import annotations

from collections.abc import Mapping

EVENTS: Mapping[str, str] = {
    "session-start": "sessionStart",
    "user-prompt-submit": "userPromptSubmitted",
    "pre-tool-use": "preToolUse",
    "post-tool-use": "postToolUse",
    "post-tool-use-failure": "postToolUseFailure",
    "session-end": "sessionEnd",
}
"""{Compass's word: the host's name}. The camelCase names: under them the payload names the tool as the session's file
does, where the PascalCase ones call a patch `Edit`; and the answer is the host's own."""
