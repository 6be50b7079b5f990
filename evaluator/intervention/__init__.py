"""A failed check that waits for its user: what is held, the question, and what a reply does to it."""
