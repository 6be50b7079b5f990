"""What a command does through scripts that the turn wrote before: read from disk, judged like the command itself."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection

from evaluator.effects import text_of
from evaluator.exhaustion import raise_want
from evaluator.model import Effect, PendingWrite

SCRIPT_BYTES_MAX = 64 * 1024
"""A longer script is not read: what it does is unknown."""


def effects_through(pending: PendingWrite, files: Collection[str]) -> tuple[Effect, ...]:
    """The effects of those of `files`, absolute paths, that the command runs; empty where it runs none."""
    from compass.joining.shell import classify, explain
    from evaluator.effects import digest, effect
    from evaluator.shell.walk.written import SCRIPT_WORDS, SHELLS, inline_form, interpreter_of

    found: dict[Effect, None] = {}
    for ran in explain(text_of(pending.tool_input, "command"), pending.cwd).ran:
        if not any(one.operation == "unknown" and one.verdict == "write" for one in ran.outcomes):
            continue
        for at, word in enumerate(ran.words[:SCRIPT_WORDS]):
            path = os.path.realpath(os.path.join(ran.cwd, word))
            text = _text(path) if path in files else ""
            if text is None:
                found[effect("unknown", identity=digest(path))] = None
            elif text:
                program = interpreter_of(ran.words[0], text, runs_itself=at == 0)
                inline = inline_form(program)
                code = text if program in SHELLS else shlex.join((*inline, text)) if inline else ""
                found |= dict.fromkeys(classify(code, ran.cwd).each if code else ())
    return tuple(found)


def _text(path: str) -> str | None:
    """None for what cannot be read whole."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(SCRIPT_BYTES_MAX + 1)
    except OSError as error:
        raise_want(error)
        return ""
    return text if len(text) <= SCRIPT_BYTES_MAX else None
