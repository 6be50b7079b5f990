"""What the lexer leaves for the grammar and the words: escapes decoded, heredocs, content told apart."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

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
    opening one. In a `literal` body nothing is expanded.
    """

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
