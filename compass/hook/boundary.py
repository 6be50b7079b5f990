"""One hook call under its deadline: whatever raises, and whatever is late, is answered by the error policy.

The same in the hook's own process, over the socket and over HTTP; each brings the settings, the gate and the seconds
that are gone.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping
from time import monotonic

import compass
from compass.composition.gate import Wired, wire
from compass.composition.settings import adopt
from compass.hook.dispatch import ErrorPolicy, handle
from evaluator.record import replace
from evaluator.settings.keys import ServiceSettings
from evaluator.wire import LONGEST_SECONDS
from hooks.client import complain

Answer = Callable[[bytes], None]
MAIN = os.path.join(os.path.dirname(os.path.abspath(compass.__file__)), "__main__.py")


class Journey:
    """`gate` gives the gate of the project that `policy` stands on; `spent` the seconds that are gone."""

    def __init__(
        self,
        event: str,
        payload: bytes,
        policy: ErrorPolicy,
        gate: Callable[[], Wired],
        spent: Callable[[], float],
    ) -> None:
        self.policy = policy
        self._event = event
        self._payload = payload
        self._gate = gate
        self._spent = spent

    @property
    def deadline(self) -> float:
        """Seconds that the call has in all, by the settings that were found."""
        return min(self.policy.settings.deadline_seconds, LONGEST_SECONDS)

    def left(self) -> float:
        return self.deadline - self._spent()

    def end(
        self,
        cwd: str,
        *,
        first: Callable[[], object] = lambda: None,
        passes: Callable[[BaseException], bool] = lambda _: False,
    ) -> bytes:
        """What the host is answered. Raises KeyboardInterrupt, and what `passes` names, alone.

        `cwd` counts where the payload names no folder. `first` is done before anything else, inside the boundary.
        """
        try:
            first()
            return handle(self._event, self._payload, self.policy, cwd, self._within)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # The boundary: nothing else may escape, or the write would run unchecked.
            if passes(error):
                raise
            return self.policy.answer(error)

    def late(self, why: str) -> bytes:
        """The answer to a call that can no longer be judged."""
        return self.policy.answer(TimeoutError(why))

    def _within(self) -> Wired:
        """The gate, with the time that this call has left."""
        gate, seconds = self._gate(), self.left()
        if seconds >= gate.settings.deadline_seconds:
            return gate
        settings = replace(gate.settings, deadline_seconds=max(0.0, seconds))
        return replace(gate, parts=replace(gate.parts, settings=settings))


def start_service(env: Mapping[str, str], settings: ServiceSettings) -> None:
    """Start a service that outlives this process and holds none of its streams. Raises OSError.

    Costs a spawn and no wait: of several that start at once, all but one end at the lock.
    """
    if not settings.enabled:
        return
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    words = [sys.executable, "-I", MAIN, "serve", "--detached"]
    try:
        os.posix_spawn(sys.executable, words, dict(env), file_actions=quiet, setsid=True)
    except NotImplementedError:
        # Not every C library can make a session here; the service does it by itself.
        os.posix_spawn(sys.executable, words, dict(env), file_actions=quiet)


def decide(event: str, payload: bytes, answer: Answer, *, late: str, wake: bool, spent: float = 0.0) -> bytes:
    """The bytes to print. Never raises; at the deadline it answers by policy and ends the process.

    `late`: why a check is no longer possible, which policy answers. `wake`: start a service for the next call.
    `spent`: seconds of the deadline that are gone, such as on a service that was killed in mid-check.
    """
    cwd, began = _cwd(), monotonic() - spent
    policy = ErrorPolicy(event, dict(os.environ), cwd, complain)

    def gate() -> Wired:
        adopt(policy.loaded.clean)
        return wire(policy.env, policy.home, policy.directory, policy.loaded, host=policy.host)

    journey = Journey(event, payload, policy, gate, lambda: monotonic() - began)
    if late:
        return journey.late(late)
    once = _Once(journey, answer)
    watch = threading.Timer(max(0.0, journey.left()), once.expire)
    watch.daemon = True
    result = journey.end(cwd, first=watch.start)
    if wake and policy.settings.enabled:
        try:
            start_service(policy.env, policy.settings.service)
        except OSError as error:
            complain(f"compass: the service could not be started: {error}")
    return result if once.first() else b""


class _Once:
    """Either the result or the deadline answers, never both."""

    def __init__(self, journey: Journey, answer: Answer) -> None:
        self._journey = journey
        self._answer = answer
        self._lock = threading.Lock()
        self._answered = False

    def first(self) -> bool:
        """True for the first caller."""
        with self._lock:
            first = not self._answered
            self._answered = True
            return first

    def expire(self) -> None:
        if self.first():
            self._answer(self._journey.late(f"no verdict within {self._journey.deadline:g} s"))
            os._exit(0)


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep
