"""GitHub Copilot CLI."""

SHAPES = ({"sessionId": "", "toolName": ""},)
"""Of a call, as `hooks.recognising` reads it."""
