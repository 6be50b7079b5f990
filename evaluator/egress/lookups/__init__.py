"""Lines that name a target of a write, from what the agent looked up before it: which, in what order, how much of them.

Pure. Nothing here decides what a line means: it is data, whoever wrote it.
"""

from evaluator.egress.lookups.lines import TOTAL_CHARS_MAX, looked_up
from evaluator.egress.lookups.names import Names, names_of

__all__ = ["TOTAL_CHARS_MAX", "Names", "looked_up", "names_of"]
