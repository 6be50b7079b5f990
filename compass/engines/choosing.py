"""`--engine` and `--jobs`: where a command's bulk work runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from compass.engines.engine import cores
from compass.joining.extras import needing

if TYPE_CHECKING:
    from compass.engines.engine import Engine

PROCESSES, RAY = "processes", "ray"


def add_engine(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    parser.add_argument(
        "--jobs", type=_positive, metavar="N", help="processes that judge by rules (default: one a core)"
    )
    parser.add_argument(
        "--engine", type=_engine, default=PROCESSES, metavar="ENGINE",
        help="where they run: processes, ray, or ray://HOST:PORT of a cluster (default: %(default)s)",
    )  # fmt: skip


def jobs_of(args: argparse.Namespace) -> int:
    """How many processes were asked for; 1 where the work is done in this one."""
    return args.jobs or cores()


def opened(args: argparse.Namespace) -> Engine:
    """The caller closes it. Raises CompassError for an extra that is missing and a cluster that does not answer."""
    if args.engine == PROCESSES:
        from compass.engines.processes import Processes

        return Processes(jobs_of(args))
    with needing(RAY):
        from compass.engines.on_ray import OnRay
    return OnRay("" if args.engine == RAY else args.engine, args.jobs)


def here(args: argparse.Namespace) -> bool:
    """Whether no other process is wanted."""
    return args.engine == PROCESSES and jobs_of(args) == 1


def _engine(text: str) -> str:
    if text not in (PROCESSES, RAY) and not (text.startswith("ray://") and len(text) > len("ray://")):
        raise argparse.ArgumentTypeError(f"not an engine: {text!r} (processes, ray or ray://HOST:PORT)")
    return text


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
