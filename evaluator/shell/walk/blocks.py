"""Compound commands of the grammar: branches, loops, tests, assignments. They walk their parts through the walker."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.shell.call import Stdin, dynamic, writes
from evaluator.shell.parse.grammar import RUNS_IN_INDEX, Unreadable, evaluates
from evaluator.shell.plain_output import substitution_tells
from evaluator.shell.scope import Scope
from evaluator.shell.walk import simple_command
from evaluator.shell.walk.builtins import BUILTINS
from evaluator.shell.walk.walker import ShellWalker, assign, declare, extents, loose, set_variable, value_of

if TYPE_CHECKING:
    from tree_sitter import Node

ROUNDS_MAX = 8
"""A loop over at most so many literal words is followed word by word."""
COMPUTES = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v"))
"""What takes its words for arithmetic, or for a name with an index, in `[[`."""
PLAIN_VALUE = re.compile(r"(?:[\w./:@][\w./:@-]*)?")
QUOTED = re.compile(r"'[^']*'")
ALL_ROUNDS_MAX = 256
"""Rounds of all loops of one command, so that loops inside of loops do not multiply."""


def _walk_program(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    if evaluates(walker.lexed.source):
        walker.add([dynamic("shell")], walker.text(node))
    walker.sequence(node.children, stdin, sink)


def _walk_body(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    if node.children and node.children[0].type == "((":
        _walk_arithmetic(walker, node, node.start_byte, node.end_byte)
    walker.sequence(node.children, stdin, sink)


def _walk_arithmetic(walker: ShellWalker, node: Node, start: int, end: int) -> None:
    if walker.reader().evaluates(start, end):
        walker.add([dynamic("shell")], walker.text(node))


def _walk_subshell(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    with walker.apart():
        walker.sequence(node.children, stdin, sink)


def _walk_if(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    outer, branches = walker.scope, list[Scope]()
    mine = [child for child in node.children if child.type not in ("elif_clause", "else_clause")]
    others = [child.children for child in node.children if child.type in ("elif_clause", "else_clause")]
    for nodes in (mine, *others):
        walker.scope = outer.copy()
        walker.sequence(nodes, stdin, sink)
        branches.append(walker.scope)
    walker.scope = outer
    walker.scope.merge(branches)


def _walk_case(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    before, outer, branches = walker.scope.copy(), walker.scope, list[Scope]()
    for child in node.children:
        if child.type == "case_item":
            walker.scope = before.copy()
            for pattern in child.children_by_field_name("value"):
                walker.substitutions(pattern)
            start = next(at for at, part in enumerate(child.children) if part.type == ")")
            walker.sequence(child.children[start:], stdin, sink)
            branches.append(walker.scope)
        elif child.is_named:
            walker.substitutions(child)
    walker.scope = outer
    walker.scope.merge(branches)


def _walk_while(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    walker.scope.forget(_names_assigned_in_block(walker, node))
    walker.sequence(node.children, stdin, sink)


def _walk_c_style_for(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    walker.scope.forget(_names_assigned_in_block(walker, node))
    for child in node.children:
        if child.type in ("do_group", "compound_statement"):
            _walk_arithmetic(walker, node, node.start_byte, child.start_byte)
            walker.walk(child, stdin, sink)
        elif child.is_named:
            walker.substitutions(child)


def _walk_for(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    variable = node.child_by_field_name("variable")
    body = node.child_by_field_name("body")
    name = walker.text(variable) if variable is not None else ""
    places = extents(node.children_by_field_name("value"))
    values = [word for place in places for word in walker.reader().words(*place)]
    for child in node.children:
        if child.type in simple_command.WORDS:
            walker.substitutions(child)
    if body is None:
        return
    walker.run.values.extend(word.text for word in values)
    changed = _names_assigned_in_block(walker, body)
    dash, blank = loose(values, split=True)
    known = 0 < len(values) <= ROUNDS_MAX and all(word.plain for word in values)
    span = (node.start_byte, body.start_byte) if walker.root else None
    if known and node.children[0].type == "for" and walker.run.rounds + len(values) <= ALL_ROUNDS_MAX:
        walker.run.rounds += len(values)
        for word in values:
            walker.scope.forget(changed)
            walker.scope.bind(name, (word.text,), span)
            set_variable(walker, name, word.text)
            walker.walk(body, stdin, sink)
    else:
        walker.scope.forget(changed)
        walker.scope.bind(name, None, span, dash=dash, blank=blank)
        set_variable(walker, name, value_of(name, values))
        walker.walk(body, stdin, sink)
    walker.scope.bind(name, None, span, dash=dash, blank=blank)


def _names_assigned_in_block(walker: ShellWalker, node: Node) -> dict[str, bool]:
    """The names that are assigned anywhere below: in a loop their first value is not their only one. True where all of
    the values are names or numbers."""
    names: dict[str, bool] = {}
    pending = [node]
    while pending:
        one = pending.pop()
        pending += one.named_children
        named, value = one.child_by_field_name("name"), one.child_by_field_name("value")
        if one.type == "variable_assignment" and named is not None:
            name, text = walker.text(named).split("[")[0], walker.text(value) if value is not None else ""
            computed = text.startswith("$((") or (text.startswith("$(") and substitution_tells(text))
            told = computed or PLAIN_VALUE.fullmatch(text) is not None
            told = told and "+=" not in (part.type for part in one.children)
            names[name] = names.get(name, True) and told
    return names


def _walk_test_command(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    walker.substitutions(node)
    opened = node.children[0]
    if walker.lexed.text[opened.end_byte : opened.end_byte + 1] not in (b" ", b"\t", b"\n", b"\\"):
        raise Unreadable("a bracket that is part of a word")
    kept = [quoted for quoted in QUOTED.findall(walker.text(node)) if RUNS_IN_INDEX.search(quoted)]
    walker.run.values += (quoted.strip("'") for quoted in kept)
    if kept:
        walker.add([dynamic("shell")], walker.text(node))
    pending = list(node.named_children)
    while pending:
        one = pending.pop()
        if one.type in ("command_substitution", "process_substitution"):
            continue
        operator, right = one.child_by_field_name("operator"), one.child_by_field_name("right")
        if opened.type == "[[":
            if operator is not None and walker.text(operator) in COMPUTES:
                _walk_arithmetic(walker, node, one.start_byte, one.end_byte)
        elif one.type == "file_redirect":
            # `[ a > b ]` does not compare: it writes b. So does any other redirection in it.
            walker.add(simple_command.open_redirects(walker, [one], stdin, sink).outcomes, walker.text(node))
            continue
        elif operator is not None and operator.type in (">", ">>", ">=") and right is not None:
            path = walker.scope.path(walker.reader().value(right.start_byte, right.end_byte).text)
            walker.add([writes("overwrite", (path,), "redirect")], walker.text(node))
        pending += one.named_children


def _walk_assignments(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    walker.substitutions(node)
    for child in [node] if node.type == "variable_assignment" else node.named_children:
        assign(walker, child)


def _walk_declaration(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    walker.substitutions(node)
    declare(walker, node)


def _walk_unset_command(walker: ShellWalker, node: Node, stdin: Stdin, sink: bool) -> None:
    walker.substitutions(node)
    places = [(child.start_byte, child.end_byte) for child in node.named_children]
    words = [word for place in places for word in walker.reader().words(*place)]
    walker.add(BUILTINS["unset"](walker, words, stdin), walker.text(node))


BlockForm = Callable[[ShellWalker, "Node", Stdin, bool], None]
# By the grammar's names.
FORMS: dict[str, BlockForm] = {
    "program": _walk_program, "compound_statement": _walk_body, "do_group": _walk_body, "subshell": _walk_subshell,
    "if_statement": _walk_if, "case_statement": _walk_case, "while_statement": _walk_while,
    "for_statement": _walk_for, "c_style_for_statement": _walk_c_style_for, "test_command": _walk_test_command,
    "variable_assignment": _walk_assignments, "variable_assignments": _walk_assignments,
    "declaration_command": _walk_declaration, "unset_command": _walk_unset_command,
}  # fmt: skip
