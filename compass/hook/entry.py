"""Answers a hook in its own process, where no service does. Imports nothing of the gate: most calls need none."""

from __future__ import annotations

import posix
from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.effects import text_of
from evaluator.wire import WIRED
from hooks import registry

if TYPE_CHECKING:
    from hooks.host import Host


BYTES_MAX = 64 * 1024
"""A larger payload is one of a write, and is parsed once, with what can answer for it at hand."""


def is_silent(event: str, payload: bytes, caller: Callable[[], Host]) -> bool:
    """Whether the call is allowed and not recorded, whatever the settings. False for a payload that is none.

    `caller` gives the host that calls.
    """
    if event != "pre-tool-use" or len(payload) > BYTES_MAX:
        return False
    try:
        host = caller()
        found = host.parse(payload)
    except Exception:  # noqa: BLE001 - the gate parses it again, where whatever is wrong is answered by policy
        return False
    return text_of(found, "tool_name") in host.NEVER_WRITES and text_of(found, "session_id") != ""


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
    if is_silent(event, payload, lambda: registry.calling_host(wired)):
        return b""
    try:
        from compass.hook.dispatch import decide

        # Imported here: what is wrong with it is told as a fault of the installation.
        registry.calling_host(wired)
    except Exception as error:  # noqa: BLE001 - a broken install may raise anything
        # No policy can be read, so the host's own onFailure, set by `init`, decides.
        raise SystemExit(f"compass: cannot be imported: {error}; reinstall it, or see the README") from None
    return decide(event, payload, answer, late=late, wake=wake, spent=spent)
