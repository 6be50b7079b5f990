"""Cheap scans of code inside of a command: which files it plainly writes, whether it plainly only reads.

Nothing here runs or compiles the code. What is neither is unknown.
"""
