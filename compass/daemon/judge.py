"""What a call to the service means, over the socket and over HTTP: a hook's journey, with what the service keeps."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from compass.daemon.warm import Warm, environment
from compass.hook.journey import Journey
from compass.hook.policy import Policy
from compass.joining.gate import Wired
from evaluator import wire
from evaluator.configuration import loading
from evaluator.errors import AbandonedError
from evaluator.exhaustion import is_want
from evaluator.record import replace
from evaluator.service.server import Reply, Request

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
        except AbandonedError:
            return Reply()
        except OSError as error:
            if not is_want(error):
                raise
            # The client's own process has descriptors of its own.
            return Reply(refused=wire.BUSY)

    def promise(self, cwd: bytes, variables: bytes) -> float | None:
        """The deadline of the last call of the same project; a word to its client costs more than the call."""
        found = self.warm.last(variables, os.fsdecode(cwd))
        if found is None:
            return None
        return min(found.loaded.settings.deadline_seconds, wire.LONGEST_SECONDS)

    def late(self, request: Request, cwd: str, seconds: float) -> Reply:
        """The policy's answer to a call that got no verdict in that time."""
        journey, said = self._journey(request, cwd)
        return Reply(journey.late(f"no verdict within {seconds:g} s"), "\n".join(said))

    def _reply(self, request: Request) -> Reply:
        cwd = os.fsdecode(request.cwd)
        journey, said = self._journey(request, cwd)
        if request.gone.done():
            return Reply()
        if _network(journey.policy.env) != self.network:
            return Reply(refused=wire.OTHER)
        left = journey.left()
        if left <= 0:
            return Reply(journey.late(f"no worker was free within {journey.deadline:g} s"), "\n".join(said))
        if left != request.promised:
            request.accept(left)
        return Reply(journey.end(cwd, passes=_passes), "\n".join(said))

    def _journey(self, request: Request, cwd: str) -> tuple[Journey, list[str]]:
        """The journey, and what is said on its way."""
        said: list[str] = []
        found = self.warm.last(request.variables, cwd)
        env = found.env if found is not None else environment(request.variables)

        def load(_env: Mapping[str, str], at: str) -> tuple[loading.Loaded, str]:
            nonlocal found
            found = self.warm.project(request.variables, at)
            return found.loaded, found.directory

        def gate() -> Wired:
            assert found is not None, "settings are read before a gate is asked for"
            wired = self.warm.wired(found)
            return replace(wired, parts=replace(wired.parts, gone=request.gone))

        def spent() -> float:
            """The deadline runs while a call waits for a worker, too."""
            waited = time.monotonic() - request.arrived
            return waited if waited > AT_ONCE_SECONDS else 0.0

        policy = Policy(request.event, env, cwd, said.append, load)
        return Journey(request.event, request.payload, policy, gate, spent), said


def _passes(error: BaseException) -> bool:
    """What no policy answers."""
    return isinstance(error, AbandonedError) or is_want(error)


def _network(env: Mapping[str, str]) -> tuple[str, ...]:
    """What decides how a process reaches the network; lower case wins, also an empty one, as in urllib and httpx."""
    return tuple([env.get(lower, env.get(name, "")) for lower, name in _SPELLED])
