"""Transcripts as their hooks were told them."""
