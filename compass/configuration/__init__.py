"""The user's own settings, changed by commands."""
