"""Which calls are let through before any setting is read: those of tools that never write (SPEC 3.1, rule 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.effects import text_of

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
    session = text_of(found, "session_id")
    return text_of(found, "tool_name") in host.NEVER_WRITES and session != ""
