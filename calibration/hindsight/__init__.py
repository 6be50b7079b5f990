"""Recorded turns, labelled by what the user said and did next: what was misread, and what the gate held of it."""
