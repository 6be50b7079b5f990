"""Statements of a command line, walked in their order: what each part does, in which folder, with which variables."""
