"""An awk program: `print > "file"`, `print | "command"`, `system(...)`, `"command" | getline`."""

from __future__ import annotations

import re

from evaluator.shell.code.scan import Scan
from evaluator.shell.options import names

PROGRAM_MAX = 50_000
TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+|\\\n|#[^\n]*)|(?P<string>\"(?:[^\"\\]|\\.)*\")|(?P<word>[A-Za-z_]\w*)|(?P<number>[\d.]+)"
    r"|(?P<sign>>>|&&|\|\||\|&|[<>=!]=|[-+*/%^]=|\+\+|--|!~|.|\n)",
    re.DOTALL,
)
REGEX = re.compile(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?[^\]\n]*\])*/")
BEFORE_REGEX = names("( , { } ; ! ~ !~ && || = == != ? : & | print printf return in case else do exit") | {
    "",
    "\n",
}
UNSURE = (")", "++", "--")
"""Behind these a slash divides, or opens a pattern."""
ACTS = re.compile(r"system|getline|[|>@]")
ENDS = frozenset((";", "\n", "}"))
NOT_FILES = ("/dev/stderr", "/dev/stdout", "/dev/tty", "/dev/null", "-")


def scan_awk(program: str) -> Scan:
    scan = Scan()
    if len(program) > PROGRAM_MAX:
        scan.unknown = True
        return scan
    tokens, sure = _tokens(program)
    scan.unlisted = not sure and ACTS.search(program) is not None
    printing, depth, base = False, 0, 0
    for at, part in enumerate(tokens):
        if part in ("print", "printf"):
            printing, base = True, depth
        elif part in "([" and part:
            depth += 1
        elif part in ")]" and part:
            depth -= 1
        elif part in ENDS:
            printing = False
        elif part == "system" or (part in ("|", "|&") and _next(tokens, at) == "getline"):
            _command(scan, tokens, at)
        elif printing and depth <= base and part in (">", ">>"):
            target = _operand(tokens, at + 1)
            if target is None or not target:
                scan.unknown = True
            elif target not in NOT_FILES:
                scan.write("append" if part == ">>" else "overwrite", target)
        elif printing and depth <= base and part in ("|", "|&"):
            command = _operand(tokens, at + 1)
            if command and command[0] != "$":
                scan.commands.append(command)
            else:
                scan.unknown = True
        elif part.startswith("@"):
            scan.unknown = True
    return scan


def _tokens(program: str) -> tuple[list[str], bool]:
    """And whether it is sure which slashes open a pattern."""
    found: list[str] = []
    sure = True
    at = 0
    while at < len(program):
        last = found[-1] if found else ""
        if program[at] == "/" and (regex := REGEX.match(program, at)):
            sure = sure and last not in UNSURE
            if last in BEFORE_REGEX:
                found.append("//")
                at = regex.end()
                continue
        part = TOKEN.match(program, at)
        assert part is not None
        if part.lastgroup != "blank":
            found.append(part.group())
        at = part.end()
    return found, sure


def _next(tokens: list[str], at: int) -> str:
    return tokens[at + 1] if at + 1 < len(tokens) else ""


def _command(scan: Scan, tokens: list[str], at: int) -> None:
    """`system("...")` behind, or `"..." | getline` before; anything but one literal is unknown."""
    if tokens[at] == "system":
        literal = len(tokens) > at + 3 and tokens[at + 1] == "(" and tokens[at + 3] == ")"
        command = tokens[at + 2] if literal else ""
    else:
        before = tokens[at - 2] if at > 1 else ""
        command = tokens[at - 1] if at and before in ("", "(", ";", "{", "\n", "!", "while", "}") else ""
    if command.startswith('"'):
        scan.commands.append(unquote(command))
    else:
        scan.unknown = True


def _operand(tokens: list[str], at: int) -> str | None:
    """The target as a literal, or as a pattern of fields; None for what a variable says."""
    parts: list[str] = []
    depth = 0
    for part in tokens[at:]:
        if (part in ENDS or part in (",", "|", "&&", "||")) and depth == 0:
            break
        if part == "(":
            depth += 1
        elif part == ")":
            depth -= 1
            if depth < 0:
                break
        else:
            if part.isidentifier() and parts[-1:] != ["$"]:
                return None
            parts.append(unquote(part))
    return "".join(parts) if parts else None


def unquote(part: str) -> str:
    if len(part) > 1 and part[0] == part[-1] == '"':
        return re.sub(r"\\(.)", r"\1", part[1:-1])
    return part
