"""`compass hook`: help and wrong usage. The hook itself returns from `compass.entry` long before this."""

from __future__ import annotations

import argparse
import sys

from hooks import registry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "event",
        choices=sorted(registry.default_host().EVENTS),
        help="the host's event; its payload is read from stdin",
    )
    parser.add_argument(
        "--wired",
        nargs="+",
        metavar="WORD",
        help="what the entry says about itself; `compass init` writes it",
    )


def run(args: argparse.Namespace) -> int:
    from compass.hook.entry import judge
    from hooks.client import run as run_hook

    sys.stdout.flush()
    return run_hook(str(args.event), lambda: judge)
