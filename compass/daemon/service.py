"""Joins the service's transport with the gate: what a request means, and how the process begins and ends."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from compass import __version__, root
from compass.daemon.warm import Warm
from compass.hook.handling import handle
from compass.hook.policy import Policy
from compass.hook.silent import is_silent
from compass.joining.gate import Wired
from evaluator import wire
from evaluator.configuration import loading
from evaluator.record import replace
from evaluator.scarce import is_want
from evaluator.service import lifecycle
from evaluator.service.server import CONNECTIONS_MAX, Limits, Reply, Request, Service

if TYPE_CHECKING:
    from compass.daemon.http_service import HttpSide

PRIVATE = ("ANTHROPIC_", "COMPASS_", "CLAUDE_", "ONLOOKER_")
"""Variables of whoever started the service: each call brings its own."""
NETWORK = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Read by the model SDK from the process itself, so a call that has others cannot be served here."""

_SPELLED = tuple((name.lower(), name) for name in NETWORK)

AT_ONCE_SECONDS = 0.25
"""A call that waited no longer for its worker has its whole deadline."""


class Judge:
    """Answers requests in worker threads. Never raises: a fault is answered by the policy of its project."""

    def __init__(self, warm: Warm, env: Mapping[str, str]) -> None:
        """`env`: the environment of this process, from which its connections take proxies and certificates."""
        self.warm = warm
        self.network = _network(env)

    def __call__(self, request: Request) -> Reply:
        try:
            return self._reply(request)
        except OSError as error:
            if not is_want(error):
                raise
            # The client's own process has descriptors of its own.
            return Reply(refused=wire.BUSY)

    def promise(self, cwd: bytes, variables: bytes) -> float | None:
        """The deadline of the last call of the same project; a word to its client costs more than the call."""
        found = self.warm.last(variables, os.fsdecode(cwd))
        return None if found is None else found.loaded.settings.deadline_seconds

    def _reply(self, request: Request) -> Reply:
        said: list[str] = []
        cwd = os.fsdecode(request.cwd)
        variables = request.variables

        found = self.warm.project(variables, cwd)

        def load(_env: Mapping[str, str], at: str) -> tuple[loading.Loaded, str]:
            nonlocal found
            if at != cwd:
                found = self.warm.project(variables, at)
            return found.loaded, found.directory

        def wired() -> Wired:
            gate, seconds = self.warm.wired(found), left()
            return gate if seconds >= gate.settings.deadline_seconds else _within(seconds, gate)

        def left() -> float:
            """Seconds of the deadline, which runs while a call waits for a worker, too."""
            waited = time.monotonic() - request.arrived
            return policy.settings.deadline_seconds - (waited if waited > AT_ONCE_SECONDS else 0.0)

        policy = Policy(request.event, found.env, cwd, said.append, load)
        if request.gone():
            return Reply()
        if _network(policy.env) != self.network:
            return Reply(refused=wire.OTHER)
        if left() <= 0:
            late = TimeoutError(f"no worker was free within {policy.settings.deadline_seconds:g} s")
            return Reply(policy.answer(late), "\n".join(said))
        try:
            if left() != request.promised:
                request.accept(left())
            text = handle(request.event, request.payload, policy, cwd, wired)
        except BaseException as error:
            # The boundary: nothing else may escape, or the write would run unchecked.
            if is_want(error):
                raise
            text = policy.answer(error)
        return Reply(text, "\n".join(said))


def _within(seconds: float, gate: Wired) -> Wired:
    """The gate for a call that has less time than its settings say."""
    settings = replace(gate.settings, deadline_seconds=max(0.0, seconds))
    return replace(gate, parts=replace(gate.parts, settings=settings))


def _network(env: Mapping[str, str]) -> tuple[str, ...]:
    """What decides how a process reaches the network; lower case wins, also an empty one, as in urllib and httpx."""
    return tuple([env.get(lower, env.get(name, "")) for lower, name in _SPELLED])


def serve(
    place: lifecycle.Place, *, idle_seconds: float, detached: bool, http: HttpSide | None = None
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
    for name in [name for name in os.environ if name.startswith(PRIVATE)]:
        del os.environ[name]
    files = lifecycle.raise_file_limit()
    line = lifecycle.listen(place)
    warm = Warm()
    judge = Judge(warm, os.environ)
    service = Service(
        install=(__version__, root()),
        judge=judge,
        silent=is_silent,
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
        async with http.beside(service, warm) if http else nullcontext():
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
