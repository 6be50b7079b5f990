"""What the parts of the walker know of it, and what all walkers of one classification share. A leaf of these parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from evaluator.shell.call import Shell, Stdin
from evaluator.shell.outcome import Outcome
from evaluator.shell.parse.content import Content
from evaluator.shell.parse.lexed import Lexed, Unreadable
from evaluator.shell.ran import Ran
from evaluator.shell.rules import BashRules
from evaluator.shell.scope import Scope
from evaluator.shell.words import Word, WordReader

if TYPE_CHECKING:
    from tree_sitter import Node

COMMANDS_MAX = 20_000
"""Commands that are looked at, counting each call of a function and each round of an unrolled loop."""


@dataclass(slots=True)
class ShellRun:
    """What all walkers of one classification share."""

    rules: BashRules
    content: Content = field(default_factory=Content)
    commands: int = 0
    code_bytes: int = 0
    rounds: int = 0
    lines: int | None = None
    written: dict[str, bool] = field(default_factory=dict[str, bool])
    """The files that this command line has written so far; true for those that came over the network."""
    texts: dict[str, str] = field(default_factory=dict[str, str])
    """What stands in those of them whose text is known."""
    ran: list[Ran] = field(default_factory=list[Ran])
    values: list[str] = field(default_factory=list[str])
    """Texts that variables were given and bodies that functions have: they may run later."""

    def spend(self) -> None:
        self.commands += 1
        if self.commands > COMMANDS_MAX:
            raise Unreadable("too many commands")


class ShellWalker(Shell, Protocol):
    """Walks one source; `scope` is what the shell knows where it stands."""

    run: ShellRun
    lexed: Lexed
    scope: Scope
    root: bool
    depth: int
    sink: bool

    def reader(self) -> WordReader: ...

    def text(self, node: Node) -> str: ...

    def add(self, outcomes: Iterable[Outcome], text: str) -> None: ...

    def walk(
        self, node: Node, stdin: Stdin = ..., sink: bool = ..., redirects: Sequence[Node] = ...
    ) -> Stdin: ...

    def sequence(self, nodes: Sequence[Node], stdin: Stdin, sink: bool) -> None: ...

    def apart(self) -> AbstractContextManager[None]: ...

    def call(self, name: str, arguments: Sequence[str], stdin: Stdin) -> list[Outcome]: ...

    def substitutions(self, node: Node) -> None: ...

    def run_code(
        self,
        code: str,
        arguments: Sequence[Word] = ...,
        stdin: Stdin = ...,
        zero: Word | None = ...,
        *,
        here: bool = ...,
    ) -> list[Outcome]: ...

    def heredoc(self, at: int) -> Stdin | None: ...
