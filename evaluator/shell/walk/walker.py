"""What the parts of a walk over one command line share: what it has run and written, how they call the walker, and
the variables that are set: in front of a command, in the shell itself, by a declaration."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from evaluator.shell.call import Outcome, Ran, Shell, Stdin, dynamic, reads, unlisted, writes
from evaluator.shell.parse.grammar import RUNS_IN_INDEX, Content, Lexed, Unreadable
from evaluator.shell.rows.tables import is_listed, program_of
from evaluator.shell.scope import EVALUATED, TABLES, Hazard, Scope, variable_steering, worse_hazard
from evaluator.shell.words import Word, WordReader

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaluator.settings.keys import Bash

QUOTED_INDEX = re.compile(r"['\"\\]")
NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
EXPANSION = re.compile(r"\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{[^}]*\}")
OWN_PROCESS = "$!"
"""A number; as a value it stands for what the line started last."""
USED_BY_SHELL = frozenset(("REPLY", "MAPFILE", "OPTARG", "OPTIND", "SECONDS", "RANDOM", "PIPESTATUS"))
WRITES_TO = re.compile(r"TRACE|LOG|OUT|HIST|DUMP|REPORT|PROF|COVERAGE|_FILE\Z")
"""Variables by which programs are told where to write."""
COMMANDS_MAX = 20_000
"""Commands that are looked at, counting each call of a function and each round of an unrolled loop."""


@dataclass(frozen=True, slots=True)
class BashRules:
    """The user's own rules about commands (`bash.read_only`, `bash.write`), each the leading words of
    one. `write` beats the other."""

    write: tuple[tuple[str, ...], ...] = ()
    harmless: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, settings: Bash) -> BashRules:
        listed = settings.write, settings.read_only
        return cls(*(tuple(tuple(rule.split()) for rule in rules if rule.split()) for rules in listed))

    def judge(self, words: Sequence[Word], program: str, found: list[Outcome]) -> list[Outcome]:
        """`found` is what the tables say; a rule turns it round."""

        def meets(rule: tuple[str, ...]) -> bool:
            given = tuple(word.text for word in words[: len(rule)] if word.plain)
            return given[1:] == rule[1:] and rule[0] in (*given[:1], program) and len(given) == len(rule)

        if any(map(meets, self.write)):
            return found if any(one.verdict != "read_only" for one in found) else [unlisted("configured")]
        return [reads("configured")] if any(map(meets, self.harmless)) else found


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
    """Walks one source; `scope` is what the shell knows there. `found` collects (outcome, command's text) in order."""

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

    def heredoc(self, at: int) -> Stdin | None: ...


def extents(nodes: Iterable[Node]) -> list[tuple[int, int]]:
    """Byte extents of words: the grammar sometimes cuts one word into nodes that touch."""
    found: list[tuple[int, int]] = []
    for node in nodes:
        start, end = node.start_byte, node.end_byte
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def before(walker: ShellWalker, node: Node) -> tuple[Hazard, list[Outcome]]:
    """What an assignment in front of a command makes of it, and the file that it names."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        return "", []
    word = walker.reader().value(value.start_byte, node.end_byte) if value is not None else Word("")
    _note_assigned_value(walker, walker.text(name), word.text)
    steers = variable_steering(walker.text(name), value_of(walker.text(name), [word]), walker.scope.cwd)
    return steers.weight, _assigned_file_outcomes(walker, steers.file)


def _assigned_file_outcomes(walker: ShellWalker, file: str) -> list[Outcome]:
    """What a variable tells programs to write."""
    path = walker.scope.path(file)
    return [writes("append", (path,), "environment")] if path else []


def assign(walker: ShellWalker, node: Node, *, given: bool = False) -> None:
    """`NAME=value` in the shell itself. The substitutions in it were walked already. `given`: it is exported."""
    named, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if named is None:
        return
    scope, name = walker.scope, walker.text(named)
    span = (value.start_byte, node.end_byte) if walker.root and value is not None else None
    if named.type == "subscript":
        scope.bind(name.split("[")[0], None, span)
        set_variable(walker, name, "$", node, given=given)
        index = named.child_by_field_name("index")
        # Outside of quotes a substitution runs here, and was looked at.
        if QUOTED_INDEX.search(name):
            _refuse_assigned_code(walker, walker.text(node), node)
        elif index is not None and walker.reader().evaluates(index.start_byte, index.end_byte):
            walker.add([dynamic("shell")], walker.text(node))
        return
    append = any(child.type == "+=" for child in node.children)
    reader = walker.reader()
    array = value is not None and value.type == "array"
    if value is None:
        words = [Word("")]
    elif array:
        words = [word for one in extents(value.named_children) for word in reader.words(*one)]
        known_as = f"{name}[" if name in TABLES else name
        set_variable(walker, known_as, value_of(name, words), node, given=given)
    else:
        words = [reader.value(value.start_byte, node.end_byte)]
        set_variable(walker, name, value_of(name, words), node, given=given)
        if not words[0].dynamic:
            _refuse_assigned_code(walker, words[0].text, node)
    if any(word.dynamic for word in words) and [word.text for word in words] != [OWN_PROCESS]:
        values = None
    else:
        values = tuple(word.text for word in words)
    dash, blank = loose(words, split=array)
    if append:
        known = scope.variables[name].values if name in scope.variables else None
        if known is None or values is None:
            values = None
        elif array or known:
            values = (*known, *values) if array else (known[0] + values[0],)
        dash = blank = True
    for text in values or (walker.text(node),):
        _note_assigned_value(walker, name, text)
    scope.bind(name, values, span, array, dash=dash, blank=blank)


def loose(words: Sequence[Word], *, split: bool) -> tuple[bool, bool]:
    """Whether one of the values may begin with a dash, and whether it may hold blanks. `split`: each is one word."""
    dash = any(word.text[:1] == "-" or (word.may_be_option if split else word.dash) for word in words)
    blank = any(
        (word.blank and not (split and word.bare)) or re.search(r"\s-", EXPANSION.sub("", word.text))
        for word in words
    )
    return dash, blank


def value_of(name: str, words: Sequence[Word]) -> str:
    """The value; `$` where the shell evaluates it and it is not known."""
    if name in EVALUATED and any(word.dynamic for word in words):
        return "$"
    return " ".join(word.text for word in words)


def set_variable(
    walker: ShellWalker, name: str, value: str, node: Node | None = None, *, given: bool = False
) -> None:
    """What the value makes of all that follows. `given`: programs get it for certain; a name such as theirs is theirs
    too where the line has no use for it itself. What the shell evaluates is code."""
    plain = name.partition("[")[0]
    used = rf"\$\{{?[#!]?{plain}(?!\w)|\(\((?:[^\n)]*\W)?{plain}(?!\w)"
    theirs = plain.isupper() and plain not in USED_BY_SHELL
    given = given or (theirs and re.search(used, walker.lexed.latin, re.ASCII) is None)
    steers = walker.scope.give(name, value, given=given)
    text = walker.text(node) if node is not None else f"{name}={value}"
    walker.add(_assigned_file_outcomes(walker, steers.file), text)
    if steers.weight == "unknown" and (plain in EVALUATED or plain in TABLES):
        walker.add([dynamic("shell")], text)


def _refuse_assigned_code(walker: ShellWalker, text: str, node: Node) -> None:
    """A text with a command in an index runs it wherever it is taken for a number or a name."""
    if RUNS_IN_INDEX.search(text):
        walker.add([dynamic("shell")], walker.text(node))


def _note_assigned_value(walker: ShellWalker, name: str, value: str) -> None:
    walker.run.values.append(value)
    if WRITES_TO.search(name) and value:
        walker.run.ran.append(Ran(("export", value), walker.scope.cwd, (unlisted("environment"),)))


def declare(walker: ShellWalker, node: Node) -> None:
    """`export`, `declare`, `local`, `readonly`, `typeset`."""
    program = walker.text(node.children[0])
    reader = walker.reader()
    words: list[Word] = []
    parts = [child for child in node.named_children if child.type not in ("comment", "file_redirect")]
    for child in parts:
        if child.type != "variable_assignment":
            words += reader.words(child.start_byte, child.end_byte)
    flags = "".join(word.text[1:] for word in words if word.text[:1] in ("-", "+"))
    for child in parts:
        if child.type == "variable_assignment":
            assign(walker, child, given=program == "export" or "x" in flags)
        elif child.type != "variable_name":
            # The shell evaluates `'a[$(x)]=1'` once more.
            walker.run.values += (word.text for word in reader.words(child.start_byte, child.end_byte))
    declared(walker, program, words, node)


def declared(walker: ShellWalker, program: str, words: Sequence[Word], node: Node | None = None) -> None:
    """The words of a declaration that are no plain assignments: flags, names, and texts that are evaluated."""
    flags = "".join(word.text[1:] for word in words if word.text[:1] in ("-", "+"))
    exports = program == "export" or "x" in flags
    scope = walker.scope
    if program != "export" and not {"n", "i", "T"}.isdisjoint(flags):
        # One name for another, or values that are computed.
        walker.add([dynamic("shell")], f"{program} -{flags}")
    for word in words:
        name, equals, value = word.text.partition("=")
        name = name.rstrip("+")
        if RUNS_IN_INDEX.search(word.text) or word.decoded:
            walker.add([dynamic("shell")], word.text)
        elif equals and NAME.match(name.partition("[")[0]):
            scope.bind(name, None if word.dynamic or word.text[len(name)] == "+" else (value,))
            set_variable(walker, name, "$" if word.dynamic else value, node, given=exports)
        elif word.dynamic and word.text[:1] in ("$", "`"):
            # `export $(cat .env)` may set any variable.
            scope.hazard = worse_hazard(scope.hazard, "unlisted")
        elif exports and NAME.match(word.text):
            scope.exported |= {word.text}
            # What decides more than that did so when it was set.
            if known := scope.variables.get(word.text):
                weight = variable_steering(word.text, (known.values or ("$",))[0]).weight
                scope.hazard = worse_hazard(scope.hazard, "unlisted" if weight == "unlisted" else "")
