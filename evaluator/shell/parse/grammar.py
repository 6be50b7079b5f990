"""The maintained grammar (tree-sitter-bash): bytes -> syntax tree. Imports tree-sitter at the first parse.

Why this grammar: it is error-tolerant C code without recursion, tells where it did not understand, and ships wheels.
Where it is known to be loose (heredocs, `<<<`, `<>`) `lexer` takes the construct away from it; where the two disagree
about substitutions or comments, the command counts as not understood.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

from evaluator.shell.parse.lexed import Lexed, Unreadable
from evaluator.shell.parse.lexer import lex

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

CODE_BYTES_MAX = 32_000
"""More than this, blanks and here-documents not counted, is not parsed: the parser's recovery from errors is quadratic,
a second at this size."""
NODES_MAX = 150_000
"""More syntax nodes than this are not looked at."""

MARKS = "(command_substitution) @run (process_substitution) @run (comment) @comment (heredoc_redirect) @here"
JOINED = re.compile(rb"[][{}](?=([ \t]+[][{}]))")
MAY_MARK = re.compile(rb"[(`#]|<<")
"""None of the marks is without one of these."""
ONE_LINE = frozenset(
    (
        "command", "redirected_statement", "file_redirect", "negated_command", "declaration_command", "unset_command",
        "variable_assignment", "variable_assignments", "concatenation",
    )
)  # fmt: skip
"""Nodes that never run over the end of a line."""


@lru_cache(maxsize=1)
def _parser() -> Parser:
    from tree_sitter import Language, Parser

    return Parser(Language(compiled("tree_sitter_bash")))


def compiled(package: str, function: str = "language") -> object:
    """A grammar from the compiled module of its package: the package itself imports tools for files of queries, which
    take longer than the rest of a first parse."""
    found = PathFinder.find_spec(package)
    places = found.submodule_search_locations if found else None
    spec = PathFinder.find_spec(f"{package}._binding", places) if places else None
    if spec is None or spec.loader is None:
        language: Callable[[], object] = getattr(import_module(package), function)
    else:
        module = spec.loader.create_module(spec)
        assert module is not None
        spec.loader.exec_module(module)
        language = getattr(module, function)
    return language()


@lru_cache(maxsize=1)
def _build_grammar_query() -> Query:
    """Takes longer to make than anything else that the first command needs of the grammar."""
    from tree_sitter import Query

    language = _parser().language
    assert language is not None
    return Query(language, MARKS)


def parse(source: bytes) -> tuple[Lexed, Node]:
    """The lexed source and the root of its tree. Raises `Unreadable`."""
    lexed = lex(source)
    if len(lexed.text) - lexed.text.count(b" ") - lexed.text.count(b"\n") > CODE_BYTES_MAX:
        raise Unreadable("too long to be parsed")
    root = _parser().parse(lexed.text).root_node
    swallowed = _newlines_lost_in_parse(root, lexed.newlines)
    if swallowed:
        _end_commands_for_parse(lexed, swallowed)
        root = _parser().parse(lexed.text).root_node
        if _newlines_lost_in_parse(root, lexed.newlines):
            raise Unreadable("the two parsers disagree about where a command ends")
    if root.has_error:
        raise Unreadable("the grammar does not accept it")
    for found in JOINED.finditer(lexed.text):
        node = root.descendant_for_byte_range(found.start(), found.end(1))
        if node is not None and node.type == "word":
            raise Unreadable("brackets that the grammar mistakes for a single word")
    if root.descendant_count > NODES_MAX:
        raise Unreadable("too many parts")
    marks: dict[str, list[Node]] = {}
    if MAY_MARK.search(lexed.text):
        from tree_sitter import QueryCursor

        marks = QueryCursor(_build_grammar_query()).captures(root)
    if {_parsed_node_start(node, lexed.text) for node in marks.get("run", ())} != lexed.substitutions:
        raise Unreadable("the two parsers disagree about what is substituted")
    if {node.start_byte for node in marks.get("comment", ())} != lexed.comments or marks.get("here"):
        raise Unreadable("the two parsers disagree about what is text")
    return lexed, root


def _newlines_lost_in_parse(root: Node, newlines: list[int]) -> list[int]:
    """The newlines that end a command, and that the grammar takes for a blank inside of one. It does behind a pipeline
    of three commands, where the next line redirects something."""
    nodes = ((at, root.descendant_for_byte_range(at, at + 1)) for at in newlines)
    return [at for at, node in nodes if node is not None and node.type in ONE_LINE]


def _end_commands_for_parse(lexed: Lexed, newlines: list[int]) -> None:
    """Semicolons, which the grammar does not take for blanks, in place of these newlines."""
    text = bytearray(lexed.text)
    comments = sorted(lexed.comments)
    for at in newlines:
        before = bisect_left(lexed.newlines, at)
        start = lexed.newlines[before - 1] + 1 if before else 0
        for comment in comments[bisect_left(comments, start) : bisect_left(comments, at)]:
            lexed.comments.discard(comment)
            text[comment:at] = b" " * (at - comment)
        if text[start:at].strip():
            text[at] = 0x3B
    lexed.text = bytes(text)


def _parsed_node_start(node: Node, text: bytes) -> int:
    """Inside of a string the grammar counts the blanks before a substitution to it."""
    at = node.start_byte
    while text[at] in b" \t\n":
        at += 1
    return at
