"""Labelled cases, and where they come from."""
