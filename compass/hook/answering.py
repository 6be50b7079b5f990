"""What a hook call of a gate that is in force is answered."""

from __future__ import annotations

import time
from collections.abc import Mapping

from compass.joining.gate import Wired


def answered(event: str, payload: Mapping[str, object], wired: Wired) -> bytes:
    try:
        if event != "pre-tool-use":
            from compass.hook.events import note

            return note(event, payload, wired, time.time())
        from evaluator.gate import pipeline

        host = wired.host
        found = pipeline.check(wired.parts, host.pending_write(payload, wired.env))
        if found.decision != "deny":
            return host.tell(found.told) if found.told else b""
        return host.deny(found.detail, ends_turn=found.ends_turn, message=found.told)
    finally:
        wired.close()
