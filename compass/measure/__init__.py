"""Measurements: from a command's arguments to the result and where it is kept."""
