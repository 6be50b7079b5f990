"""A prompt that is read while the agent still thinks: begun at its event, told at a call that only reads.

Loaded only where `sampling.anticipate` is on.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from compass.joining.gate import Wired
from evaluator.configuration.places import state_dir
from evaluator.exchange.replies import is_continuation
from evaluator.gate import anticipation as gate
from evaluator.model import PendingWrite
from evaluator.state.faults import FaultLog
from evaluator.verdict.anticipation import Anticipation

NO_CALL = "none"


def begin(payload: Mapping[str, object], session: str, wired: Wired, now: float) -> None:
    """The hook does not wait: the service reads, aside. Without a service nothing is read ahead, nor by rules."""
    parts, aside = wired.parts, wired.aside
    if aside is None or not parts.paid():
        return
    aside.asking.discard(session)
    prompts = parts.store.prompts(session)
    if not prompts or is_continuation(prompts[-1].text):
        return
    pending = wired.host.pending_write({**payload, "tool_name": NO_CALL, "tool_input": {}}, wired.env)
    position, token = prompts[-1].position, parts.token()
    seconds = parts.settings.deadline_seconds
    if not parts.store.begin_anticipation(session, position, token, now, seconds):
        return
    if not aside.start(lambda: _read(wired, pending, position, token)):
        parts.store.end_anticipation(session, token, None)


def asked(pending: PendingWrite, wired: Wired) -> bytes:
    """The answer to a call that only reads: what the agent is to ask first, or nothing."""
    session, aside = pending.session_id, wired.aside
    # Nobody can be asked by a subagent.
    if aside is None or pending.agent_id or session not in aside.asking:
        return b""
    aside.asking.discard(session)
    told = gate.ask_first(wired.parts, pending)
    return wired.host.inform("pre-tool-use", told, "") if told else b""


def _read(wired: Wired, pending: PendingWrite, position: int, token: str) -> None:
    session, parts = pending.session_id, wired.parts
    try:
        found: Anticipation | None = None
        try:
            found = gate.read_prompt(parts, pending, position)
        finally:
            counts = parts.store.end_anticipation(session, token, found)
        if counts and found is not None and found.differs and wired.aside is not None:
            wired.aside.ask(session)
    except Exception as error:  # noqa: BLE001 - the boundary of this thread: the write is then checked as any other
        FaultLog(state_dir(wired.env, wired.home), time.time).note(
            "a prompt read ahead", f"{type(error).__name__}: {error}"
        )
