"""SQL text -> statements without strings and comments, and the commands of the client itself.

What is a string or a comment differs between dialects, and what one of them skips another one runs: the dialect of the
client decides. Linear; what is opened and not closed makes the text unreadable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Dialect = Literal["postgres", "mysql", "sqlite", "tsql", "other"]

BLOCK = re.compile(r"/\*|\*/")
EXECUTED = re.compile(r"M?!\d*")
"""`/*! ... */` is a comment everywhere but in MySQL, which runs it."""
OPENS: dict[Dialect, re.Pattern[str]] = {
    "postgres": re.compile(r"--|/\*|(?<!\w)[eE]'|'|\"|(?<![\w$])\$(?:[A-Za-z_]\w*)?\$|\\"),
    "mysql": re.compile(r"--(?=\s|\Z)|#|/\*|\*/|'|\"|`|\\[gG]?"),
    "sqlite": re.compile(r"--|/\*|'|\"|`|\[|^[ \t]*\.(?=[A-Za-z])", re.MULTILINE),
    "tsql": re.compile(r"--|/\*|'|\"|\["),
    "other": re.compile(r"--|/\*|'|\"|`|\\"),
}
DOUBLED = {
    "'": re.compile(r"(?:[^']|'')*+'"),
    '"': re.compile(r'(?:[^"]|"")*+"'),
    "`": re.compile(r"(?:[^`]|``)*+`"),
    "[": re.compile(r"[^\]]*+\]"),
}
ESCAPED = {
    "'": re.compile(r"(?:[^'\\]|''|\\.)*+'", re.DOTALL),
    '"': re.compile(r'(?:[^"\\]|""|\\.)*+"', re.DOTALL),
    "`": DOUBLED["`"],
}
CLIENT = re.compile(r"(\\|[^\s\\]+)([^\n\\]*)")
ENDING = frozenset(("g", "G", "gx", "gset", "gdesc", "watch", "crosstabview"))


@dataclass(slots=True)
class SqlText:
    """In `plain` a string is its index in `strings`, in quotes. `commands` are name and arguments of `\\x` and `.x`."""

    plain: str = ""
    strings: list[str] = field(default_factory=list[str])
    commands: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def statements(self) -> list[str]:
        return [part for part in self.plain.split(";") if part.strip()]


def read_text(code: str, dialect: Dialect) -> SqlText | None:
    """None for text that is not closed."""
    found = SqlText()
    pieces: list[str] = []
    within = False
    """Whether a statement has begun: only before one a line with a dot is a command."""
    at = 0
    while opened := OPENS[dialect].search(code, at):
        before, sign, at = code[at : opened.start()], opened.group(), opened.end()
        pieces.append(before)
        within = bool(before.rpartition(";")[2].strip()) or (within and ";" not in before)
        if sign in ("--", "#"):
            at = _line_end(code, at)
            pieces.append(" ")
        elif sign in ("*/", "\\g", "\\G"):
            pieces.append(" " if sign == "*/" else ";")
        elif sign == "/*":
            executed = EXECUTED.match(code, at) if dialect == "mysql" else None
            behind = (
                executed.end() if executed else _comment_end(code, at, nests=dialect in ("postgres", "tsql"))
            )
            if behind < 0:
                return None
            at = behind
            pieces.append(" ")
        elif sign == "\\":
            client = CLIENT.match(code, at)
            if client is None:
                return None
            name, arguments = client.group(1), client.group(2)
            if name == "copy":
                arguments = code[client.start(2) : _line_end(code, at)]
            found.commands.append((name, arguments))
            at = client.start(2) + len(arguments)
            pieces.append(";" if name in ENDING else " ")
            within = within and name not in ENDING
        elif sign.endswith("."):
            end = _line_end(code, at)
            if within:
                pieces.append(sign)
            else:
                name, _, arguments = code[at:end].partition(" ")
                found.commands.append((name, arguments))
                at = end
        else:
            end = _string_end(code, at, sign, dialect)
            if end < 0:
                return None
            width = len(sign) if sign[0] == "$" else 1
            pieces.append(f" '{len(found.strings)}' ")
            found.strings.append(code[at : end - width])
            at, within = end, True
    pieces.append(code[at:])
    found.plain = "".join(pieces)
    return found


def _line_end(code: str, at: int) -> int:
    end = code.find("\n", at)
    return len(code) if end < 0 else end


def _comment_end(code: str, at: int, *, nests: bool) -> int:
    depth = 1
    while found := BLOCK.search(code, at):
        at = found.end()
        depth += 1 if nests and found.group() == "/*" else -1 if found.group() == "*/" else 0
        if depth == 0:
            return at
    return -1


def _string_end(code: str, at: int, sign: str, dialect: Dialect) -> int:
    if sign[0] == "$":
        end = code.find(sign, at)
        return -1 if end < 0 else end + len(sign)
    closing = ESCAPED if dialect == "mysql" or len(sign) == 2 else DOUBLED
    found = closing[sign[-1]].match(code, at)
    return found.end() if found else -1
