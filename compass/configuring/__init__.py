"""Changing the user's own settings: where they stand, what a change does, and what outweighs it."""
