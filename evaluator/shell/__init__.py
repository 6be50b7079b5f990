"""The shell classifier: parse, walk, expand, look up, fold. `evaluator.shell.bash` is its public face.

Nothing is imported here: the parser and the program tables are loaded at the first command that needs them.
"""
