"""The service's process: how it begins and ends, joined with its transport."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from compass import __version__, root
from compass.daemon.judge import Judge
from compass.daemon.warm import Warm
from compass.hook.silent import is_silent
from evaluator import wire
from evaluator.service import lifecycle
from evaluator.service.server import CONNECTIONS_MAX, Limits, Service
from hooks import registry

if TYPE_CHECKING:
    from compass.daemon.http_service import HttpSide, Page

PRIVATE = ("ANTHROPIC_", "COMPASS_", "ONLOOKER_", "OPENAI_")
"""Variables of whoever started the service, as those of every host: each call brings its own."""


def serve(
    place: lifecycle.Place,
    *,
    idle_seconds: float,
    detached: bool,
    http: HttpSide | None = None,
    page: Callable[[Service], Page] | None = None,
) -> int:
    """Run until stopped or idle. Exit code 0; 1 if another service runs here. Raises ServiceError."""
    lifecycle.prepare(place.folder)
    lock = lifecycle.take_lock(place, lifecycle.TAKEOVER_SECONDS if _is_leaving(place) else 0.0)
    if lock is None:
        if not detached:
            print(f"compass serve: process {lifecycle.holder(place)} serves here already", file=sys.stderr)
        return 0 if detached else 1
    if detached:
        _detach()
    private = (*PRIVATE, *(prefix for host in registry.guarded() for prefix in host.PREFIXES))
    for name in [name for name in os.environ if name.startswith(private)]:
        del os.environ[name]
    files = lifecycle.raise_file_limit()
    line = lifecycle.listen(place)
    warm = Warm()
    judge = Judge(warm, os.environ)
    service = Service(
        install=(__version__, root()),
        judge=judge,
        silent=lambda event, payload, variables: is_silent(
            event, payload, lambda: registry.caller(wire.wired_in(variables))
        ),
        promise=judge.promise,
        limits=Limits(
            idle_seconds=idle_seconds,
            # The other half is for the checks themselves, and for their readers' connections.
            connections=min(CONNECTIONS_MAX, files // 2),
        ),
        status=_status(time.time(), {"http": http.address} if http else {}),
    )

    def begun() -> None:
        if not detached:
            print(f"compass serve: process {os.getpid()} at {place.socket}", flush=True)
        warm.prepare()

    async def run() -> None:
        shown = page(service) if page else None
        service.page = shown.opened if shown else None
        async with (
            shown.beside() if shown else nullcontext(),
            http.beside(service, judge, shown) if http else nullcontext(),
        ):
            await lifecycle.serve(service, place, line, begun)

    try:
        asyncio.run(run())
    finally:
        warm.close()
        os.close(lock)
    return 0


def _is_leaving(place: lifecycle.Place) -> bool:
    """Whether the service that holds the lock gave up its socket: then it ends soon."""
    return lifecycle.holder(place) is not None and not os.path.exists(place.socket)


def _detach() -> None:
    """Leave the folder and the session of the hook that started it."""
    os.chdir(os.sep)
    os.umask(0o077)
    try:  # noqa: SIM105 - one call
        os.setsid()
    except OSError:
        pass


def _status(started: float, more: Mapping[str, object]) -> Callable[[], Mapping[str, object]]:
    def told() -> Mapping[str, object]:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return {"pid": os.getpid(), "seconds": round(time.time() - started), "peak_rss_kb": peak, **more}

    return told
