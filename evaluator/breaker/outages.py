"""Outages: readers of one line that fail. The words, and which of them last, from what the state holds. No I/O."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, Literal, Protocol, cast

from evaluator.breaker.state import BreakerRules, BreakerState, Closed, HalfOpen
from evaluator.breaker.transitions import Asked, admission_of, step
from evaluator.record import Record

STALE_SECONDS: Final = 12 * 3600.0
"""Nobody asked for so long: what fails then is another outage."""

_UNKNOWN_LINE: Final = ("readers", "an address too long to keep", "", False)

LineState = Literal["failing", "open", "half-open"]


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


class ReadersBack(Record):
    """An outage that a session was told of has ended. `unjudged` calls of the session ran meanwhile without any
    judgement, `by_rules` were let through by the rules alone, `held` were held unjudged.
    """

    outage: Outage
    unjudged: int = 0
    by_rules: int = 0
    held: int = 0


class OpenOutage(Record):
    """A line whose readers fail: which, since when, and until when they are not asked (None: the next call asks).

    `failures` is 0 and `cause` empty where only the breaker is known, as an older Compass left it. `of_session`: the
    breaker is that of one session.
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
    of_session: bool = False

    @property
    def line(self) -> str:
        """Backend, address and model, as people read them."""
        place = self.address or "the public API"
        return f"{self.backend} at {place}" + (f", {self.model}" if self.model else "")


class Kept(Protocol):
    """What of the state is asked."""

    def breakers(self) -> Mapping[str, BreakerState]: ...

    def outages(self) -> tuple[Outage, ...]: ...


def open_outages(store: Kept, rules: BreakerRules, now: float) -> list[OpenOutage]:
    """Every outage of the machine that lasts, whoever met it and whatever the caller's own line is; oldest first.

    A line counts while its breaker is open or half-open, or while its newest evaluation failed. `rules` are those of
    the caller's settings: they say how long a breaker stays open.
    """
    found: dict[str, OpenOutage] = {}
    lasting = {
        one.key: one for one in store.outages() if one.ended is None and now - one.last < STALE_SECONDS
    }
    breakers = store.breakers()
    for key in {*breakers, *lasting}:
        state = breakers.get(key, Closed())
        outage = lasting.get(key)
        if outage is None and isinstance(state, Closed):
            continue
        backend, address, model, of_session = line_of(key)
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
            of_session=of_session,
        )
    return [found[key] for key in sorted(found, key=lambda key: (found[key].since, key))]


def until_of(state: BreakerState, rules: BreakerRules, now: float) -> float | None:
    """None where a call that asked now would be admitted."""
    _, effects = step(state, Asked(""), now, rules)
    return admission_of(effects).until


def line_of(key: str) -> tuple[str, str, str, bool]:
    """(backend, address, model, whether of one session) of a breaker's key; words where only a digest was kept."""
    try:
        parts = cast(object, json.loads(key))
    except ValueError:
        return _UNKNOWN_LINE
    if not isinstance(parts, list):
        return _UNKNOWN_LINE
    named = [part for part in cast("list[object]", parts) if isinstance(part, str)]
    if len(named) not in (3, 4) or len(named) != len(cast("list[object]", parts)):
        return _UNKNOWN_LINE
    return named[0], named[1], named[2], len(named) == 4


def _state_of(state: BreakerState) -> LineState:
    if isinstance(state, Closed):
        return "failing"
    return "half-open" if isinstance(state, HalfOpen) else "open"
