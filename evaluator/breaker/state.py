"""The words of the breaker: its rules, states and answers. Depends on nothing else in the project."""

from __future__ import annotations

from typing import Literal

from evaluator.record import Record

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
