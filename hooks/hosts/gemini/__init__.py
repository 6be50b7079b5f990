"""Gemini CLI."""

SHAPES = ({"hook_event_name": "BeforeTool"},)
"""Of a call, as `hooks.recognising` reads it."""
