"""Recorded sessions of Gemini CLI, once more."""
