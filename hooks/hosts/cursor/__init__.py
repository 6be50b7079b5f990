"""Cursor: the editor's agent and `cursor-agent`, the command-line client."""

SHAPES = ({"cursor_version": ""}, {"conversation_id": "", "workspace_roots": ""})
"""Of a call, as `hooks.recognising` reads it."""
