"""`compass statusline`: one line for the host's status line. As the host calls it, `compass.entry` answers alone."""

from __future__ import annotations

import argparse
import json
import posix
import sys
import time

from hooks import statusline


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Reads the host's JSON on stdin. `compass init --statusline` wires it; a status line of your own "
        "can call it."
    )


def run(args: argparse.Namespace) -> int:
    """Exit code 0. What the host passes besides is taken by `compass.entry`."""
    payload = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    found = statusline.looked(payload, posix.environ, time.time())
    if not args.json:
        print(statusline.line(found))
        return 0
    values = {name: getattr(found, name) for name in sorted(found.__slots__)} if found is not None else None
    print(json.dumps({"line": statusline.line(found), "session": values}, indent=2))
    return 0
