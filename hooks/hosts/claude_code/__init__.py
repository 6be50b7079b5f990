"""Claude Code: everything that Compass knows of it."""

SHAPES: tuple[dict[str, str], ...] = ()
"""Claimed by none: what no other host sends is taken for its own."""
