"""What Codex CLI is called, and its names of the events that are wired. A call that failed has no event of its own."""

from __future__ import annotations

from collections.abc import Mapping

NAME: str = "codex"
TITLE: str = "Codex CLI"
EVENTS: Mapping[str, str] = {
    "session-start": "SessionStart",
    "user-prompt-submit": "UserPromptSubmit",
    "pre-tool-use": "PreToolUse",
    "post-tool-use": "PostToolUse",
    "session-end": "SessionEnd",
}
"""{Compass's word: the host's name}."""
