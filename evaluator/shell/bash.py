"""What a shell command would do: the public face of `evaluator.shell`. Pure, and light to import.

The parser and the program tables are loaded at the first command, so that calls of other tools never pay for them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.model import Effects
from evaluator.settings.keys import Bash

if TYPE_CHECKING:
    from evaluator.shell.analysis import Analysis

NO_RULES = Bash()


def classify(command: str, cwd: str, rules: Bash = NO_RULES, host: str = "") -> Effects:
    """The effect of the whole command line. `cwd` is absolute; raises nothing.

    Where `host` lets its agent type on, a command that waits for orders is `unknown` too.

    What cannot be parsed, is dynamic, or passes a bound has verdict `unknown`. `Effect.command` has no heredoc bodies,
    no inline code and no literal text that goes to a file.
    """
    from evaluator.shell.scope import types_on

    found = explain(command, cwd, rules)
    if not types_on(host):
        return found.effects
    from evaluator.effects import digest, effect, folded
    from evaluator.shell.waiting import waits

    effects = found.effects
    if not waits(found.ran):
        return effects
    typed = effect("unknown", identity=digest(" ".join(command.split())))
    kept = () if effects.verdict == "read_only" else effects.each
    return folded([*kept, typed], opaque=True, command=effects.command, lines=effects.lines)


def explain(command: str, cwd: str, rules: Bash = NO_RULES) -> Analysis:
    """The effect of the line, with what each command of it does, and why a command could not be read."""
    from evaluator.shell.scope import known_hosts

    return _analyse_bash(command, cwd, rules, known_hosts())


@lru_cache(maxsize=8)
def _analyse_bash(command: str, cwd: str, rules: Bash, known: tuple[str, ...]) -> Analysis:
    """Several steps of a check ask about the same command. `known`: the hosts that were joined."""
    from evaluator.shell.analysis import analyse
    from evaluator.shell.walk.walker import BashRules

    return analyse(command, cwd, BashRules.of(rules))
