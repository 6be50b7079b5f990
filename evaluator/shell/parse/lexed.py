"""What `lexer` found in a source. Records alone."""

from __future__ import annotations

from dataclasses import dataclass


class Unreadable(Exception):  # noqa: N818 - says what the command is
    """The quoting of a command cannot be followed to its end."""


@dataclass(frozen=True, slots=True)
class Heredoc:
    """`start` and `end` bound the body in bytes, `close` is behind the closing delimiter, `operator_end` behind the
    opening one. In a `literal` body nothing is expanded.
    """

    start: int
    end: int
    close: int
    operator_end: int
    delimiter: bytes
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
