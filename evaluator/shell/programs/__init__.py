"""The program tables by field. Data, and small functions where data does not say it.

`registry` imports the module that answers for a program.
"""
