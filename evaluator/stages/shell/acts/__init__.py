"""What a row cannot say: programs that run or scan inner code, or whose targets have to be worked out.

`TABLES` has those that read rows of `programs`; the others stand among its tables.
"""

from __future__ import annotations

from evaluator.stages.shell.acts import forge, git

TABLES = (git.PROGRAMS, forge.PROGRAMS)
