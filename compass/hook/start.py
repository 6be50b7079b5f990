"""Answers a hook in its own process: where no service does. Light: most calls need nothing of the gate."""

from __future__ import annotations

import posix
from collections.abc import Callable

from compass.hook.silent import is_silent
from evaluator.wire import WIRED
from hooks import registry


def judge(
    event: str,
    payload: bytes,
    answer: Callable[[bytes], None],
    *,
    late: str = "",
    wake: bool = False,
    spent: float = 0.0,
) -> bytes:
    """The bytes to print. Never raises; at the deadline it answers by policy and ends the process.

    `late`: why a check is no longer possible, which policy answers. `wake`: start a service for the next call.
    `spent`: seconds of the deadline that are gone.
    """
    wired = posix.environ.get(WIRED, b"")
    if is_silent(event, payload, lambda: registry.caller(wired)):
        return b""
    try:
        from compass.hook.boundary import decide

        # Imported here: what is wrong with it is told as a fault of the installation.
        registry.caller(wired)
    except Exception as error:  # noqa: BLE001 - a broken install may raise anything
        # No policy can be read, so the host's own onFailure, set by `init`, decides.
        raise SystemExit(f"compass: cannot be imported: {error}; reinstall it, or see the README") from None
    return decide(event, payload, answer, late=late, wake=wake, spent=spent)
