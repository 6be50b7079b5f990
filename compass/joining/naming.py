"""How a command is told which agent and which readers are meant."""

from __future__ import annotations

import argparse

from evaluator.backends import EMBEDDED
from evaluator.configuration.settings import KEYS
from hooks import registry


def add_host(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,  # pyright: ignore[reportPrivateUsage]
    default: str = registry.DEFAULT,
) -> None:
    """`--host NAME`; the default one without it. Empty for a command that tells it by itself."""
    parser.add_argument(
        "--host",
        choices=sorted(registry.HOSTS),
        default=default,
        help=f"the agent that is meant (default: {default or 'told by what is read'})",
    )


def add_readers(parser: argparse.ArgumentParser) -> None:
    """`--backend NAME` of who judges recorded sessions, rules without it; `--yes` for those that are hosted."""
    parser.add_argument(
        "--backend",
        choices=KEYS["evaluator.backend"].choices,
        default=EMBEDDED,
        help="who judges recorded sessions (default: %(default)s)",
    )
    parser.add_argument("--yes", action="store_true", help="let hosted readers be asked without a question")
