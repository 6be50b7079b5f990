"""Statements: lists, pipelines, groups, branches, loops, functions, substitutions. Single commands are in `simple`.

Bounded in depth and in the number of commands; one pass, except for the body of a loop over a few literal words.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from evaluator.shell.call import Stdin
from evaluator.shell.outcome import Outcome, dynamic, reads
from evaluator.shell.parse.grammar import parse
from evaluator.shell.parse.lexed import Lexed, Unreadable
from evaluator.shell.parse.lexer import commands_in_body
from evaluator.shell.registry import is_listed, program_of
from evaluator.shell.scope import Scope
from evaluator.shell.walk import blocks, simple
from evaluator.shell.walk.walker import ShellRun
from evaluator.shell.words import Word, WordReader

if TYPE_CHECKING:
    from tree_sitter import Node

DEPTH_MAX = 48
"""Statements, wrappers and code strings that may stand in each other."""
CODE_MAX = 128 * 1024
"""Bytes of a command."""
INNER_CODE_MAX = 2 * CODE_MAX
"""Bytes of all the code in strings that is read for one command; code inside of code counts again."""

NOTHING = Stdin()
PIPE = Stdin("pipe")
HOOKS = re.compile(
    r"TRAP[A-Z0-9]+|command_not_found_handler?|chpwd|preexec|precmd|periodic|zshexit|zshaddhistory|zsh_directory_name"
)
"""Functions that the shell calls by itself."""
RUNS = frozenset(("command_substitution", "process_substitution"))


@dataclass(frozen=True, slots=True)
class Function:
    """A defined function; its body belongs to the source of the walker that met it."""

    body: Node
    redirects: tuple[Node, ...]
    walker: Walker


class Walker:
    """Walks one source in one scope. `found` collects (outcome, text of the command) in order."""

    def __init__(self, run: ShellRun, lexed: Lexed, scope: Scope, *, root: bool, depth: int) -> None:
        self.run, self.lexed, self.root, self.depth = run, lexed, root, depth
        self.scope: Scope = scope
        self.found: list[tuple[Outcome, str]] = []
        self.sink = False
        """Whether the output of the command that is being looked at is kept; a function inherits it."""

    def reader(self) -> WordReader:
        return WordReader(self.lexed, self.scope, root=self.root)

    def text(self, node: Node) -> str:
        return self.lexed.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def add(self, outcomes: Iterable[Outcome], text: str) -> None:
        self.found += [(outcome, text) for outcome in outcomes]

    def walk(
        self, node: Node, stdin: Stdin = NOTHING, sink: bool = False, redirects: Sequence[Node] = ()
    ) -> Stdin:
        """`sink`: the output goes to a file or another command. Returns what is handed on in a pipeline."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise Unreadable("nested too deeply")
        try:
            kind = node.type
            if kind == "command":
                return simple.command(self, node, stdin, sink, redirects)
            if kind == "redirected_statement":
                return self._redirected(node, stdin, sink, redirects)
            if kind == "list":
                return self._list(node, stdin, sink, redirects)
            if kind == "pipeline":
                return self._pipeline(node, stdin, sink, redirects)
            if kind == "function_definition":
                self._function(node)
                return PIPE
            opened = simple.open_redirects(self, redirects, stdin, sink)
            form = blocks.FORMS.get(kind)
            if form is not None:
                form(self, node, opened.stdin, opened.sink)
            else:
                self.substitutions(node)
            self.add(opened.outcomes, self.text(node))
            return PIPE
        finally:
            self.depth -= 1

    def sequence(self, nodes: Sequence[Node], stdin: Stdin, sink: bool) -> None:
        for index, node in enumerate(nodes):
            if not node.is_named or node.type == "comment":
                continue
            if index + 1 < len(nodes) and nodes[index + 1].type == "&":
                with self.apart():
                    self.walk(node, stdin, sink)
            else:
                self.walk(node, stdin, sink)

    @contextmanager
    def apart(self) -> Generator[None]:
        """In a copy of the scope, as subshells, background jobs and the stages of a pipeline run."""
        outer, self.scope = self.scope, self.scope.copy()
        try:
            yield
        finally:
            self.scope = outer

    def _redirected(self, node: Node, stdin: Stdin, sink: bool, redirects: Sequence[Node]) -> Stdin:
        mine = [*node.children_by_field_name("redirect"), *redirects]
        body = node.child_by_field_name("body")
        if body is None:
            opened = simple.open_redirects(self, mine, stdin, sink)
            self.add(opened.outcomes, self.text(node))
            return PIPE
        return self.walk(body, stdin, sink, mine)

    def _list(self, node: Node, stdin: Stdin, sink: bool, redirects: Sequence[Node]) -> Stdin:
        # The grammar hangs the redirections of the last command on the whole list.
        parts: list[tuple[str, Node]] = []
        spine = node
        while spine.type == "list":
            sign = next((part.type for part in spine.children if part.type in ("&&", "||")), "&&")
            parts.append((sign, spine.children[-1]))
            spine = spine.children[0]
        parts.append(("&&", spine))
        handed = PIPE
        for index in range(len(parts) - 1, -1, -1):
            sign, part = parts[index]
            given = redirects if index == 0 else ()
            if sign == "||":
                outer = self.scope
                self.scope = outer.copy()
                self.walk(part, stdin, sink, given)
                branch, self.scope = self.scope, outer
                branch.cwd = outer.cwd
                outer.merge([branch])
            else:
                handed = self.walk(part, stdin, sink, given)
        return handed if len(parts) == 1 else PIPE

    def _pipeline(self, node: Node, stdin: Stdin, sink: bool, redirects: Sequence[Node]) -> Stdin:
        stages: list[Node] = []
        pending = [node]
        while pending:
            one = pending.pop()
            if one.type == "pipeline":
                pending += reversed(
                    [child for child in one.children if child.is_named and child.type != "comment"]
                )
            else:
                stages.append(one)
        handed = stdin
        outer = self.scope
        try:
            for stage in stages[:-1]:
                self.scope = outer.copy()
                handed = self.walk(stage, handed, True)
            self.scope = last = outer.copy()
            handed = self.walk(stages[-1], handed, sink, redirects)
            # Some shells run the last stage in their own scope.
            last.cwd = outer.cwd
            outer.merge([last])
            return handed
        finally:
            self.scope = outer

    def _function(self, node: Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            raise Unreadable("a function without a body")
        redirects = tuple(node.children_by_field_name("redirect"))
        self.run.values.append(self.text(body))
        if HOOKS.fullmatch(self.text(name)):
            self.scope.hazard = "unknown"
            self.add([dynamic("shell")], self.text(node))
        known = self.scope.functions.get(self.text(name), ())
        self.scope.functions[self.text(name)] = (*known, Function(body, redirects, self))

    def call(self, name: str, arguments: Sequence[str], stdin: Stdin) -> list[Outcome]:
        """Every body that the name may have, with these arguments; a recursion adds nothing."""
        kept = (self.scope.arguments, self.scope.stack)
        found: list[Outcome] = []
        for function in cast(tuple[Function, ...], self.scope.functions[name]):
            if id(function) in kept[1]:
                continue
            self.scope.arguments, self.scope.stack = tuple(arguments), (*kept[1], id(function))
            walker = Walker(
                self.run, function.walker.lexed, self.scope, root=function.walker.root, depth=self.depth
            )
            walker.walk(function.body, stdin, self.sink, function.redirects)
            found += [outcome for outcome, _ in walker.found]
        self.scope.arguments, self.scope.stack = kept
        return found

    def substitutions(self, node: Node) -> None:
        """Walks what the words below run, in order, each in a copy of the scope."""
        if not self.lexed.substitutions:
            return
        pending = [node]
        while pending:
            one = pending.pop()
            if one.type in RUNS:
                self.depth += 1
                if self.depth > DEPTH_MAX:
                    raise Unreadable("nested too deeply")
                with self.apart():
                    direct = [child for child in one.children if child.type == "file_redirect"]
                    self.add(simple.open_redirects(self, direct, NOTHING, True).outcomes, self.text(one))
                    rest = [child for child in one.children if child.type != "file_redirect"]
                    self.sequence(rest, PIPE if self.text(one).lstrip().startswith(">") else NOTHING, True)
                self.depth -= 1
            else:
                pending += reversed(one.named_children)

    # What the program tables may ask for.

    def run_code(
        self,
        code: str,
        arguments: Sequence[Word] = (),
        stdin: Stdin = NOTHING,
        zero: Word | None = None,
        *,
        here: bool = False,
    ) -> list[Outcome]:
        """Shell code in a string, in this scope (`eval`) or in a copy that knows none of its functions."""
        source = code.encode("utf-8", "surrogatepass")
        self.run.code_bytes += len(source)
        if self.run.code_bytes > INNER_CODE_MAX or self.depth >= DEPTH_MAX:
            return [dynamic("shell")]
        try:
            lexed, root = parse(source)
        except Unreadable:
            return [dynamic("shell")]
        scope = self.scope
        if not here:
            scope = scope.copy()
            if "*" not in scope.exported:
                for name in scope.functions.keys() - scope.exported:
                    del scope.functions[name]
            known = all(word.plain for word in arguments)
            scope.arguments = tuple(word.text for word in arguments) if known else None
            scope.zero = zero.text if zero is not None and zero.plain else None
        inner = Walker(self.run, lexed, scope, root=False, depth=self.depth + 1)
        inner.walk(root, stdin)
        return [outcome for outcome, _ in inner.found] or [reads("shell")]

    def knows(self, word: str) -> bool:
        return is_listed(program_of(word))

    def run_words(self, words: Sequence[Word], stdin: Stdin = NOTHING, folder: str = "") -> list[Outcome]:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise Unreadable("nested too deeply")
        outer = self.scope
        try:
            if folder:
                self.scope = outer.copy()
                self.scope.enter(folder)
            return simple.dispatch(self, list(words), stdin, functions=False)
        finally:
            self.depth -= 1
            self.scope = outer

    def hide(self, spans: Sequence[tuple[int, int]], mark: str) -> None:
        for start, end in dict.fromkeys(spans):
            self.run.content.hide(start, end, mark)

    @property
    def cwd(self) -> str:
        return self.scope.cwd

    def heredoc(self, at: int) -> Stdin | None:
        """The input that the heredoc at this offset gives; runs what its body substitutes."""
        heredoc = self.lexed.heredocs.get(at)
        if heredoc is None:
            return None
        body = heredoc.body(self.lexed.source)
        self.run.lines = (self.run.lines or 0) + heredoc.lines(self.lexed.source)
        if not heredoc.literal:
            for code in commands_in_body(body):
                self.add(self.run_code(code), code)
            return Stdin(
                "text", simple.unescape_body(body), made=simple.EXPANDED_IN_BODY.search(body) is not None
            )
        return Stdin("text", body)
