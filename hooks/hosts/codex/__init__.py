"""Codex CLI."""

SHAPES = ({"turn_id": "", "tool_name": ""},)
"""Of a call, as `hooks.recognising` reads it."""
RECORDED = ({"type": "session_meta", "payload": ""},)
"""The shapes of a line that tells a session's file, or of a whole file that is one document."""
