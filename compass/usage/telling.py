"""What went wrong: a sentence on stderr, and with --json an object on stdout beside it."""

from __future__ import annotations

import json
import sys
from typing import cast

from compass.show.terminal import columns_of, is_terminal
from compass.show.wrapping import wrapped
from compass.usage.parser import UsageError
from evaluator.terminal import safe

FAILED, MISUSED = 1, 2


def tell(error: Exception, command: str, *, as_json: bool, code: int = FAILED) -> None:
    """Of a command that ends with `code`."""
    if as_json:
        print(json.dumps(document(error, command, code)))
    _say(f"compass {command}: {safe(str(error), keep=chr(10))}")


def tell_usage(error: UsageError, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(document(error, error.prog.partition(" ")[2], MISUSED)))
    sys.stderr.write(error.usage)
    _say(f"{error.prog}: {safe(error.message)}")


def document(error: Exception, command: str, code: int) -> dict[str, object]:
    """What scripts are given in place of the command's own document."""
    told: dict[str, object] = {
        "type": type(error).__name__,
        "command": command or None,
        "message": str(error),
        "exit_code": code,
    }
    near = cast(tuple[str, ...], getattr(error, "near", ()))
    missing = cast(tuple[str, ...], getattr(error, "missing", ()))
    if near:
        told["did_you_mean"] = list(near)
    if missing:
        told["missing"] = list(missing)
    return {"error": told}


def _say(text: str) -> None:
    sys.stdout.flush()
    for line in text.split("\n"):
        shown = wrapped(line, columns_of(sys.stderr)) if is_terminal(sys.stderr) else [line]
        print("\n".join(shown), file=sys.stderr)
