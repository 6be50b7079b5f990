"""Gemini CLI's names of the events that Compass is wired for."""

from __future__ import annotations

from collections.abc import Mapping

EVENTS: Mapping[str, str] = {
    "session-start": "SessionStart",
    "user-prompt-submit": "BeforeAgent",
    "pre-tool-use": "BeforeTool",
    "post-tool-use": "AfterTool",
    "session-end": "SessionEnd",
}
"""{Compass's word: the host's name}. AfterTool comes for a call that failed, too."""
