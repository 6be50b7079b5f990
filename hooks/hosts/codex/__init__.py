"""Codex CLI."""

SHAPES = ({"turn_id": "", "tool_name": ""},)
"""Of a call, as `hooks.recognising` reads it."""
