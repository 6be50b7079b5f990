"""The breaker to the readers as a pure transition function, and the outages that it meets. Knows no clock, no storage.

closed -> open after so many failures in a row -> half-open after so long, with one probe -> closed if that
probe succeeds, open again if it fails. The clock may jump: a moment that lies in the future counts as now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, cast

from evaluator.record import Record, replace

if TYPE_CHECKING:
    from evaluator.errors import FaultKind
    from evaluator.model import Sample
    from evaluator.settings.keys import Settings

PROBE_MARGIN_SECONDS: Final = 10.0
"""What a prober may take beyond its deadline, to start and to report, before another one probes."""

COUNTING: Final[frozenset[FaultKind]] = frozenset(
    ("transport", "timeout", "rate", "limit", "authentication", "server")
)
"""Faults of the line to the readers. `invalid` and `refused` follow from what was asked: they never count."""

STALE_SECONDS: Final = 12 * 3600.0
"""Nobody asked for so long: what fails then is another outage."""

_UNKNOWN_LINE: Final = ("readers", "an address too long to keep", "")

LineState = Literal["failing", "open", "half-open"]

EvaluationOutcome = Literal["success", "failure", "neutral"]
"""How an evaluation ended for the line to the readers; neutral says nothing about it."""


class BreakerRules(Record):
    """When it opens, for how long, and how long a probe may be out before it counts as dead; in seconds."""

    consecutive_failures_to_open: int
    open_duration_seconds: float
    probe_lease_seconds: float


class Closed(Record):
    """Everybody may ask. `failures` evaluations in a row have failed."""

    failures: int = 0


class Open(Record):
    """Nobody may ask. `since` in seconds since the epoch."""

    since: float


class HalfOpen(Record):
    """Only the holder of `token` may ask, since `since`; without a holder the next one becomes it."""

    token: str | None
    since: float


BreakerState = Closed | Open | HalfOpen
BreakerRow = tuple[str, int, str | None, float | None]
"""How a state stands in a table: (state, failures, token, since)."""


def row_of(state: BreakerState) -> BreakerRow:
    match state:
        case Closed(failures):
            return "closed", failures, None, None
        case Open(since):
            return "open", 0, None, since
        case HalfOpen(token, since):
            return "half-open", 0, token, since


def state_of(state: str, failures: int, token: str | None, since: float | None) -> BreakerState:
    """What stands in a row; closed for what no version wrote."""
    if state == "open" and since is not None:
        return Open(since)
    return HalfOpen(token, since) if state == "half-open" and since is not None else Closed(failures)


class Admission(Record):
    """Whether an evaluation may ask the readers: `closed` yes, `open` no, `probe` yes, as the only one.

    `token` goes with `probe` and has to come back with the report. `until` goes with `open`: the moment, in
    seconds since the epoch, from which the answer may be another.
    """

    answer: Literal["closed", "open", "probe"]
    token: str | None = None
    until: float | None = None


class Transition(Record):
    """The breaker went from one state to another."""

    to: Literal["closed", "open", "half-open"]


class AdmissionAsked(Record):
    """A call asks for admission; if it becomes the probe, it holds `token`, which nobody held before."""

    token: str


class Reported(Record):
    """An evaluation ended. `token` is that of its admission: None unless it was the probe."""

    outcome: EvaluationOutcome
    token: str | None = None


class ProbeLapsed(Record):
    """The prober is thought dead. Holds only once its lease has run out."""


BreakerEvent = AdmissionAsked | Reported | ProbeLapsed
BreakerEffect = Admission | Transition


def step(
    state: BreakerState, event: BreakerEvent, now: float, rules: BreakerRules
) -> tuple[BreakerState, tuple[BreakerEffect, ...]]:
    """The next state and what follows from it: one Admission for AdmissionAsked, a Transition where there was one.

    `now` in seconds since the epoch. A report counts only for the state that admitted it: one with a token
    while that token holds the probe, one without while the breaker is closed. Any other changes nothing.
    """
    match event:
        case AdmissionAsked(token):
            return _asked(state, token, now, rules)
        case Reported(outcome, token):
            return _reported(state, outcome, token, now, rules)
        case ProbeLapsed():
            return _lapsed(state, now, rules), ()


def admission_of(effects: Sequence[BreakerEffect]) -> Admission:
    """The answer among the effects of a call that asked."""
    return next(effect for effect in effects if isinstance(effect, Admission))


def transition_of(effects: Sequence[BreakerEffect]) -> Transition | None:
    return next((effect for effect in effects if isinstance(effect, Transition)), None)


def outcome_of(samples: Sequence[Sample], least_valid: int) -> EvaluationOutcome:
    """What an evaluation tells of the line to its readers. `success` with `least_valid` valid samples; `failure` where
    most of the others failed by the line.

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


def key_of(backend: str, address: str, model: str) -> str:
    """Names one breaker of the machine. Credentials and the query of an address are left out."""
    import json

    return json.dumps([backend, without_secrets(address), model])


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


class Outage(Record):
    """The newest outage of the line that `key` names, as `transitions.key_of` makes it; times since the epoch.

    `since` its first failed evaluation, `last` its newest. `failures` counts them; `cause` is the kind of fault of
    the newest (`evaluator.errors.FaultKind`), empty where it is not known. `ended` is None while it lasts.
    """

    key: str
    since: float
    last: float
    failures: int
    cause: str = ""
    ended: float | None = None


class OpenOutage(Record):
    """A line whose readers fail: which, since when, and until when they are not asked (None: the next call asks).

    `failures` is 0 and `cause` empty where only the breaker is known, as an older Compass left it.
    """

    backend: str
    address: str
    model: str
    state: LineState
    since: float
    until: float | None
    failures: int = 0
    last: float | None = None
    cause: str = ""

    @property
    def line(self) -> str:
        """Backend, address and model, as people read them."""
        place = self.address or "the public API"
        return f"{self.backend} at {place}" + (f", {self.model}" if self.model else "")


def open_outages(
    breakers: Mapping[str, BreakerState], outages: Sequence[Outage], rules: BreakerRules, now: float
) -> list[OpenOutage]:
    """Every outage of the machine that lasts, whoever met it and whatever the caller's own line is; oldest first.

    A line counts while its breaker is open or half-open, or while its newest evaluation failed. `rules` are those of
    the caller's settings: they say how long a breaker stays open.
    """
    found: dict[str, OpenOutage] = {}
    lasting = {one.key: one for one in outages if one.ended is None and now - one.last < STALE_SECONDS}
    for key in {*breakers, *lasting}:
        state = breakers.get(key, Closed())
        outage = lasting.get(key)
        if outage is None and isinstance(state, Closed):
            continue
        backend, address, model = line_of(key)
        found[key] = OpenOutage(
            backend=backend,
            address=address,
            model=model,
            state=_state_of(state),
            since=min(now, outage.since if outage else getattr(state, "since", now)),
            until=until_of(state, rules, now),
            failures=outage.failures if outage else 0,
            last=min(now, outage.last) if outage else None,
            cause=outage.cause if outage else "",
        )
    return [found[key] for key in sorted(found, key=lambda key: (found[key].since, key))]


def until_of(state: BreakerState, rules: BreakerRules, now: float) -> float | None:
    """When readers are asked again; None where a call that asked now would be admitted."""
    _, effects = step(state, AdmissionAsked(""), now, rules)
    return admission_of(effects).until


def line_of(key: str) -> tuple[str, str, str]:
    """(backend, address, model) of a breaker's key; words where only a digest was kept."""
    import json

    try:
        parts = cast(object, json.loads(key))
    except ValueError:
        return _UNKNOWN_LINE
    if not isinstance(parts, list):
        return _UNKNOWN_LINE
    named = [part for part in cast("list[object]", parts) if isinstance(part, str)]
    # A fourth part named a session, whose breaker was its own in older versions.
    if len(named) not in (3, 4) or len(named) != len(cast("list[object]", parts)):
        return _UNKNOWN_LINE
    return named[0], named[1], named[2]


def _state_of(state: BreakerState) -> LineState:
    if isinstance(state, Closed):
        return "failing"
    return "half-open" if isinstance(state, HalfOpen) else "open"
