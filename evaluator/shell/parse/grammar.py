"""What the lexer leaves, and the maintained grammar (tree-sitter-bash) that makes a syntax tree of it.

Why this grammar: it is error-tolerant C code without recursion, tells where it did not understand, and ships wheels.
Where it is known to be loose (heredocs, `<<<`, `<>`) `lexer` takes the construct away from it; where the two disagree
about substitutions or comments, the command counts as not understood. Imports tree-sitter at the first parse.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
SIMPLE = dict(zip("ntrabeEfv", "\n\t\r\a\b\x1b\x1b\f\v", strict=True))


def decode_escapes(text: str) -> str:
    return ESCAPE.sub(_decode_lexed_escape, text) if "\\" in text else text


def _decode_lexed_escape(found: re.Match[str]) -> str:
    byte, short, long, octal, control, plain = found.groups()
    digits = byte or short or long
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "?"
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if control:
        return chr(ord(control[0]) & 0x1F)
    return SIMPLE.get(plain, plain)


# The shell evaluates an index again when it takes a text for arithmetic: `test -v 'a[$(rm x)]'` runs rm.
RUNS_IN_INDEX = re.compile(r"\w\[[^\]]*(?:\$\(|`)")
_SAID = re.compile(r"<\(\s*(?:echo|printf)\s+(['\"])(.*)\1\s*\)\Z", re.DOTALL)
_PROMPT = re.compile(rb"\$\{[^\n]*@[A-Za-z]*P[A-Za-z]*\}")
_HIDDEN_INDEX = re.compile(rb"\w\[[^\]\n]*\\+(?:\$\(|`)")
_NEW_PATH = re.compile(rb"\(\(\s*PATH\s*[-+*/%&|^<>]*=(?!=)")
_TAKES_NAMES = re.compile(
    rb"\(\(|\[\[|(?<![\w-])(?:let|unset|declare|typeset|local|export|readonly|read|printf|test|mapfile|readarray|wait"
    rb"|getopts)\s|\[\s"
)


def evaluates(source: bytes) -> bool:
    """Whether the code evaluates the value of a variable (`${x@P}`), sets `PATH` to a number, or keeps a substitution
    in an index for later (`"a[\\$(x)]"`) beside a command that evaluates indices."""
    if (b"@" in source and _PROMPT.search(source)) or (b"PATH" in source and _NEW_PATH.search(source)):
        return True
    return (
        b"[" in source
        and _HIDDEN_INDEX.search(source) is not None
        and _TAKES_NAMES.search(source) is not None
    )


def said(text: str) -> str:
    """What `<(echo 'TEXT')` plainly hands over; empty where it cannot be told."""
    found = _SAID.match(text)
    return found.group(2) if found else ""


class Unreadable(Exception):  # noqa: N818 - says what the command is
    """The quoting of a command cannot be followed to its end."""


@dataclass(frozen=True, slots=True)
class Heredoc:
    """`start` and `end` bound the body in bytes, `close` is behind the closing delimiter, `operator_end` behind the
    opening one. In a `literal` body nothing is expanded."""

    start: int
    end: int
    close: int
    operator_end: int
    literal: bool

    def body(self, source: bytes) -> str:
        return source[self.start : self.end].decode("utf-8", "replace")

    def lines(self, source: bytes) -> int:
        return source.count(b"\n", self.start, self.end)


@dataclass(slots=True)
class Lexed:
    """`text` has the length of `source`; all positions are byte offsets in both."""

    source: bytes
    text: bytes
    latin: str
    """The source as text of one character a byte."""
    ends: dict[int, int]
    substitutions: set[int]
    comments: set[int]
    heredocs: dict[int, Heredoc]
    herestrings: set[int]
    newlines: list[int]
    """Those that stand outside of quotes, arrays and bodies."""


LEADING = re.compile(r"\s*(?:sudo\s+)?([A-Za-z][\w.+-]{0,30})(?=\s)")
COMMAND_MAX = 20_000
"""Longer text is cut (characters); the sanitizer has its own, smaller bound."""


@dataclass(slots=True)
class Content:
    """What to leave out of the command: byte spans and the marks that stand for them."""

    spans: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])

    def hide(self, start: int, end: int, mark: str) -> None:
        self.spans.append((start, end, mark))

    def without(self, lexed: Lexed) -> str:
        source = lexed.source
        cuts = list(self.spans)
        for heredoc in lexed.heredocs.values():
            count = heredoc.lines(source)
            mark = f" [body: {count} line{'' if count == 1 else 's'}]"
            cuts.append((heredoc.operator_end, heredoc.operator_end, mark))
            newline = source[heredoc.close : heredoc.close + 1] == b"\n"
            cuts.append((heredoc.start, heredoc.close + newline, ""))
        pieces: list[bytes] = []
        done = 0
        for start, end, mark in sorted(cuts, key=lambda cut: (cut[0], -cut[1])):
            if end <= done and start < done:
                continue
            pieces += (source[done : max(start, done)], mark.encode())
            done = end
        return b"".join((*pieces, source[done:])).decode("utf-8", "replace").strip()[:COMMAND_MAX]


def summary(command: str) -> str:
    """For a command whose content cannot be told from its code: the leading program and the size."""
    found = LEADING.match(command)
    return f"{found.group(1) + ' ' if found else ''}[unparsed: {len(command)} chars]"


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


def parse(lexed: Lexed) -> Node:
    """The root of its tree. Raises `Unreadable`."""
    if len(lexed.text) - lexed.text.count(b" ") - lexed.text.count(b"\n") > CODE_BYTES_MAX:
        raise Unreadable("too long to be parsed")
    root = _parser().parse(lexed.text).root_node
    swallowed = _newlines_lost_in_parse(root, lexed.newlines)
    if swallowed:
        # Semicolons, which the grammar does not take for blanks, in place of these newlines.
        text = bytearray(lexed.text)
        comments = sorted(lexed.comments)
        for at in swallowed:
            before = bisect_left(lexed.newlines, at)
            start = lexed.newlines[before - 1] + 1 if before else 0
            for comment in comments[bisect_left(comments, start) : bisect_left(comments, at)]:
                lexed.comments.discard(comment)
                text[comment:at] = b" " * (at - comment)
            if text[start:at].strip():
                text[at] = 0x3B
        lexed.text = bytes(text)
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
    return root


def _newlines_lost_in_parse(root: Node, newlines: list[int]) -> list[int]:
    """The newlines that end a command, and that the grammar takes for a blank inside of one. It does behind a pipeline
    of three commands, where the next line redirects something."""
    nodes = ((at, root.descendant_for_byte_range(at, at + 1)) for at in newlines)
    return [at for at, node in nodes if node is not None and node.type in ONE_LINE]


def _parsed_node_start(node: Node, text: bytes) -> int:
    """Inside of a string the grammar counts the blanks before a substitution to it."""
    at = node.start_byte
    while text[at] in b" \t\n":
        at += 1
    return at
