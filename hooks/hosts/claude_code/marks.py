"""Variables that tell what an agent's tool started."""

from __future__ import annotations

MARKS = (
    "CLAUDECODE",
    "AI_AGENT",
    "GEMINI_CLI",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
)
"""What hosts leave in the environment of what their tools start."""
AGENT_MARKS: tuple[str, ...] = (*MARKS, "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_PID")
"""The same with what the client itself is told by."""
