"""`compass why PATH`: which request and which answer each recorded write of a file came from, newest first."""

from __future__ import annotations

import argparse
import json
import sys
import time

from compass.composition.settings import here, nothing_yet
from compass.show.log_line import verdict_of
from compass.show.provenance import Write, as_json, rows, writes_of
from compass.show.terminal import coloured, columns_of
from compass.show.wrapping import labelled, wrapped
from evaluator.errors import StateError
from evaluator.settings.repository import resolved
from evaluator.terminal import printable

SHOWN = 20
TEXT_CHARS = 300
INDENT = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a file; it may be gone by now")
    parser.add_argument(
        "-n", dest="count", type=int, default=SHOWN, metavar="N", help=f"how many (default {SHOWN})"
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0; 1 for a file of which nothing is recorded. Raises StateError."""
    found = here()
    try:
        path = resolved(args.path)
    except (OSError, ValueError):
        raise StateError("a path that no system takes") from None
    history = found.history
    writes, held = writes_of(history.naming(path), path, history.written(path))
    if args.json:
        print(json.dumps([as_json(write) for write in writes[: max(0, args.count)]], indent=2))
        return 0 if writes else 1
    shown = printable(path)
    if not writes:
        also = f" {_held(held)}; `compass log --held` lists held ones." if held else ""
        why = f"no write of {shown} is recorded.{also}" if history.last_place() else nothing_yet(history)
        print(f"compass why: {why}", file=sys.stderr)
        return 1
    styled = coloured()
    for number, write in enumerate(writes[: max(0, args.count)]):
        if number:
            print()
        _show(write, styled=styled)
    if len(writes) > args.count:
        print(f"\n{len(writes) - args.count} more: `compass why -n {len(writes)} PATH`")
    if held:
        print(f"\n{_held(held)}; `compass log --held` lists held ones.")
    return 0


def _show(write: Write, *, styled: bool) -> None:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(write.kept.at))
    ran = "written" if write.written is not None else "let through, its result is not known"
    tool = printable(write.check.pending.tool_name, TEXT_CHARS)
    title = f"{when}  {tool}: {write.operation}, {ran} ({verdict_of(write.check)})"
    for line in wrapped(title, columns_of(), 2, 0):
        print(f"\x1b[1m{line}\x1b[0m" if styled else line)
    for label, text in rows(write):
        head = f"  {label:<{INDENT}}"
        print("\n".join(labelled(head, printable(text, TEXT_CHARS), columns_of(), len(head))))
    print(f"  {'check':<{INDENT}}compass explain {printable(write.check.check_id)}")


def _held(count: int) -> str:
    return "1 call that would have touched it was held" if count == 1 else f"{count} such calls were held"
