"""The command line: reads it, runs one command, and tells what went wrong."""

from __future__ import annotations

import os
import sys

from compass.usage import COMMANDS, UsageError, module_of, parser_with, tell, tell_usage
from evaluator.errors import CompassError

__all__ = ["COMMANDS", "main", "parser_with"]

JSON = "--json"
ELSEWHERE = (
    "Compass runs on Linux, is expected to on macOS, and does not run on Windows itself: its hooks need Unix sockets "
    "and file locks. Install it inside WSL, where your agent runs, too."
)


def main(argv: list[str]) -> int:
    """Exit codes: 0 fine, 1 an error, 2 denied (`check`) or wrong usage, 130 interrupted."""
    words = _asked(argv)
    chosen = next((word for word in words if not word.startswith("-")), "")
    as_json = JSON in words
    try:
        args = parser_with((chosen,)).parse_args(words)
    except UsageError as error:
        tell_usage(error, as_json=as_json)
        raise SystemExit(2) from None
    command = " ".join(filter(None, (args.command, getattr(args, "action", None))))
    if sys.platform == "win32":
        tell(CompassError(ELSEWHERE), command, as_json=as_json)
        return 1
    try:
        return module_of(COMMANDS[args.command]).run(args)
    except CompassError as error:
        tell(error, command, as_json=as_json)
        return 1
    except BrokenPipeError:
        # The reader of our output left; a second error at shutdown would hide that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _asked(argv: list[str]) -> list[str]:
    """Without words the help is meant, and `help COMMAND` is `COMMAND --help`."""
    if not argv:
        return ["--help"]
    if argv[0] == "help":
        return [*(word for word in argv[1:] if not word.startswith("-")), "--help"]
    return argv
