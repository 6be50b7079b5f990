"""Claude Code: everything that Compass knows of it."""
