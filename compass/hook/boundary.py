"""A hook call in its own process: what keeps it to its deadline, and starts a service for the next call."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from time import monotonic

from compass.hook.journey import Journey
from compass.hook.policy import Policy
from compass.joining.gate import Wired, wire
from compass.joining.surroundings import adopt
from hooks.client import complain

Answer = Callable[[bytes], None]


def decide(event: str, payload: bytes, answer: Answer, *, late: str, wake: bool, spent: float = 0.0) -> bytes:
    """The bytes to print. Never raises; at the deadline it answers by policy and ends the process.

    `late`: why a check is no longer possible, which policy answers. `wake`: start a service for the next call.
    `spent`: seconds of the deadline that are gone, such as on a service that was killed in mid-check.
    """
    cwd, began = _cwd(), monotonic() - spent
    policy = Policy(event, dict(os.environ), cwd, complain)

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
        _wake(policy)
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


def _wake(policy: Policy) -> None:
    from compass.hook.waking import wake

    try:
        wake(policy.env, policy.settings)
    except OSError as error:
        complain(f"compass: the service could not be started: {error}")


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep
