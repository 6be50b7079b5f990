"""Reads shell commands with the programs of every host joined, and the parser's packages at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compass.joining.hosts import join_programs
from compass.joining.packages import enable
from evaluator.configuration.settings import Bash

if TYPE_CHECKING:
    from evaluator.model import Effects
    from evaluator.shell.analysis import Analysis


def classify(command: str, cwd: str, rules: Bash | None = None, host: str = "") -> Effects:
    """As `evaluator.shell.bash.classify`."""
    from evaluator.shell import bash

    enable()
    join_programs()
    return bash.classify(command, cwd, rules or Bash(), host)


def explain(command: str, cwd: str, rules: Bash | None = None) -> Analysis:
    """As `evaluator.shell.bash.explain`."""
    from evaluator.shell import bash

    enable()
    join_programs()
    return bash.explain(command, cwd, rules or Bash())
