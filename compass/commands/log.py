"""`compass log`: a line a check, newest last; `--follow` goes on with what other processes keep."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence

from compass.composition.settings import Here, here, nothing_yet
from compass.show.log_line import document, fitted, line_of, said_of
from compass.show.terminal import coloured, columns_of, wrapped
from evaluator.errors import StateError
from evaluator.state.history import History, KeptCheck

SHOWN = 20
AT_ONCE = 1000
POLL_SECONDS = 0.5
_STYLES = {"held": "31", "let run": "33", "passed": "32", "skipped": "2"}
"""ANSI codes by verdict."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Each line: when, what became of the call (`let run`: it failed its check in observe mode), target, why, "
        "milliseconds, cost. With --json each check is one JSON object on a line of its own."
    )
    parser.add_argument("--follow", "-f", action="store_true", help="go on with new checks until Ctrl-C")
    parser.add_argument(
        "--held",
        action="store_true",
        help="only what was held, or would have been in observe mode, and why",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--project", metavar="DIR", help="another project than that of this folder")
    which.add_argument("--all", action="store_true", help="every project of this machine")
    parser.add_argument(
        "-n", dest="count", type=_count, default=SHOWN, metavar="N", help=f"how many (default {SHOWN})"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0; with --follow too, once it is told to end or nobody reads on."""
    found = here(args.project)
    try:
        return _show(found, None if args.all else found.project, args)
    except KeyboardInterrupt:
        return 0
    except BrokenPipeError:
        # Who read has enough; a second error at shutdown would hide that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _show(found: Here, project: str | None, args: argparse.Namespace) -> int:
    history = found.history
    last = history.last_place()
    shown = history.newest(project, args.count, denied=args.held) if args.count else []
    _print(shown, args)
    if not shown and not args.json and args.count:
        to = sys.stderr if args.follow else sys.stdout
        print("\n".join(wrapped(_none_of(found, args), columns_of(to))), file=to, flush=True)
    if args.follow:
        _follow(history, project, max([last, *(kept.place for kept in shown)]), args)
    return 0


def _follow(history: History, project: str | None, last: int, args: argparse.Namespace) -> None:
    """Until it is interrupted, or the reader of our output has left. Raises BrokenPipeError then."""
    file = _file(history)
    while True:
        time.sleep(POLL_SECONDS)
        newest, before, file = history.last_place(), file, _file(history)
        if newest < last:
            # Checks were erased, or another database stands there.
            last = newest if file == before else 0
        if newest == last:
            _still_read()
            continue
        fresh = history.newest(project, AT_ONCE, denied=args.held, after=last)
        last = max([newest, *(kept.place for kept in fresh)])
        _print(fresh, args)


def _file(history: History) -> tuple[int, int] | None:
    try:
        found = os.stat(history.path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _still_read() -> None:
    """Raises BrokenPipeError where the other end of our output is closed: nothing may come for hours."""
    import select

    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    if any(event & (select.POLLERR | select.POLLHUP | select.POLLNVAL) for _, event in poll.poll(0)):
        raise BrokenPipeError


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
    if not 0 <= number <= AT_ONCE:
        raise argparse.ArgumentTypeError(f"a number from 0 to {AT_ONCE}")
    return number
