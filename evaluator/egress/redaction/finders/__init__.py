"""Finds secrets: token shapes, keys, addresses, assignments, and what a label or a phrase announces."""
