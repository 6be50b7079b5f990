"""A sed script: does it write files (`w`), run commands (`e`), or only edit its stream?"""

from __future__ import annotations

import re

from evaluator.shell.code.scan import Scan

SCRIPT_MAX = 20_000
SHELL_PART = re.compile(r"\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|\$[A-Za-z_]\w*|\$[0-9]")
ADDRESS = re.compile(r"[ \t;\n]*(?:(?:\d+(?:~\d+)?|\$|[+~]\d+|0)[ \t]*,?[ \t]*)*")
FLAGS = re.compile(r"[gpiImM0-9]*")
LABEL = re.compile(r"[^;\n}]*")
LINE = re.compile(r"(?:[^\n\\]|\\.|\\\n)*", re.DOTALL)
ALONE = "=dDgGhHnNpPxzFqQlL{}"


def scan_sed(script: str, *, dynamic: bool = False) -> Scan:
    """In a `dynamic` script shell values stand for text. What cannot be followed is unknown."""
    scan = Scan()
    if len(script) > SCRIPT_MAX:
        scan.unknown = True
        return scan
    text = SHELL_PART.sub("1", script) if dynamic else script
    at = 0
    while at < len(text):
        at = _address(text, at)
        if at >= len(text):
            break
        command = text[at]
        at += 1
        if command in " \t;\n!":
            continue
        if command in "#rRv":
            at = _line_end(text, at)
        elif command in "sy":
            at = _substitution(text, at, scan, command)
        elif command in "aic":
            at = LINE.match(text, at).end() + 1  # type: ignore[union-attr]
        elif command in "bt:T":
            at = LABEL.match(text, at).end()  # type: ignore[union-attr]
        elif command in "wW":
            end = _line_end(text, at)
            scan.write("overwrite", text[at:end].strip())
            at = end
        elif command == "e":
            end = _line_end(text, at)
            ran = text[at:end].strip()
            # Without a command it runs what stands in the pattern space.
            if ran and not dynamic:
                scan.commands.append(ran)
            else:
                scan.unknown = True
            at = end
        elif command in ALONE:
            while at < len(text) and text[at] in " \t0123456789":
                at += 1
        else:
            scan.unknown = True
            return scan
    return scan


def _address(text: str, at: int) -> int:
    while at < len(text):
        start = at
        found = ADDRESS.match(text, at)
        at = found.end() if found else at
        if at < len(text) and (text[at] == "/" or (text[at] == "\\" and at + 1 < len(text))):
            delimiter = "/" if text[at] == "/" else text[at + 1]
            at = _until(text, at + (1 if text[at] == "/" else 2), delimiter)
            while at < len(text) and text[at] in "IM ,\t":
                at += 1
        if at == start:
            return at
    return at


def _until(text: str, at: int, delimiter: str) -> int:
    """Behind the next delimiter that is neither escaped nor inside of a bracket expression."""
    bracket = False
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if char == "[" and not bracket and delimiter != "[":
            bracket = True
            at += 2 if text[at + 1 : at + 2] in ("]", "^") else 1
            continue
        if char == "]":
            bracket = False
        elif char == delimiter and (
            not bracket or "]" not in text[at : text.find("\n", at) if "\n" in text[at:] else len(text)]
        ):
            return at + 1
        at += 1
    return at


def _substitution(text: str, at: int, scan: Scan, command: str) -> int:
    if at >= len(text):
        scan.unknown = True
        return at
    delimiter = text[at]
    at = _until(text, at + 1, delimiter)
    at = _until_plain(text, at, delimiter)
    if command == "y":
        return at
    while at < len(text):
        found = FLAGS.match(text, at)
        at = found.end() if found else at
        if at < len(text) and text[at] == "w":
            end = _line_end(text, at)
            scan.write("overwrite", text[at + 1 : end].strip())
            return end
        if at < len(text) and text[at] == "e":
            scan.unknown = True
            at += 1
            continue
        return at
    return at


def _until_plain(text: str, at: int, delimiter: str) -> int:
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == delimiter:
            return at + 1
        else:
            at += 1
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
