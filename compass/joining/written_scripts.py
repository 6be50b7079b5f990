"""What a command does through scripts that the turn wrote before: read from disk, judged like the command itself."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from evaluator.configuration.settings import Bash
from evaluator.effects import is_unlisted, text_of
from evaluator.exhaustion import raise_want
from evaluator.model import Effect, PendingWrite

SCRIPT_BYTES_MAX = 64 * 1024
"""A longer script is not read: what it does is unknown."""


BUILDS = frozenset(("build", "format"))
"""Families of programs that load what a project configures them with."""


def builds(pending: PendingWrite, rules: Bash) -> bool:
    """Whether the command builds, tests or lints."""
    from compass.joining.shell import explain

    ran = explain(text_of(pending.tool_input, "command"), pending.cwd, rules).ran
    return any(outcome.family in BUILDS for one in ran for outcome in one.outcomes)


def effects_through(pending: PendingWrite, files: Mapping[str, bool]) -> tuple[Effect, ...]:
    """The effects of those of `files`, absolute paths, that the command runs; empty where it runs none.

    A file is given with whether its text was judged: what that text does is not known, and nobody read it, is a run.
    """
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
                does = classify(code, ran.cwd).each if code else ()
                found |= dict.fromkeys(does)
                if not files[path] and (not code or any(map(is_unlisted, does))):
                    found[effect("run", path)] = None
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
