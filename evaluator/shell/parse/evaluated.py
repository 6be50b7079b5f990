"""Texts that the shell evaluates once more than they look: indices, and the transformations of `${x@...}`."""

from __future__ import annotations

import re

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
