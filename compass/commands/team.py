"""`compass team`: a team's evaluator, for those who ask it and for those who administer it."""

from __future__ import annotations

import argparse

from compass.commands import team_admin, team_own


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    team_own.add_actions(actions)
    team_admin.add_actions(actions)


def run(args: argparse.Namespace) -> int:
    """The action's exit code. Raises CompassError."""
    return team_own.run(args) if hasattr(args, "act") else team_admin.run(args)
