"""`compass team`: a team's evaluator, for its administrators."""

from __future__ import annotations

import argparse

from compass.commands import team_admin


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    team_admin.add_actions(actions)


def run(args: argparse.Namespace) -> int:
    """Exit code 0. Raises CompassError."""
    return team_admin.run(args)
