"""The walk over one command line: what it has run, what it wrote, and the walker's parts that others call."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Generator, Iterable, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from evaluator.shell.call import Outcome, Ran, Shell, Stdin, dynamic, reads, unlisted
from evaluator.shell.parse.lexed import Content, Lexed, Unreadable
from evaluator.shell.rows.tables import is_listed, program_of
from evaluator.shell.scope import Scope
from evaluator.shell.words import Word, WordReader

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaluator.settings.keys import Bash

COMMANDS_MAX = 20_000
"""Commands that are looked at, counting each call of a function and each round of an unrolled loop."""


@dataclass(frozen=True, slots=True)
class BashRules:
    """The user's own rules about commands (`bash.read_only`, `bash.write`), each the leading words of
    one. `write` beats the other.
    """

    write: tuple[tuple[str, ...], ...] = ()
    harmless: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, settings: Bash) -> BashRules:
        return cls(_split_walker_rules(settings.write), _split_walker_rules(settings.read_only))

    def judge(self, words: Sequence[Word], program: str, found: list[Outcome]) -> list[Outcome]:
        """`found` is what the tables say; a rule turns it round."""
        if any(_matches_walker_rule(rule, words, program) for rule in self.write):
            return found if any(one.verdict != "read_only" for one in found) else [unlisted("configured")]
        if any(_matches_walker_rule(rule, words, program) for rule in self.harmless):
            return [reads("configured")]
        return found


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
    """Walks one source; `scope` is what the shell knows where it stands. `found` collects (outcome, text of the
    command) in order.
    """

    run: ShellRun
    lexed: Lexed
    scope: Scope
    root: bool
    depth: int
    found: list[tuple[Outcome, str]]
    sink: bool
    """Whether the output of the command that is being looked at is kept; a function inherits it."""

    @property
    def cwd(self) -> str:
        return self.scope.cwd

    def reader(self) -> WordReader:
        return WordReader(self.lexed, self.scope, root=self.root)

    def text(self, node: Node) -> str:
        return self.lexed.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def add(self, outcomes: Iterable[Outcome], text: str) -> None:
        self.found += [(outcome, text) for outcome in outcomes]

    def hide(self, spans: Sequence[tuple[int, int]], mark: str) -> None:
        for start, end in dict.fromkeys(spans):
            self.run.content.hide(start, end, mark)

    def knows(self, word: str) -> bool:
        return is_listed(program_of(word))

    @contextmanager
    def apart(self) -> Generator[None]:
        """In a copy of the scope, as subshells, background jobs and the stages of a pipeline run."""
        outer, self.scope = self.scope, self.scope.copy()
        try:
            yield
        finally:
            self.scope = outer

    def walk(
        self, node: Node, stdin: Stdin = ..., sink: bool = ..., redirects: Sequence[Node] = ...
    ) -> Stdin: ...

    def sequence(self, nodes: Sequence[Node], stdin: Stdin, sink: bool) -> None: ...

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


SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh"))
TAKE_CODE = frozenset(("node", "ruby", "perl", "php"))
PYTHONS = re.compile(r"(?:python|pypy)[\d.]*\Z")
IMPORTS = re.compile(r"\bimport\s+(\w+)|\bfrom\s+(\w+)")
SHEBANG = re.compile(r"#!\s*(?:/usr/bin/env\s+(?:-S\s+)?)?(\S+)")
SCRIPT_WORDS = 8
"""A script stands among the first words of the command that runs it."""
OF_BUILDS = frozenset(("build", "task"))


def note_text(
    texts: MutableMapping[str, str], path: str, program: str, words: Sequence[Word], stdin: Stdin
) -> None:
    """Keep what a redirection puts into a file, where the words or the input of its command say it."""
    if program in ("cat", "tee") and not words and stdin.kind == "text":
        texts[path] = texts.get(path, "") + stdin.text
    elif program in ("echo", "printf") and all(word.plain for word in words):
        said = " ".join(word.text for word in words if not re.fullmatch(r"-[neE]{1,3}", word.text))
        texts[path] = texts.get(path, "") + said.replace("\\n", "\n") + "\n"
    else:
        texts.pop(path, None)


def of_written_scripts(walker: ShellWalker, words: Sequence[Word], found: list[Outcome]) -> list[Outcome]:
    """`found` is what the command does as far as its words say; what it runs is looked up in what was written."""
    # Python code may take up a module that the same line writes.
    taken = [pair for word in words[1:SCRIPT_WORDS] for pair in IMPORTS.findall(word.text)]
    imported = {f"{name}.py" for pair in taken for name in pair if name}
    if not imported.isdisjoint(map(posixpath.basename, walker.run.written)):
        return [dynamic("script")]
    unlisted = any(
        one.operation == "unknown" and one.verdict == "write" and one.family != "hazard" for one in found
    )
    builds = any(one.family in OF_BUILDS for one in found)
    for word in words[:SCRIPT_WORDS] if unlisted or builds else ():
        path = walker.scope.path(word.text)
        fetched = walker.run.written.get(path)
        if fetched is not None:
            return [dynamic("script")] if fetched or builds else _walk_written_script(walker, words, path)
    return found


def _walk_written_script(walker: ShellWalker, words: Sequence[Word], path: str) -> list[Outcome]:
    text = walker.run.texts.get(path)
    if text is None:
        return [dynamic("script")]
    program = interpreter_of(words[0].text, text, runs_itself=walker.scope.path(words[0].text) == path)
    if program in SHELLS or program in ("source", "."):
        return walker.run_code(text)
    inline = inline_form(program)
    return walker.run_words([*map(Word, inline), Word(text)]) if inline else [dynamic("script")]


def interpreter_of(word: str, text: str, *, runs_itself: bool) -> str:
    """What runs the script: the command's own program, or what its first line names."""
    told = SHEBANG.match(text) if runs_itself else None
    return posixpath.basename(told.group(1) if told else "sh" if runs_itself else word)


def inline_form(program: str) -> tuple[str, ...]:
    """The words with which an interpreter takes a script's text as an argument; empty for one that is not known."""
    if PYTHONS.match(program):
        return ("python3", "-c")
    return (program, "-r" if program == "php" else "-e") if program in TAKE_CODE else ()


def _split_walker_rules(rules: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(words for words in (tuple(rule.split()) for rule in rules) if words)


def _matches_walker_rule(rule: tuple[str, ...], words: Sequence[Word], program: str) -> bool:
    given = tuple(word.text for word in words[: len(rule)] if word.plain)
    return given[1:] == rule[1:] and rule[0] in (*given[:1], program) and len(given) == len(rule)
