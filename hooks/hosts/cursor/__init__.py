"""Cursor: the editor's agent and `cursor-agent`, the command-line client."""

SHAPES = ({"cursor_version": ""}, {"conversation_id": "", "workspace_roots": ""})
"""Of a call, as `hooks.recognising` reads it."""
RECORDED = ({"role": "user", "message": ""}, {"role": "assistant", "message": ""})
"""The shapes of a line that tells a session's file, or of a whole file that is one document."""
