"""What a row cannot say: programs that run or scan inner code, or whose targets have to be worked out.

`registry` imports the module that answers for a program.
"""
