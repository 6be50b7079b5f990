"""From a hook's bytes to its answer, for a project's gate: the same here and in the service."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from compass.policy import Policy
from compass.wiring import Wired
from evaluator.stages.effects import text_of
from hooks.hosts import claude_code as host


def handle(event: str, raw: bytes, policy: Policy, cwd: str, wired: Callable[[], Wired]) -> bytes:
    """What the host is answered. Raises what goes wrong: the caller answers by `policy`.

    `wired` gives the gate of the project that the policy stands on when it is called.
    """
    policy.insist()
    if event not in host.EVENTS:
        policy.say(f"compass: unknown hook event {event[:60]!r}; one of {', '.join(host.EVENTS)}")
        return b""
    payload = host.parse(raw)
    policy.use_project(text_of(payload, "cwd") or cwd)
    if not policy.settings.enabled or _is_second_wiring(policy):
        return b""
    return _answer(event, payload, wired())


def _answer(event: str, payload: Mapping[str, object], wired: Wired) -> bytes:
    try:
        if event != "pre-tool-use":
            from compass.notes import note

            return note(event, payload, wired, time.time())
        from evaluator import pipeline

        found = pipeline.check(wired.parts, host.pending_write(payload, wired.env))
        return host.deny(found.detail, ends_turn=found.ends_turn) if found.decision == "deny" else b""
    finally:
        wired.close()


def _is_second_wiring(policy: Policy) -> bool:
    """The plugin stays silent where the settings already call the hook: one call is judged once."""
    if not policy.env.get("COMPASS_VIA_PLUGIN"):
        return False
    from compass.host_settings import is_second_wiring

    return is_second_wiring(policy.home, policy.directory, host.EVENTS[policy.event])
