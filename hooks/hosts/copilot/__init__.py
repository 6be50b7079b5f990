"""GitHub Copilot CLI."""

SHAPES = ({"sessionId": "", "toolName": ""},)
"""Of a call, as `hooks.recognising` reads it."""
RECORDED = ({"type": "session.start", "data": ""}, {"type": "session.resume", "data": ""})
"""The shapes of a line that tells a session's file, or of a whole file that is one document."""
