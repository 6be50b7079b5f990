"""Recorded sessions through the gate once more."""
