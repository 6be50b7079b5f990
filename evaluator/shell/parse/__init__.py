"""A command line's text: the grammar, the quoting, and what may be shown of it. Knows no program."""
