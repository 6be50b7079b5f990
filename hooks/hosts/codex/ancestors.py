"""Variables that other agents' tools set in what they start: a session born there is delegated."""

from __future__ import annotations

OTHERS = ("CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "COPILOT_CLI", "CURSOR_AGENT")
