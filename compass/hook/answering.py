"""What a hook call of a gate that is in force is answered."""

from __future__ import annotations

import time
from collections.abc import Mapping

from compass.joining.gate import Wired
from evaluator.backends import AUTO
from evaluator.model import Check


def answered(event: str, payload: Mapping[str, object], wired: Wired) -> bytes:
    try:
        if wired.settings.evaluator.backend == AUTO:
            from compass.joining.session_readers import in_session

            wired = in_session(wired, wired.host.session_of(payload), time.time())
        if event != "pre-tool-use":
            from compass.hook.events import note

            return note(event, payload, wired, time.time())
        from evaluator.gate import pipeline

        host = wired.host
        pending = host.pending_write(payload, wired.env)
        found = pipeline.check(wired.parts, pending)
        told = told_of(found, wired)
        if found.decision != "deny":
            return host.tell(told) if told else b""
        return host.deny(found.detail, ends_turn=found.ends_turn, message=told)
    finally:
        wired.close()


def told_of(found: Check, wired: Wired) -> str:
    """What the person is shown of a check."""
    if found.decision != "deny" and not found.told:
        return ""
    from compass.hook import owing

    # Whatever a subagent's call has its person told is shown to nobody.
    return owing.told(found, wired)
