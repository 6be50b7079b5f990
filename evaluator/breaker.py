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


def breaker_row(state: BreakerState) -> BreakerRow:
    match state:
        case Closed(failures):
            return "closed", failures, None, None
        case Open(since):
            return "open", 0, None, since
        case HalfOpen(token, since):
            return "half-open", 0, token, since


def breaker_state(state: str, failures: int, token: str | None, since: float | None) -> BreakerState:
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


def ask_breaker(
    state: BreakerState, token: str, now: float, rules: BreakerRules
) -> tuple[BreakerState, Admission]:
    """The next state and the answer to a call that wants to ask the readers at `now`, in seconds since the epoch; if it
    becomes the probe it holds `token`, which nobody held before."""
    if isinstance(state, Closed):
        return state, Admission("closed")
    # After the clock jumped back nobody waits longer than one whole duration from now.
    waiting = state if state.since <= now else replace(state, since=now)
    if isinstance(waiting, Open):
        until = waiting.since + rules.open_duration_seconds
    else:
        until = float("-inf") if waiting.token is None else waiting.since + rules.probe_lease_seconds
    if now < until:
        return waiting, Admission("open", until=until)
    return HalfOpen(token, now), Admission("probe", token)


def report_outcome(
    state: BreakerState, outcome: EvaluationOutcome, token: str | None, now: float, rules: BreakerRules
) -> BreakerState:
    """The next state once an evaluation has ended, with the token of its admission, None unless it was the probe.

    Counts only for the state that admitted it: with a token while that token holds the probe, without one while the
    breaker is closed. Any other changes nothing.
    """
    if isinstance(state, Closed) and token is None:
        if outcome == "neutral":
            return state
        failures = state.failures + 1 if outcome == "failure" else 0
        return Open(now) if failures and failures >= rules.consecutive_failures_to_open else Closed(failures)
    if not isinstance(state, HalfOpen) or token is None or token != state.token:
        return state
    if outcome == "success":
        return Closed()
    return Open(now) if outcome == "failure" else replace(state, token=None)


def evaluation_outcome(samples: Sequence[Sample], least_valid: int) -> EvaluationOutcome:
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


def breaker_rules(settings: Settings) -> BreakerRules:
    return BreakerRules(
        settings.circuit_breaker.consecutive_failures_to_open,
        settings.circuit_breaker.open_duration_seconds,
        settings.deadline_seconds + PROBE_MARGIN_SECONDS,
    )


def breaker_key(backend: str, address: str, model: str) -> str:
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


class Outage(Record):
    """The newest outage of the line that `key` names, as `breaker_key` makes it; times since the epoch.

    `since` its first failed evaluation, `last` its newest; `cause` is the kind of fault of that
    (`evaluator.errors.FaultKind`), empty where it is not known. `ended` is None while it lasts.
    """

    key: str
    since: float
    last: float
    cause: str = ""
    ended: float | None = None


class OpenOutage(Record):
    """A line whose readers fail: which, since when, and until when they are not asked (None: the next call asks)."""

    backend: str
    address: str
    model: str
    since: float
    until: float | None
    cause: str = ""

    @property
    def line(self) -> str:
        """Backend, address and model, as people read them."""
        place = self.address or "the public API"
        return f"{self.backend} at {place}" + (f", {self.model}" if self.model else "")


def open_outages(
    breakers: Mapping[str, BreakerState], outages: Sequence[Outage], rules: BreakerRules, now: float
) -> list[OpenOutage]:
    """Every outage of the machine that lasts, whoever met it and whatever the caller's own line is, in the order of
    `outages`. `rules` are those of the caller's settings: they say how long a breaker stays open."""
    return [
        OpenOutage(
            *breaker_line(one.key),
            since=min(now, one.since),
            until=shut_until(breakers.get(one.key, Closed()), rules, now),
            cause=one.cause,
        )
        for one in outages
        if one.ended is None and now - one.last < STALE_SECONDS
    ]


def shut_until(state: BreakerState, rules: BreakerRules, now: float) -> float | None:
    """When readers are asked again; None where a call that asked now would be admitted."""
    return ask_breaker(state, "", now, rules)[1].until


def breaker_line(key: str) -> tuple[str, str, str]:
    """(backend, address, model) of a breaker's key; words where only a digest was kept."""
    import json

    try:
        backend, address, model = cast("list[str]", json.loads(key))
    except ValueError:
        return "readers", "an address too long to store", ""
    return backend, address, model
