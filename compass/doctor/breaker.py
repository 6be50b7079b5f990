"""Is the breaker to the readers closed? Opens the real database and changes no breaker in it."""

from __future__ import annotations

import os

from compass.composition.backends import backend_in_force
from compass.doctor.finding import Examination, Finding, Situation, clock
from evaluator.breaker import (
    BreakerState,
    Closed,
    HalfOpen,
    is_session_of,
    key_of,
    rules_of,
    until_of,
    without_secrets,
)
from evaluator.readers.kinds.kind import kind_of, label_of
from evaluator.settings.places import set_by
from evaluator.state.store import FILE_NAME, open_store

_NAME = "circuit"
"""As `doctor --json` has always called it."""
_INSTEAD = {
    "fail_open": "calls pass unjudged, but for destructive ones",
    "embedded": "rules stand in",
    "fail_closed": "writes are held",
}


def breaker(situation: Situation) -> Finding:
    """Fails while the readers are cut off and nobody judges in their place."""
    settings, site = situation.settings, situation.site
    env = site.env
    backend = backend_in_force(settings, env, site.home, site.project_dir)
    kind = kind_of(backend)
    if not kind.hosted:
        return Finding(_NAME, True, f"none needed: {label_of(backend)} ask nobody")
    if not settings.circuit_breaker.enabled:
        way = set_by("circuit_breaker.enabled", "true")
        said = f"off by circuit_breaker.enabled: readers that fail are asked each time; {way}"
        return Finding(_NAME, True, said)
    address, model = kind.address(settings, env), settings.evaluator.model
    line = f"{backend} at {without_secrets(address) or 'the public API'}, {model}"
    of_sessions = settings.circuit_breaker.scope == "session"
    states = _states(situation, key_of(backend, address, model), of_sessions=of_sessions)
    if states is None:
        return Finding(_NAME, True, "not known: see the finding on the database")
    if not of_sessions:
        return _told(states[0], line, situation)
    return _worst(states, line, situation)


def _states(situation: Situation, key: str, *, of_sessions: bool) -> list[BreakerState] | None:
    """The machine's breaker, or those of its sessions; None where the database cannot tell."""
    folder = situation.site.state_dir
    if not os.path.isfile(os.path.join(folder, FILE_NAME)):
        return [] if of_sessions else [Closed()]
    opened = open_store(folder, now=situation.now)
    try:
        if opened.fault:
            return None
        if not of_sessions:
            return [opened.store.breaker(key)]
        return [state for found, state in opened.store.breakers().items() if is_session_of(found, key)]
    finally:
        opened.store.close()


def _worst(states: list[BreakerState], line: str, situation: Situation) -> Finding:
    """The session that is cut off for longest stands for all."""
    shut = [
        (until, state)
        for state in states
        if (until := until_of(state, rules_of(situation.settings), situation.now)) is not None
    ]
    if not shut:
        return Finding(_NAME, True, f"closed in every session for {line}")
    told = _told(max(shut, key=lambda pair: pair[0])[1], line, situation)
    sessions = "1 session" if len(shut) == 1 else f"{len(shut)} sessions, here the longest"
    return Finding(told.name, told.ok, f"in {sessions}: {told.detail}")


def _told(state: BreakerState, line: str, situation: Situation) -> Finding:
    behaviour = situation.settings.circuit_breaker.behaviour(situation.settings.error_policy)
    if isinstance(state, Closed):
        failures = f", {state.failures} failures in a row" if state.failures else ""
        return Finding(_NAME, True, f"closed{failures} for {line}")
    since = clock(min(state.since, situation.now))
    until = until_of(state, rules_of(situation.settings), situation.now)
    if until is None:
        name = "half-open" if isinstance(state, HalfOpen) else "open"
        return Finding(_NAME, True, f"{name} since {since} for {line}: the next call probes the readers")
    what = "half-open, a probe is out" if isinstance(state, HalfOpen) else "open"
    detail = (
        f"{what} since {since}, until {clock(until)}, for {line}; "
        f"till then {_INSTEAD[behaviour]}; `compass explain` tells what failed"
    )
    return Finding(_NAME, not situation.settings.enabled or behaviour != "fail_open", detail)


CHECKS: tuple[Examination, ...] = (breaker,)
