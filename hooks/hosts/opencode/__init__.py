"""OpenCode: a plugin of ours that asks the hook, and what it sends and is answered."""

SHAPES = ({"session": "", "tool": "", "args": "", "project": ""},)
"""Of a call, as `hooks.recognising` reads it."""
RECORDED = ({"info": "", "messages": ""},)
"""The shapes of a line that tells a session's file, or of a whole file that is one document."""
