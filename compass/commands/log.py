"""`compass log`: a line a check, newest last."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from compass.composition.settings import Here, here, nothing_yet
from compass.show.log_line import document, fitted, line_of, said_of
from compass.show.terminal import coloured, columns_of, wrapped
from evaluator.errors import StateError
from evaluator.state.history import KeptCheck

SHOWN = 20
LINES_MAX = 1000
_STYLES = {"held": "31", "let run": "33", "passed": "32", "skipped": "2"}
"""ANSI codes by verdict."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Each line: when, what became of the call (`let run`: it failed its check in observe mode), target, why, "
        "milliseconds, cost. With --json each check is one JSON object on a line of its own."
    )
    parser.add_argument(
        "--held",
        action="store_true",
        help="only what was held, or would have been in observe mode, and why",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--project", metavar="DIR", help="a project other than this folder's")
    which.add_argument("--all", action="store_true", help="every project on this machine")
    parser.add_argument(
        "-n", dest="count", type=_count, default=SHOWN, metavar="N", help=f"how many (default {SHOWN})"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0."""
    found = here(args.project)
    project = None if args.all else found.project
    shown = found.history.newest(project, args.count, denied=args.held) if args.count else []
    _print(shown, args)
    if not shown and not args.json and args.count:
        print("\n".join(wrapped(_none_of(found, args), columns_of())))
    return 0


def _print(found: Sequence[KeptCheck], args: argparse.Namespace) -> None:
    styled, columns = coloured(), columns_of()
    for kept in found:
        if args.json:
            print(json.dumps(document(kept)))
            continue
        try:
            cells = fitted(line_of(kept), columns)
        except StateError as error:
            print(f"compass log: {error}", file=sys.stderr)
            continue
        code = _STYLES.get(cells[1].strip(), "") if styled else ""
        if code:
            cells[1] = f"\x1b[{code}m{cells[1]}\x1b[0m"
        print(" ".join(cells).rstrip())
        if args.held:
            print("\n".join(said_of(kept, columns)))
    sys.stdout.flush()


def _none_of(found: Here, args: argparse.Namespace) -> str:
    if not found.history.exists or not found.history.last_place():
        return nothing_yet(found.history)
    what = "no call was held" if args.held else "no check yet"
    return what if args.all else f"{what} in {found.project}. `compass log --all` shows every project"


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= LINES_MAX:
        raise argparse.ArgumentTypeError(f"a number from 0 to {LINES_MAX}")
    return number
