"""How a command is told which agent is meant."""

from __future__ import annotations

import argparse

from hooks import registry


def add_host(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    """`--host NAME`; the default one without it."""
    parser.add_argument(
        "--host",
        choices=sorted(registry.HOSTS),
        default=registry.DEFAULT,
        help=f"the agent that is meant (default: {registry.DEFAULT})",
    )
