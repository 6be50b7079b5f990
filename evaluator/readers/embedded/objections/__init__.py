"""What can be held against a write, one kind a module."""
