"""Whether a command line starts something that waits for further orders. Pure.

It matters where an agent can type into a running program and no hook hears of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.shell.programs.consoles import CONSOLES, INSIDE, MODULES
from evaluator.shell.ran import Ran
from evaluator.shell.registry import program_of


def waits(ran: Sequence[Ran]) -> bool:
    return any(_waits(one.words, one.opened) for one in ran if one.words)


def _waits(words: Sequence[str], opened: bool) -> bool:
    program, args = program_of(words[0].rpartition("/")[2] or words[0]), words[1:]
    if program in INSIDE:
        return INSIDE[program](args, opened, CONSOLES)
    if program == "python" and opened:
        at = next((at for at, text in enumerate(args) if not text.startswith("-") or text == "-m"), None)
        if at is not None and args[at] == "-m":
            return args[at + 1 : at + 2] != () and args[at + 1] in MODULES
        if at is not None and args[at].endswith("manage.py"):
            return CONSOLES["manage.py"](args[at + 1 :], opened)
    if program == "php" and args[:1] == ("artisan",):
        return CONSOLES["artisan"](args[1:], opened)
    console = CONSOLES.get(program)
    return console is not None and console(args, opened)
