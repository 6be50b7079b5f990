"""What a cancel leaves behind: most people end the session with it, and no later call would find it."""

from __future__ import annotations

import time
from collections.abc import Mapping

from compass.hook.confirming import Spoken, covered
from compass.joining.gate import Wired
from evaluator.configuration.places import state_dir
from evaluator.state.faults import FaultLog

NO_CALL = "none"


def remember(payload: Mapping[str, object], spoken: Spoken, wired: Wired) -> None:
    """The person reads the confirmation whatever becomes of this."""
    if wired.parts.memory is None:
        return
    try:
        noted = covered(spoken, wired)
        if noted is None or not noted.denials:
            return
        from evaluator.gate import precedents

        pending = wired.host.pending_write({**payload, "tool_name": NO_CALL, "tool_input": {}}, wired.env)
        precedents.refuse_spoken(wired.parts, pending, noted, spoken.now)
    except Exception as error:  # noqa: BLE001 - a cancel holds without what is remembered of it
        FaultLog(state_dir(wired.env, wired.home), time.time).note(
            "a precedent of a cancel", f"{type(error).__name__}: {error}"
        )
