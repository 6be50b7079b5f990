"""The breaker as a pure transition function. Knows no clock, no randomness and no storage.

closed -> open after so many failures in a row -> half-open after so long, with one probe -> closed if that
probe succeeds, open again if it fails. The clock may jump: a moment that lies in the future counts as now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evaluator.breaker.state import (
    Admission,
    BreakerRules,
    BreakerState,
    Closed,
    EvaluationOutcome,
    HalfOpen,
    Open,
    Transition,
)
from evaluator.configuration.settings import Settings
from evaluator.errors import FaultKind
from evaluator.model import Sample
from evaluator.record import Record, replace

PROBE_MARGIN_SECONDS: Final = 10.0
"""What a prober may take beyond its deadline, to start and to report, before another one probes."""

COUNTING: Final[frozenset[FaultKind]] = frozenset(
    ("transport", "timeout", "rate", "limit", "authentication", "server")
)
"""Faults of the line to the readers. `invalid` and `refused` follow from what was asked: they never count."""


class Asked(Record):
    """A call asks for admission; if it becomes the probe, it holds `token`, which nobody held before."""

    token: str


class Reported(Record):
    """An evaluation ended. `token` is that of its admission: None unless it was the probe."""

    outcome: EvaluationOutcome
    token: str | None = None


class ProbeLapsed(Record):
    """The prober is thought dead. Holds only once its lease has run out."""


BreakerEvent = Asked | Reported | ProbeLapsed
BreakerEffect = Admission | Transition


def step(
    state: BreakerState, event: BreakerEvent, now: float, rules: BreakerRules
) -> tuple[BreakerState, tuple[BreakerEffect, ...]]:
    """The next state and what follows from it: one Admission for Asked, a Transition where there was one.

    `now` in seconds since the epoch. A report counts only for the state that admitted it: one with a token
    while that token holds the probe, one without while the breaker is closed. Any other changes nothing.
    """
    match event:
        case Asked(token):
            return _asked(state, token, now, rules)
        case Reported(outcome, token):
            return _reported(state, outcome, token, now, rules)
        case ProbeLapsed():
            return _lapsed(state, now, rules), ()


def admission_of(effects: Sequence[BreakerEffect]) -> Admission:
    """The answer among the effects of Asked."""
    return next(effect for effect in effects if isinstance(effect, Admission))


def transition_of(effects: Sequence[BreakerEffect]) -> Transition | None:
    return next((effect for effect in effects if isinstance(effect, Transition)), None)


def outcome_of(samples: Sequence[Sample], least_valid: int) -> EvaluationOutcome:
    """`success` with `least_valid` valid samples; `failure` where most of the others failed by the line.

    `Sample.error` starts with its kind (`evaluator.readers.sampling`); cancelled samples say nothing.
    """
    if sum(sample.valid for sample in samples) >= max(1, least_valid):
        return "success"
    kinds = [(sample.error or "").partition(":")[0] for sample in samples if not sample.valid]
    failed = [kind for kind in kinds if kind != "cancelled"]
    counting = sum(kind in COUNTING for kind in failed)
    return "failure" if counting > len(failed) - counting else "neutral"


def rules_of(settings: Settings) -> BreakerRules:
    return BreakerRules(
        settings.circuit_breaker.consecutive_failures_to_open,
        settings.circuit_breaker.open_duration_seconds,
        settings.deadline_seconds + PROBE_MARGIN_SECONDS,
    )


def key_of(backend: str, address: str, model: str, session_id: str | None = None) -> str:
    """Names one breaker: of the machine, or of one session where an id is given. Different parts, other key.

    Credentials and the query of an address are left out, and a session is kept as 32 hex digits.
    """
    import json

    parts = [backend, without_secrets(address), model]
    if session_id is not None:
        import hashlib

        parts.append(hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return json.dumps(parts)


def key_for(settings: Settings, backend: str, address: str, session_id: str) -> str:
    """The breaker of a session under these settings: the machine's, or its own with `scope` session."""
    own = session_id if settings.circuit_breaker.scope == "session" else None
    return key_of(backend, address, settings.evaluator.model, own)


def is_session_of(key: str, machine_key: str) -> bool:
    """Whether `key` is that of one session on the line that `machine_key` names for the whole machine."""
    return key.startswith(machine_key[:-1] + ", ")


def without_secrets(address: str) -> str:
    """An address as it may be stored and shown: no user, no password, no query."""
    scheme, separator, rest = address.partition("//")
    if not separator:
        return address
    place = rest.partition("?")[0].partition("#")[0]
    host, slash, path = place.partition("/")
    return f"{scheme}//{host.rpartition('@')[2]}{slash}{path}".rstrip("/")


def _asked(
    state: BreakerState, token: str, now: float, rules: BreakerRules
) -> tuple[BreakerState, tuple[BreakerEffect, ...]]:
    if isinstance(state, Closed):
        return state, (Admission("closed"),)
    waiting = _lapsed(_anchored(state, now), now, rules)
    until = _shut_until(waiting, rules)
    if now < until:
        return waiting, (Admission("open", until=until),)
    changed = (Transition("half-open"),) if isinstance(state, Open) else ()
    return HalfOpen(token, now), (*changed, Admission("probe", token))


def _reported(
    state: BreakerState, outcome: EvaluationOutcome, token: str | None, now: float, rules: BreakerRules
) -> tuple[BreakerState, tuple[BreakerEffect, ...]]:
    if isinstance(state, Closed) and token is None:
        return _counted(state, outcome, now, rules)
    if not isinstance(state, HalfOpen) or token is None or token != state.token:
        return state, ()
    if outcome == "success":
        return Closed(), (Transition("closed"),)
    if outcome == "failure":
        return Open(now), (Transition("open"),)
    return replace(state, token=None), ()


def _counted(
    state: Closed, outcome: EvaluationOutcome, now: float, rules: BreakerRules
) -> tuple[BreakerState, tuple[BreakerEffect, ...]]:
    if outcome == "neutral":
        return state, ()
    failures = state.failures + 1 if outcome == "failure" else 0
    if failures and failures >= rules.consecutive_failures_to_open:
        return Open(now), (Transition("open"),)
    return Closed(failures), ()


def _lapsed(state: BreakerState, now: float, rules: BreakerRules) -> BreakerState:
    if isinstance(state, HalfOpen) and state.token is not None and now >= _shut_until(state, rules):
        return replace(state, token=None)
    return state


def _anchored(state: BreakerState, now: float) -> BreakerState:
    """After the clock jumped back nobody waits longer than one whole duration from now."""
    if isinstance(state, Closed) or state.since <= now:
        return state
    return replace(state, since=now)


def _shut_until(state: BreakerState, rules: BreakerRules) -> float:
    """The moment from which somebody may ask."""
    match state:
        case Open(since):
            return since + rules.open_duration_seconds
        case HalfOpen(token, since) if token is not None:
            return since + rules.probe_lease_seconds
        case _:
            return float("-inf")
