"""A light look at a shell command, for its words only; what it does is the classifier's business. Pure."""

from __future__ import annotations

import re

from evaluator.language import words

_SUBCOMMANDS = """
    origin upstream HEAD run exec install ci i add commit push pull check build test apply up get update remove
    uninstall"""
SUBCOMMANDS = frozenset(_SUBCOMMANDS.split())
SEGMENT = re.compile(r"&&|\|\||[;|]")
FORCEFUL = re.compile(r"\s(?:--force(?:-with-lease)?|-f|--hard)\b")
SHELL_WORD = re.compile(r"'[^']*'|\"[^\"]*\"|[^\s;|&<>()]+")


def segments(command: str) -> list[list[str]]:
    """The simple commands of a line as words, without quotes; prose in quotes left out."""
    found: list[list[str]] = []
    for part in SEGMENT.split(command.split("\n", 1)[0])[:20]:
        spelled = [word.strip("'\"") for word in SHELL_WORD.findall(part)]
        kept = [word for word in spelled if word and " " not in word]
        if kept:
            found.append(kept)
    return found


def shell_values(command: str) -> list[str]:
    """What a command without paths is about: names, and the word for the flag that makes it forceful."""
    said = [
        word
        for _, *arguments in segments(command)
        for word in arguments
        if word[0].isalnum() and len(word) > 1
    ]
    kept = [word for word in said if word.lower() not in words.GENERIC and word not in SUBCOMMANDS]
    return [*kept, "force"] if FORCEFUL.search(command) else kept
