"""Precedents: what a user settled once, kept as evidence for later checks of the project. Pure, no I/O."""
