"""A result as people and CI read it."""
