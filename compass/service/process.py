"""The service's process: how it begins, ends and is asked of itself."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from compass import ROOT, __version__
from evaluator import wire
from evaluator.processes import process_of
from evaluator.service import lifecycle
from hooks import client, registry

if TYPE_CHECKING:
    from compass.service.http import HttpSide


STOP_SECONDS = 30.0
TAKEOVERS = 3
"""A hook may start a service again just as one has ended."""
PRIVATE = ("ANTHROPIC_", "COMPASS_", "ONLOOKER_", "OPENAI_")
"""Variables of whoever started the service, as those of every host: each call brings its own."""


def ask(env: Mapping[str, str], kind: int = wire.STATUS) -> Mapping[str, object] | None:
    """What the service of that environment tells of itself; None where none answers."""
    try:
        answered, body = client.call_service(wire.folder_variables(env), kind)
    except (client.NotJudged, client.Late):
        return None
    return cast("dict[str, object]", json.loads(body)) if answered == wire.ANSWER else None


def end(place: lifecycle.RuntimeFolder) -> tuple[int | None, bool]:
    """The process that served at that place, if one did, and whether it has ended: it is asked to finish."""
    pid = lifecycle.holder(place)
    served = process_of(str(pid))
    asked = ask(os.environ, wire.STOP) is not None
    if pid is not None and not asked:
        os.kill(pid, signal.SIGTERM)
    latest = time.monotonic() + STOP_SECONDS
    while served is not None and process_of(str(pid)) == served and time.monotonic() < latest:
        time.sleep(0.05)
    return pid, pid is not None and (served is None or process_of(str(pid)) != served)


def take_over(place: lifecycle.RuntimeFolder) -> None:
    """Lets the service of that place finish, such as one that a hook started, so that this process can serve there."""
    for _ in range(TAKEOVERS):
        pid, _stopped = end(place)
        if pid is None:
            return


def serve(
    place: lifecycle.RuntimeFolder, *, idle_seconds: float, detached: bool, http: HttpSide | None = None
) -> int:
    """Run until stopped or idle. Exit code 0; 1 if another service runs here. Raises ServiceError."""
    import asyncio
    import resource
    from contextlib import nullcontext, suppress

    from compass.hook.entry import is_silent
    from compass.page.listener import PageSide
    from compass.service.cache import Judge, Warm
    from evaluator.service.server import CONNECTIONS_MAX, Limits, Service

    lifecycle.prepare(place.folder)
    # A service that holds the lock and gave up its socket ends soon.
    leaving = lifecycle.holder(place) is not None and not os.path.exists(place.socket)
    lock = lifecycle.take_lock(place, lifecycle.TAKEOVER_SECONDS if leaving else 0.0)
    if lock is None:
        if not detached:
            print(
                f"compass serve: a service is already running here, process {lifecycle.holder(place)}",
                file=sys.stderr,
            )
        return 0 if detached else 1
    if detached:  # leaves the folder and the session of the hook that started it
        os.chdir(os.sep)
        os.umask(0o077)
        with suppress(OSError):
            os.setsid()
    private = (*PRIVATE, *(prefix for host in registry.guarded_hosts() for prefix in host.PREFIXES))
    for name in [name for name in os.environ if name.startswith(private)]:
        del os.environ[name]
    files = lifecycle.raise_file_limit()
    line = lifecycle.listen(place)
    started, warm = time.time(), Warm()
    judge = Judge(warm, os.environ)

    def status() -> Mapping[str, object]:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        told = {"pid": os.getpid(), "seconds": round(time.time() - started), "peak_rss_kb": peak}
        return told | ({"http": http.address} if http else {})

    service = Service(
        install=(__version__, ROOT),
        judge=judge,
        silent=lambda event, payload, variables: is_silent(
            event, payload, lambda: registry.calling_host(wire.wired_in(variables))
        ),
        limits=Limits(
            idle_seconds=idle_seconds,
            # The other half is for the checks themselves, and for their readers' connections.
            connections=min(CONNECTIONS_MAX, files // 2),
        ),
        status=status,
    )

    def begun() -> None:
        if not detached:
            print(f"compass serve: process {os.getpid()} at {place.socket}", flush=True)
        warm.prepare()

    async def run() -> None:
        page = PageSide(service)
        service.page = page.opened
        async with page.beside(), http.beside(service, judge) if http else nullcontext():
            await lifecycle.serve(service, place, line, begun)

    try:
        asyncio.run(run())
    finally:
        warm.close()
        os.close(lock)
    return 0
