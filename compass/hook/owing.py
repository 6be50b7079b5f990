"""What a subagent's call was told reaches the person, and the session's own agent, at the next event of that agent.

Hosts show nothing of a subagent's hooks where the person types.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from compass.joining.gate import Wired
from evaluator.effects import text_of
from evaluator.intervention import memory as model
from evaluator.intervention.owed import NOTHING, Owed, joined
from evaluator.model import Check

UNJUDGED = ("sampler_error", "circuit_open")
"""Reasons of denials that ask the person nothing."""


def told(check: Check, wired: Wired) -> str:
    """What the person is told with a check's answer: with a denial, also what is owed."""
    session, denied = check.pending.session_id, check.decision == "deny"
    if check.pending.agent_id:
        if check.told:
            asks = denied and check.reason not in UNJUDGED
            wired.store.owe(session, Owed(check.told, check.detail if denied else "", asks))
        return check.told
    if not denied:
        return check.told
    owed = _taken(wired, session, asked_since=bool(check.told) and check.reason not in UNJUDGED)
    return "\n".join(text for text in (check.told, owed.person) if text)


def _taken(wired: Wired, session: str, *, asked_since: bool = False) -> Owed:
    """What is owed to the session and still holds; it is owed no more."""
    found = wired.store.take_owed(session)
    if not found:
        return NOTHING
    ttl = wired.settings.intervention.ttl_seconds
    waits = model.waits(wired.store.intervention(session), time.time(), ttl)
    return joined(found, waits=waits and not asked_since)


def paid(event: str, payload: Mapping[str, object], wired: Wired, session: str) -> bytes:
    """The answer to an event that has none of its own."""
    if text_of(payload, "agent_id"):
        return b""
    owed = _taken(wired, session)
    return wired.host.inform(event, owed.agent, owed.person) if owed.person else b""
