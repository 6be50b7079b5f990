"""Judges a hook in its own process, within its deadline. A fault becomes an answer by policy here."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from compass.hook.handling import handle
from compass.hook.policy import Policy
from compass.joining.gate import Wired, wire
from compass.joining.surroundings import adopt
from evaluator.record import replace
from hooks.client import LONGEST_SECONDS, complain

Answer = Callable[[bytes], None]


def decide(event: str, payload: bytes, answer: Answer, *, late: str, wake: bool, spent: float = 0.0) -> bytes:
    """The bytes to print. Never raises; at the deadline it answers by policy and ends the process.

    `late`: why a check is no longer possible, which policy answers. `wake`: start a service for the next call.
    `spent`: seconds of the deadline that are gone, such as on a service that was killed in mid-check.
    """
    cwd = _cwd()
    policy = Policy(event, dict(os.environ), cwd, complain)
    if late:
        return policy.answer(TimeoutError(late))
    once = _Once(policy, answer)
    left = max(0.0, min(policy.settings.deadline_seconds, LONGEST_SECONDS) - spent)
    watch = threading.Timer(left, once.expire)
    watch.daemon = True

    def wired() -> Wired:
        adopt(policy.loaded.clean)
        settings = replace(policy.settings, deadline_seconds=left)
        return wire(policy.env, policy.home, policy.directory, policy.loaded, settings=settings)

    try:
        watch.start()
        result = handle(event, payload, policy, cwd, wired)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - the boundary: nothing may escape, or the write would run unchecked
        result = policy.answer(error)
    if wake and policy.settings.enabled:
        _wake(policy)
    return result if once.first() else b""


class _Once:
    """Either the result or the deadline answers, never both."""

    def __init__(self, policy: Policy, answer: Answer) -> None:
        self._policy = policy
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
            seconds = min(self._policy.settings.deadline_seconds, LONGEST_SECONDS)
            self._answer(self._policy.answer(TimeoutError(f"no verdict within {seconds:g} s")))
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
