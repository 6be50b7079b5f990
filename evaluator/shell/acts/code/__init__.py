"""What runs code: interpreters, shells, wrappers."""
