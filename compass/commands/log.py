"""`compass log`: a line a check, newest last."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from compass.arguments import positive
from compass.composition.settings import Here, here, nothing_yet
from compass.show.log_line import document, said_of, table_of
from compass.show.terminal import console_of, say
from evaluator.state.history import KeptCheck

SHOWN = 20


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
        "-n", dest="count", type=positive, default=SHOWN, metavar="N", help=f"how many (default {SHOWN})"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0."""
    found = here(args.project)
    project = None if args.all else found.project
    shown = found.history.newest(project, args.count, denied=args.held)
    _print(shown, args)
    if not shown and not args.json:
        say(_none_of(found, args))
    return 0


def _print(found: Sequence[KeptCheck], args: argparse.Namespace) -> None:
    if args.json:
        for kept in found:
            print(json.dumps(document(kept)))
        return
    console = console_of()
    if not args.held:
        console.print(table_of(found))
        return
    for kept in found:
        console.print(table_of([kept]))
        print("\n".join(said_of(kept, console.width)), flush=True)


def _none_of(found: Here, args: argparse.Namespace) -> str:
    if not found.history.last_place():
        return nothing_yet(found.history)
    what = "no call was held" if args.held else "no check yet"
    return what if args.all else f"{what} in {found.project}. `compass log --all` shows every project"
