"""Whether a command line starts something that waits for further orders. Pure.

It matters where an agent can type into a running program and no hook hears of it. Programs stand in `consoles.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from evaluator.shell.call import Ran, read_options
from evaluator.shell.rows.tables import program_of
from evaluator.shell.words import Word
from evaluator.text import NONE, names, table

TELLS = names("--version --help -help -version")

Waits = Callable[[Sequence[str], bool], bool]
"""(arguments, whether nothing was given to its input) -> whether it waits for orders."""


@dataclass(frozen=True, slots=True)
class Console:
    """`ends`: options that say what it runs, after which it ends; `stays`: those with which it asks all the same.

    `valued` options take a value that is no operand. It asks with at most `most` operands; `verbs` are first operands
    of which it needs one to ask. `leaves`: an argument with which it ends. `tells`: options with which it only tells.
    `terminal`: it asks the terminal whatever its input is.
    """

    ends: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    stays: frozenset[str] = NONE
    most: int | None = None
    verbs: frozenset[str] = NONE
    leaves: re.Pattern[str] | None = None
    tells: frozenset[str] = NONE
    terminal: bool = False

    def __call__(self, args: Sequence[str], opened: bool) -> bool:
        if not opened and not self.terminal:
            return False
        words = [Word(text) for text in args]
        options = read_options(words, self.valued, stop=self.most == 0)
        operands = list(options.rest or options.operands)
        if len(args) == 1 and args[0] in TELLS | self.tells:
            return False
        if self.verbs and not (operands and operands[0].text in self.verbs):
            return False
        if options.has(self.stays):
            return True
        if options.has(self.ends):
            return False
        if self.leaves and any(self.leaves.search(text) for text in args):
            return False
        return self.most is None or len([word for word in operands if word.text != "-"]) <= self.most


@dataclass(frozen=True, slots=True)
class Inside:
    """A program that runs another one elsewhere: `verbs` are the paths of subcommands that do, `skip` how many operands
    stand before what runs there; without it the place decides, which waits if it was asked for `asks`."""

    verbs: frozenset[str]
    valued: frozenset[str] = NONE
    skip: int = 1
    asks: frozenset[str] = field(default_factory=lambda: names("-i -t --interactive --tty --stdin"))

    def __call__(self, args: Sequence[str], opened: bool, consoles: Mapping[str, Waits]) -> bool:
        at = next((at for at, text in enumerate(args) if text in self.verbs), None)
        if at is None or not opened:
            return False
        options = read_options([Word(text) for text in args[at + 1 :]], self.valued, stop=True)
        inner = [word.text for word in options.rest][self.skip :]
        asked = options.has(self.asks)
        while inner and inner[0] in self.asks | {"-it", "-ti", "--"}:
            asked = inner.pop(0) != "--" or asked
        if not asked:
            return False
        program = inner[0].rpartition("/")[2] if inner else ""
        console = consoles.get(program)
        return not inner or (console is not None and console(inner[1:], opened))


@cache
def rows_of(section: str, kind: type[Any]) -> dict[str, Any]:
    """The rows of a section of `consoles.toml`, by their programs."""
    found: dict[str, Any] = {}
    for key, row in cast(dict[str, dict[str, Any]], table("shell/consoles")[section]).items():
        words = {name: names(value) for name, value in row.items() if isinstance(value, str)}
        leaves = {"leaves": re.compile(row["leaves"])} if "leaves" in row else {}
        found |= dict.fromkeys(key.split(", "), kind(**{**row, **words, **leaves}))
    return found


def waits(ran: Sequence[Ran]) -> bool:
    return any(_is_waiting_command(one.words, one.opened) for one in ran if one.words)


def _is_waiting_command(words: Sequence[str], opened: bool) -> bool:
    known: dict[str, Console] = rows_of("consoles", Console)
    inside: dict[str, Inside] = rows_of("inside", Inside)
    program, args = program_of(words[0].rpartition("/")[2] or words[0]), words[1:]
    if program in inside:
        return inside[program](args, opened, known)
    if program == "python" and opened:
        at = next((at for at, text in enumerate(args) if not text.startswith("-") or text == "-m"), None)
        if at is not None and args[at] == "-m":
            return not names(cast(str, table("shell/consoles")["modules"])).isdisjoint(args[at + 1 : at + 2])
        if at is not None and args[at].endswith("manage.py"):
            return known["manage.py"](args[at + 1 :], opened)
    if program == "php" and args[:1] == ("artisan",):
        return known["artisan"](args[1:], opened)
    console = known.get(program)
    return console is not None and console(args, opened)
