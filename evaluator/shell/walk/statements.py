"""Statements: lists, pipelines, groups, branches, loops, functions, substitutions. `simple_command` has one command.

Bounded in depth and in the number of commands; one pass, except for the body of a loop over a few literal words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from evaluator.shell.call import Outcome, Stdin, dynamic, reads
from evaluator.shell.parse.grammar import Lexed, Unreadable, parse
from evaluator.shell.parse.lexer import commands_in_body, lex
from evaluator.shell.scope import Scope
from evaluator.shell.walk import blocks, simple_command
from evaluator.shell.walk.walker import ShellRun, ShellWalker
from evaluator.shell.words import Word

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
ASSIGNMENTS = frozenset(("variable_assignment", "variable_assignments"))
GROUPED = frozenset(("list", "pipeline", "redirected_statement", "negated_command"))
LISTS = frozenset(("&&", "||"))
SIGNS = LISTS | {"|", "|&"}
EXPANDED_IN_BODY = re.compile(r"(?<!\\)(?:`|\$[\w({@*#?!$-])")
ESCAPED_IN_BODY = re.compile(r"\\(?:([\\`$])|\n)")
RUNS = frozenset(("command_substitution", "process_substitution"))


@dataclass(frozen=True, slots=True)
class Function:
    """A defined function; its body belongs to the source of the walker that met it."""

    body: Node
    redirects: tuple[Node, ...]
    walker: Walker


class _Part(NamedTuple):
    """One command of a list or pipeline and the operator in front of it; no node where it has redirections alone."""

    sign: str
    node: Node | None
    redirects: tuple[Node, ...]


def _split_statement(node: Node, redirects: Sequence[Node]) -> list[_Part]:
    """The commands below in the order of the text; a redirection belongs to the one before it."""
    parts: list[_Part] = []
    sign = "&&"
    pending: list[Node | tuple[Node, ...]] = [tuple(redirects), node]
    while pending:
        one = pending.pop()
        if isinstance(one, tuple):
            last = parts[-1]
            parts[-1] = _Part(last.sign, last.node, (*last.redirects, *one))
        elif one.type == "redirected_statement":
            body, *behind = one.children
            if body.type.endswith("_redirect"):
                parts.append(_Part(sign, None, (body, *behind)))
            else:
                pending += tuple(behind), body
        elif one.type in GROUPED:
            pending += reversed(one.children)
        elif one.is_named and one.type != "comment":
            parts.append(_Part(sign, one, ()))
        elif one.type in SIGNS:
            sign = one.type
    return parts


class Walker(ShellWalker):
    def __init__(self, run: ShellRun, lexed: Lexed, scope: Scope, *, root: bool, depth: int) -> None:
        self.run, self.lexed, self.root, self.depth = run, lexed, root, depth
        self.scope, self.found, self.sink = scope, [], False

    def walk(
        self, node: Node, stdin: Stdin = NOTHING, sink: bool = False, redirects: Sequence[Node] = ()
    ) -> Stdin:
        """`sink`: the output goes to a file or another command. Returns what is handed on in a pipeline."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise Unreadable("nested too deeply")
        try:
            kind = node.type
            if kind == "command" or (kind in ASSIGNMENTS and redirects):
                return simple_command.command(self, node, stdin, sink, redirects)
            if kind in GROUPED:
                return self._statement(node, stdin, sink, redirects)
            if kind == "function_definition":
                self._walk_function_def(node)
                return PIPE
            opened = simple_command.open_redirects(self, redirects, stdin, sink)
            if opened.extra:
                raise Unreadable("words after a block's redirection")
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

    def _statement(self, node: Node, stdin: Stdin, sink: bool, redirects: Sequence[Node]) -> Stdin:
        """Lists and pipelines as the shell groups them. The grammar does it in its own way where something is
        redirected: the list then hangs inside of a pipeline, though its last command alone is a stage of it."""
        parts = _split_statement(node, redirects)
        handed = PIPE
        at = 0
        while at < len(parts):
            end = at + 1
            while end < len(parts) and parts[end].sign not in LISTS:
                end += 1
            if parts[at].sign == "||":
                with self.apart():
                    self._walk_pipeline(parts[at:end], stdin, sink)
                    branch = self.scope
                branch.cwd = self.scope.cwd
                self.scope.merge([branch])
            else:
                handed = self._walk_pipeline(parts[at:end], stdin, sink)
            at = end
        return handed

    def _walk_pipeline(self, stages: Sequence[_Part], stdin: Stdin, sink: bool) -> Stdin:
        if len(stages) == 1:
            return self._walk_statement_part(stages[0], stdin, sink)
        handed, last = stdin, self.scope
        for stage in stages:
            with self.apart():
                last = self.scope
                handed = self._walk_statement_part(stage, handed, sink or stage is not stages[-1])
        # Some shells run the last stage in their own scope.
        last.cwd = self.scope.cwd
        self.scope.merge([last])
        return handed

    def _walk_statement_part(self, part: _Part, stdin: Stdin, sink: bool) -> Stdin:
        if part.node is not None:
            return self.walk(part.node, stdin, sink, part.redirects)
        opened = simple_command.open_redirects(self, part.redirects, stdin, sink)
        self.add(opened.outcomes, self.text(part.redirects[0]))
        return PIPE

    def _walk_function_def(self, node: Node) -> None:
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
            home = function.walker
            walker = Walker(self.run, home.lexed, self.scope, root=home.root, depth=self.depth)
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
                    opened, text = simple_command.open_redirects(self, direct, NOTHING, True), self.text(one)
                    self.add(opened.outcomes, text)
                    rest = [child for child in one.children if child.type != "file_redirect"]
                    self.sequence(rest, PIPE if text.lstrip().startswith(">") else NOTHING, True)
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
            lexed = lex(source)
            root = parse(lexed)
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

    def run_words(self, words: Sequence[Word], stdin: Stdin = NOTHING, folder: str = "") -> list[Outcome]:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise Unreadable("nested too deeply")
        outer = self.scope
        try:
            if folder:
                self.scope = outer.copy()
                self.scope.enter(folder)
            return simple_command.dispatch(self, list(words), stdin, functions=False)
        finally:
            self.depth -= 1
            self.scope = outer

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
            plain = ESCAPED_IN_BODY.sub(lambda found: found.group(1) or "", body)
            return Stdin("text", plain, made=EXPANDED_IN_BODY.search(body) is not None)
        return Stdin("text", body)
