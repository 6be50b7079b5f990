"""The maintained grammar (tree-sitter-bash): bytes -> syntax tree. Alone imports tree-sitter, at the first parse.

Why this grammar: it is error-tolerant C code without recursion, tells where it did not understand, and ships wheels.
Where it is known to be loose (heredocs, `<<<`, `<>`) `lexer` takes the construct away from it; where the two disagree
about substitutions or comments, the command counts as not understood.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from evaluator.stages.shell.lexed import Lexed, Unreadable
from evaluator.stages.shell.lexer import lex

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

CODE_BYTES_MAX = 32_000
"""More than this, blanks and here-documents not counted, is not parsed: the parser's recovery from errors is quadratic,
a second at this size."""
NODES_MAX = 150_000
"""More syntax nodes than this are not looked at."""

MARKS = "(command_substitution) @run (process_substitution) @run (comment) @comment (heredoc_redirect) @here"


@lru_cache(maxsize=1)
def _tools() -> tuple[Parser, Query]:
    import tree_sitter_bash
    from tree_sitter import Language, Parser, Query

    language = Language(tree_sitter_bash.language())
    return Parser(language), Query(language, MARKS)


def parse(source: bytes) -> tuple[Lexed, Node]:
    """The lexed source and the root of its tree. Raises `Unreadable`."""
    from tree_sitter import QueryCursor

    lexed = lex(source)
    if len(lexed.text) - lexed.text.count(b" ") - lexed.text.count(b"\n") > CODE_BYTES_MAX:
        raise Unreadable("too long to be parsed")
    parser, query = _tools()
    root = parser.parse(lexed.text).root_node
    if root.has_error:
        raise Unreadable("the grammar does not accept it")
    if root.descendant_count > NODES_MAX:
        raise Unreadable("too many parts")
    marks = QueryCursor(query).captures(root)
    if {_start(node, lexed.text) for node in marks.get("run", ())} != lexed.substitutions:
        raise Unreadable("two readers disagree about what is substituted")
    if {node.start_byte for node in marks.get("comment", ())} != lexed.comments or marks.get("here"):
        raise Unreadable("two readers disagree about what is text")
    return lexed, root


def _start(node: Node, text: bytes) -> int:
    """Inside of a string the grammar counts the blanks before a substitution to it."""
    at = node.start_byte
    while text[at] in b" \t\n":
        at += 1
    return at
