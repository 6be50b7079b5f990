"""Claude Code: everything that Compass knows of it."""

SHAPES: tuple[dict[str, str], ...] = ()
"""Claimed by none: what no other host sends is taken for its own."""
RECORDED = ({"type": "", "uuid": "", "message": ""}, {"type": "summary", "leafUuid": ""})
"""The shapes of a line that tells a session's file, or of a whole file that is one document."""
