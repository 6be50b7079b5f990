"""Scripts of sed and awk: which files they write and what they run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evaluator.model import Operation
from evaluator.shell.call import Outcome, Shell, Stdin, dynamic, reads, unlisted, writes
from evaluator.shell.words import Word
from evaluator.text import names

OF_THEIR_OWN = ("agent", "keyboard")
"""Families whose rules hold whatever starts them."""


@dataclass(slots=True)
class Scan:
    """`unlisted` if something in the code is not known; `unknown` if it writes or runs what cannot be told."""

    written: list[tuple[Operation, tuple[str, ...]]] = field(
        default_factory=list[tuple[Operation, tuple[str, ...]]]
    )
    commands: list[str] = field(default_factory=list[str])
    programs: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    unlisted: bool = False
    unknown: bool = False

    def write(self, operation: Operation, *targets: str) -> None:
        self.written.append((operation, targets))

    def outcomes(self, shell: Shell, family: str = "code") -> list[Outcome]:
        """What awk and sed run is read. Code of a language that starts a process may do anything with it: that is
        unknown, with the targets that the process plainly has."""
        found = [writes(operation, targets, family) for operation, targets in self.written]
        ran = [one for command in self.commands for one in shell.run_code(command, (), Stdin("pipe"))]
        ran += [one for argv in self.programs for one in shell.run_words([Word(text) for text in argv])]
        if family == "text":
            found += ran
        elif ran:
            found.append(dynamic(family, [target for one in ran for target in one.targets]))
            found += [one for one in ran if one.family in OF_THEIR_OWN or one.offence]
        if self.unknown:
            found.append(dynamic(family))
        elif self.unlisted:
            found.append(unlisted(family))
        return found or [reads(family)]


def unknown() -> Scan:
    return Scan(unknown=True)


SCRIPT_MAX = 20_000
SHELL_PART = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|(?<!,)\$[A-Za-z_]\w*|\$(?![dpq](?!\w))\w+")
r"""But for the last line in `"3,\$p"`, which looks like a variable."""
BLANKS = r"[ \t]*+"
END = rf"{BLANKS}(?:;|\n|\Z|(?=[}}#]))"
BRACKET = r"\[\^?\]?(?:\[[:.=][a-z]+[:.=]\]|\\(?!\])|[^\]\n\\])*+\]"
SIGN = r"([^a-zA-Z0-9\s\\\[\]])"


def _script_pattern_to(sign: str) -> str:
    """A regular expression up to the sign that ends it, which stands for itself inside of brackets."""
    return rf"(?:\\.|{BRACKET}|(?!{sign})[^\\\n\[])*+{sign}"


def _script_text_to(sign: str) -> str:
    return rf"(?:\\[\s\S]|(?!{sign})[^\\\n])*+{sign}"


SIGNED = "|".join(rf"\\{re.escape(sign)}{_script_pattern_to(re.escape(sign))}" for sign in "%|#,@!:")
PLACE = rf"(?:\d+(?:~\d+)?|\$|(?:/{_script_pattern_to('/')}|{SIGNED})[IM]*)"
BETWEEN = re.compile(r"[\s;]*+")
ADDRESS = re.compile(rf"(?:{PLACE}{BLANKS}(?:,{BLANKS}(?:{PLACE}|[+~]\d+){BLANKS})?)?(?:!{BLANKS})*")
EDITS = re.compile(
    rf"\{{|\}}{END}|#[^\n]*|:{BLANKS}\w+{BLANKS}(?:;|\n|\Z)|[btT]{BLANKS}\w*+{END}|[=dDgGhHnNpPxzF]{END}"
    rf"|[qQlL]{BLANKS}\d*{END}|[rR][^\n]*|[aic]{BLANKS}(?:[^\n\\]|\\[\s\S])*+|y{SIGN}{_script_text_to(chr(92) + '1')}"
    rf"{_script_text_to(chr(92) + '1')}{END}"
)
REPLACES = re.compile(
    rf"s{SIGN}{_script_pattern_to(chr(92) + '1')}{_script_text_to(chr(92) + '1')}[gpiImM0-9]*+"
)
FILE = re.compile(rf"[wW]{BLANKS}([^\n]+)")
RUNS = re.compile(r"e([^\n]*)")
ENDS = re.compile(END)


def scan_sed(script: str, *, dynamic: bool = False) -> Scan:
    """In a `dynamic` script shell values stand for text."""
    scan = Scan(unlisted=len(script) > SCRIPT_MAX)
    text = SHELL_PART.sub("1", script) if dynamic else script
    at = _skip_in_script(BETWEEN, text, 0)
    while at < len(text) and not scan.unlisted:
        at = _skip_in_script(ADDRESS, text, at)
        replaces = REPLACES.match(text, at)
        at = replaces.end() if replaces else at
        if found := (ENDS if replaces else EDITS).match(text, at):
            at = found.end()
        elif found := FILE.match(text, at):
            scan.write("overwrite", found.group(1).strip())
            at = found.end()
        elif found := RUNS.match(text, at):
            # Without a command it runs what stands in the pattern space.
            command = "" if replaces or dynamic else found.group(1).strip()
            scan.commands += [command] if command else []
            scan.unknown = scan.unknown or not command
            at = found.end()
        else:
            scan.unlisted = True
        at = _skip_in_script(BETWEEN, text, at)
    return scan


def _skip_in_script(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


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
AWK_ENDS = frozenset((";", "\n", "}"))
NOT_FILES = ("/dev/stderr", "/dev/stdout", "/dev/tty", "/dev/null", "-")


def scan_awk(program: str) -> Scan:
    if len(program) > PROGRAM_MAX:
        return unknown()
    tokens, sure = _tokens(program)
    scan = Scan(unlisted=not sure and ACTS.search(program) is not None)
    printing, depth, base = False, 0, 0
    for at, part in enumerate(tokens):
        if part in ("print", "printf"):
            printing, base = True, depth
        elif part in "([" and part:
            depth += 1
        elif part in ")]" and part:
            depth -= 1
        elif part in AWK_ENDS:
            printing = False
        elif part == "system" or (part in ("|", "|&") and tokens[at + 1 : at + 2] == ["getline"]):
            _scan_script_command(scan, tokens, at)
        elif printing and depth <= base and part in (">", ">>", "|", "|&"):
            operand = _awk_script_target(tokens, at + 1)
            if not operand or (part[0] == "|" and operand[0] == "$"):
                scan.unknown = True
            elif part[0] == "|":
                scan.commands.append(operand)
            elif operand not in NOT_FILES:
                scan.write("append" if part == ">>" else "overwrite", operand)
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


def _scan_script_command(scan: Scan, tokens: list[str], at: int) -> None:
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


def _awk_script_target(tokens: list[str], at: int) -> str | None:
    """The target as a literal, or as a pattern of fields; None for what a variable says."""
    parts: list[str] = []
    depth = 0
    for part in tokens[at:]:
        if (part in AWK_ENDS or part in (",", "|", "&&", "||")) and depth == 0:
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
