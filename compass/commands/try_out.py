"""`compass try`: a held write and its answers, played in a scratch folder through the real gate."""

from __future__ import annotations

import argparse
import json

from compass.tutorial import Screen, Walk, scratch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Answers are read from stdin, one per line: printf '2\\n' | compass try"


def run(args: argparse.Namespace) -> int:
    """Exit code 0, also where the input ends early; KeyboardInterrupt passes, after the folder is gone."""
    screen = Screen(as_json=args.json)
    try:
        with scratch() as made:
            Walk(made, screen).run()
    except KeyboardInterrupt:
        screen.text("")
        screen.text("Stopped. Nothing was deleted except what was in the scratch folder, and that is gone.")
        raise
    if args.json:
        print(json.dumps(screen.steps, indent=2))
    return 0
