"""Cursor: the editor's agent and `cursor-agent`, the command-line client."""
