"""`--jobs` and `--engine`: bulk work by rules over the cores of this machine, or on a Ray cluster, by joblib.

Results come in the order of the work, so a command writes the same whatever ran where. The only module that imports
joblib or Ray.
"""

from __future__ import annotations

import argparse
import logging
import os
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

import compass
from compass.arguments import positive
from compass.extras import needing
from evaluator.errors import CompassError

PROCESSES, RAY = "processes", "ray"
HIDDEN = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
LOST = ("TerminatedWorkerError", "BrokenProcessPool", "RayActorError", "ActorDiedError")
"""What joblib's own processes, and Ray's, raise where a worker process was killed."""
BLOCK = 64
"""Pieces of work for each process between two waits for all of them."""

R = TypeVar("R")
T = TypeVar("T")
Maker = Callable[[], Callable[..., R]]
"""Picklable: told all that it goes by, it comes to the same function in any process."""


def add_engine(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    told = "processes that judge by rules (default: one per core)"
    parser.add_argument("--jobs", type=positive, metavar="N", help=told)
    parser.add_argument(
        "--engine", type=_parse_parallel_engine, default=PROCESSES, metavar="ENGINE",
        help="where they run: processes, or the Ray cluster at ray://HOST:PORT (default: %(default)s)",
    )  # fmt: skip


def stays_here(args: argparse.Namespace, *, little: bool) -> bool:
    """Whether no other process is worth starting."""
    return args.engine == PROCESSES and (little or _parallel_job_count(args) == 1)


def mapped(args: argparse.Namespace, make: Maker[R], work: Iterable[T]) -> Iterator[R]:
    """What the made function says of each piece, in order. Each process makes it once. Raises CompassError for a
    missing extra, a cluster that does not answer and a process that ended, besides what the function raises."""
    packed = pickle.dumps((compass.__version__, make), pickle.HIGHEST_PROTOCOL)
    pieces = iter(work)
    with _open_parallel_pool(args) as parallel:
        from joblib import delayed  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

        while block := list(islice(pieces, BLOCK * _parallel_job_count(args))):
            try:
                yield from parallel(delayed(_run_parallel_piece)(packed, piece) for piece in block)
            except Exception as error:
                if type(error).__name__ in LOST:
                    raise CompassError("a worker process ended; run the same command again") from error
                raise


def without_keys(env: Mapping[str, str]) -> dict[str, str]:
    """Rules need nothing that opens a door."""
    return {name: value for name, value in env.items() if not any(word in name.upper() for word in HIDDEN)}


def _run_parallel_piece(packed: bytes, piece: object) -> Any:
    return _make_parallel_function(packed)(piece)


@lru_cache(maxsize=1)
def _make_parallel_function(packed: bytes) -> Callable[..., Any]:
    """Raises RuntimeError in a process of another version."""
    version, make = pickle.loads(packed)  # noqa: S301 - of the process that handed it over
    if version != compass.__version__:
        raise RuntimeError(f"a worker is running Compass {compass.__version__}, but this is {version}")
    made: Callable[..., Any] = make()
    return made


@contextmanager
def _open_parallel_pool(args: argparse.Namespace) -> Generator[Any]:
    from joblib import Parallel, parallel_config  # pyright: ignore[reportMissingTypeStubs]

    with ExitStack() as stack:
        if args.engine != PROCESSES:
            stack.enter_context(_parallel_ray_cluster(args.engine))
            stack.enter_context(parallel_config(RAY))
        yield stack.enter_context(
            Parallel(
                n_jobs=-1 if args.engine != PROCESSES and not args.jobs else _parallel_job_count(args),
                batch_size=8,  # pyright: ignore[reportArgumentType] - its types are read off the default, "auto"
            )
        )


@contextmanager
def _parallel_ray_cluster(address: str) -> Generator[None]:
    """Connected to the cluster at `ray://HOST:PORT`. Raises CompassError where none answers."""
    # Ray reads it when it is imported.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with needing(RAY):
        import ray
        from ray.exceptions import RayError
        from ray.util.joblib import register_ray
    # Its import sets a level of its own.
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        ray.init(address, configure_logging=False, log_to_driver=False)  # pyright: ignore[reportUnknownMemberType]
    except (ConnectionError, RayError, RuntimeError, ValueError) as error:
        lines = str(error).splitlines()
        raise CompassError(
            f"{address} is not answering: {lines[0] if lines else type(error).__name__}"
        ) from None
    try:
        register_ray()  # type: ignore[no-untyped-call]
        yield
    finally:
        ray.shutdown()  # pyright: ignore[reportUnknownMemberType]


def _parallel_job_count(args: argparse.Namespace) -> int:
    if args.jobs:
        return int(args.jobs)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _parse_parallel_engine(text: str) -> str:
    if text != PROCESSES and not (text.startswith("ray://") and len(text) > len("ray://")):
        raise argparse.ArgumentTypeError(f"not an engine: {text!r}; use processes or ray://HOST:PORT")
    return text
