"""A sed script, by a grammar of the commands that only edit its stream; `w` writes a file, `e` runs a command."""

from __future__ import annotations

import re

from evaluator.shell.code.scan import Scan

SCRIPT_MAX = 20_000
SHELL_PART = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|(?<!,)\$[A-Za-z_]\w*|\$(?![dpq](?!\w))\w+")
r"""But for the last line in `"3,\$p"`, which looks like a variable."""
BLANKS = r"[ \t]*+"
END = rf"{BLANKS}(?:;|\n|\Z|(?=[}}#]))"
BRACKET = r"\[\^?\]?(?:\[[:.=][a-z]+[:.=]\]|\\(?!\])|[^\]\n\\])*+\]"
SIGN = r"([^a-zA-Z0-9\s\\\[\]])"


def _pattern(sign: str) -> str:
    """A regular expression up to the sign that ends it, which stands for itself inside of brackets."""
    return rf"(?:\\.|{BRACKET}|(?!{sign})[^\\\n\[])*+{sign}"


def _text(sign: str) -> str:
    return rf"(?:\\[\s\S]|(?!{sign})[^\\\n])*+{sign}"


SIGNED = "|".join(rf"\\{re.escape(sign)}{_pattern(re.escape(sign))}" for sign in "%|#,@!:")
PLACE = rf"(?:\d+(?:~\d+)?|\$|(?:/{_pattern('/')}|{SIGNED})[IM]*)"
BETWEEN = re.compile(r"[\s;]*+")
ADDRESS = re.compile(rf"(?:{PLACE}{BLANKS}(?:,{BLANKS}(?:{PLACE}|[+~]\d+){BLANKS})?)?(?:!{BLANKS})*")
EDITS = re.compile(
    rf"\{{|\}}{END}|#[^\n]*|:{BLANKS}\w+{BLANKS}(?:;|\n|\Z)|[btT]{BLANKS}\w*+{END}|[=dDgGhHnNpPxzF]{END}"
    rf"|[qQlL]{BLANKS}\d*{END}|[rR][^\n]*|[aic]{BLANKS}(?:[^\n\\]|\\[\s\S])*+|y{SIGN}{_text(chr(92) + '1')}"
    rf"{_text(chr(92) + '1')}{END}"
)
REPLACES = re.compile(rf"s{SIGN}{_pattern(chr(92) + '1')}{_text(chr(92) + '1')}[gpiImM0-9]*+")
FILE = re.compile(rf"[wW]{BLANKS}([^\n]+)")
RUNS = re.compile(r"e([^\n]*)")
ENDS = re.compile(END)


def scan_sed(script: str, *, dynamic: bool = False) -> Scan:
    """In a `dynamic` script shell values stand for text."""
    scan = Scan(unlisted=len(script) > SCRIPT_MAX)
    text = SHELL_PART.sub("1", script) if dynamic else script
    at = _behind(BETWEEN, text, 0)
    while at < len(text) and not scan.unlisted:
        at = _behind(ADDRESS, text, at)
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
        at = _behind(BETWEEN, text, at)
    return scan


def _behind(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
