"""What a shell command would do. One function; a command that is not plainly read-only is write-class."""

from __future__ import annotations

import os

from evaluator.model import Effect
from evaluator.stages.effect import CLASS_OF

READ_ONLY_PROGRAMS = frozenset((
    "basename", "cat", "cd", "cmp", "column", "comm", "cut", "date",
    "df", "diff", "dirname", "du", "echo", "egrep", "fgrep", "file",
    "grep", "head", "hostname", "id", "ls", "md5sum", "nl", "od",
    "printenv", "ps", "pwd", "readlink", "realpath", "rg", "seq", "sha256sum",
    "sleep", "stat", "strings", "tail", "test", "tr", "tree", "true",
    "type", "uname", "uniq", "wc", "which", "whoami", "xxd",
))  # fmt: skip
READ_ONLY_GIT = frozenset((
    "blame", "describe", "diff", "log", "ls-files", "ls-tree", "rev-parse", "shortlog",
    "show", "status",
))  # fmt: skip
DELETING_PROGRAMS = frozenset((
    "rm", "rmdir", "shred", "unlink",
))  # fmt: skip
# Anything here may run, write or hide something; only the parser of a later version can tell.
META = frozenset("`$<>&;|(){}\n\r\\*?[]~#!'\"")
CODE_FLAGS = frozenset(("-c", "-e", "-E", "-lc", "-ec", "--eval", "-p", "--print", "-r", "eval"))
WRITING_FLAGS = ("--output", "-o", "--ext-diff", "--textconv", "--pre", "--compress-program")


def classify(command: str, cwd: str) -> Effect:
    """`cwd` is absolute; targets are named for plain deletions only."""
    import shlex

    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        return Effect("unknown", "unknown", CLASS_OF["unknown"])
    if not META & set(command):
        if _reads_only(words):
            return Effect("read_only", "read", CLASS_OF["read"], command=command)
        if words[0] in DELETING_PROGRAMS:
            targets = tuple(
                os.path.normpath(os.path.join(cwd, word)) for word in words[1:] if not word.startswith("-")
            )
            return Effect("write", "delete", CLASS_OF["delete"], targets, command)
    return Effect("write", "unknown", CLASS_OF["unknown"], command=_without_code(command, words))


def _without_code(command: str, words: list[str]) -> str:
    """Heredoc bodies and inline code stay here: later lines are left out, and all arguments of code flags."""
    if any(word in CODE_FLAGS for word in words):
        return words[0]
    return command.strip().split("\n", 1)[0]


def _reads_only(words: list[str]) -> bool:
    if any(word == flag or word.startswith(flag + "=") for word in words for flag in WRITING_FLAGS):
        return False
    if words[0] == "git":
        return len(words) > 1 and words[1] in READ_ONLY_GIT
    return words[0] in READ_ONLY_PROGRAMS
