"""Gemini CLI."""

SHAPES = ({"hook_event_name": "BeforeTool"},)
"""Of a call, as `hooks.recognising` reads it."""
RECORDED = (
    {"sessionId": "", "projectHash": "", "kind": "main"},
    {"sessionId": "", "projectHash": "", "messages": ""},
)
"""The shapes of a line that tells a session's file, or of a whole file that is one document."""
