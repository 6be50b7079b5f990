"""Tasks of Ray: on this machine by a cluster of its own for as long as the work takes, or on one that is there.

What is started here listens on the loopback address alone and asks each caller for a token; it reports nothing to
anybody. The only module that imports Ray.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, ParamSpec, TypeVar

from compass.engines.engine import TIMES, Engine, KilledError, cores
from evaluator.errors import CompassError

P = ParamSpec("P")
R = TypeVar("R")
STORE_BYTES = 80 * 1024 * 1024
"""The least that Ray takes: cases and outcomes are small, and go from process to process."""


class OnRay(Engine):
    """`address` is empty for a cluster of this machine, of `jobs` processes; else of `ray://HOST:PORT`.

    Raises CompassError for one that cannot be reached.
    """

    def __init__(self, address: str, jobs: int | None) -> None:
        self._folder = ""
        self._ray = ray = _imported(local=not address)
        if address:
            _connect(ray, address)
            self.jobs = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        else:
            self.jobs = jobs or cores()
            self._folder = tempfile.mkdtemp(prefix="compass-ray-")
            try:
                _start(ray, self.jobs, self._folder)
            except BaseException:
                self.shutdown()
                raise
        self._work: Any = ray.remote(num_cpus=1, max_retries=TIMES - 1)(_carry_out)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        found: Future[R] = Future()
        found.set_running_or_notify_cancel()
        given: Future[R] = self._work.remote(partial(fn, *args, **kwargs)).future()
        given.add_done_callback(partial(_ended, self._ray.exceptions, found))
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._ray.shutdown()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _imported(*, local: bool) -> Any:
    """Ray reads some of the environment when it is imported. Raises ImportError."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if local:
        # Whoever reaches a cluster runs what they like on it: nobody does from outside, nor another user from here.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        os.environ["RAY_AUTH_MODE"], os.environ["RAY_AUTH_TOKEN"] = "token", secrets.token_hex(32)
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    import ray

    return ray


def _start(ray: Any, jobs: int, folder: str) -> None:
    """Its own processes end with this one, however that ends."""
    from ray._private import worker  # pyright: ignore[reportMissingTypeStubs]

    # It would tell of a killed worker on stdout, which is the command's own.
    setattr(worker, "_worker_logs_enabled", False)  # noqa: B010 - a name that is not public
    ray.init(
        "local",
        num_cpus=jobs,
        object_store_memory=STORE_BYTES,
        include_dashboard=False,
        configure_logging=False,
        log_to_driver=False,
        _temp_dir=folder,
    )


def _connect(ray: Any, address: str) -> None:
    try:
        ray.init(address, configure_logging=False, log_to_driver=False)
    except (ConnectionError, ray.exceptions.RayError, RuntimeError, ValueError) as error:
        lines = str(error).splitlines()
        raise CompassError(
            f"{address} does not answer: {lines[0] if lines else type(error).__name__}"
        ) from None


def _carry_out(work: Callable[[], Any]) -> Any:
    return work()


def _ended(exceptions: Any, found: Future[Any], given: Future[Any]) -> None:
    """What Ray says of a fault, as any executor would."""
    if given.cancelled():
        found.set_exception(CancelledError())
        return
    fault = given.exception()
    if fault is None:
        found.set_result(given.result())
    elif isinstance(fault, exceptions.RayTaskError):
        cause = getattr(fault, "cause", None)
        found.set_exception(cause if isinstance(cause, BaseException) else fault)
    elif isinstance(
        fault,
        (
            exceptions.WorkerCrashedError,
            exceptions.NodeDiedError,
            exceptions.OutOfMemoryError,
            exceptions.ObjectLostError,
        ),
    ):
        found.set_exception(KilledError())
    else:
        found.set_exception(fault)
