"""Is the breaker to the readers closed, which readers fail on this machine, and what of this project ran unjudged?

Opens the real database and changes no breaker in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

from compass.composition.automatic_backend import backend_in_force
from compass.doctor.finding import Finding, Situation, clock
from evaluator.breaker import (
    BreakerState,
    Closed,
    HalfOpen,
    OpenOutage,
    Outage,
    key_of,
    line_of,
    open_outages,
    rules_of,
    until_of,
    without_secrets,
)
from evaluator.intervention.outage import meanwhile, phrases_in
from evaluator.readers.kinds.kind import kind_of, label_of
from evaluator.settings.places import set_by
from evaluator.state.database import recent_faults
from evaluator.state.history import failed_checks
from evaluator.state.store import FILE_NAME, open_store
from evaluator.text import DAY_SECONDS, rfc3339

_NAME = "circuit"
"""As `doctor --json` has always called it."""
_STANDS_IN = {
    "fail_open": "calls pass unjudged, except destructive ones",
    "embedded": "rules stand in",
    "fail_closed": "writes are held",
}


def breaker(situation: Situation) -> Finding:
    """Whether the breaker lets readers be asked. Fails while they are cut off and nobody judges in their place."""
    settings, site = situation.settings, situation.site
    env = site.env
    backend = backend_in_force(settings, env, site.home, site.project_dir)
    kind = kind_of(backend)
    if not kind.hosted:
        return Finding(_NAME, True, f"none needed: {label_of(backend)} ask nobody")
    if not settings.circuit_breaker.enabled:
        way = set_by("circuit_breaker.enabled", "true")
        said = f"turned off by circuit_breaker.enabled: readers that fail are asked each time; {way}"
        return Finding(_NAME, True, said)
    address, model = kind.address(settings, env), settings.evaluator.model
    line = f"{backend} at {without_secrets(address) or 'the public API'}, {model}"
    state = _state(situation, key_of(backend, address, model))
    if state is None:
        return Finding(_NAME, True, "not known: see the finding on the database")
    return _told_of_breaker(state, line, situation)


def _state(situation: Situation, key: str) -> BreakerState | None:
    """The breaker's state as the database has it; None where that cannot tell."""
    folder = situation.site.state_dir
    if not os.path.isfile(os.path.join(folder, FILE_NAME)):
        return Closed()
    opened = open_store(folder, now=situation.now)
    try:
        return None if opened.fault else opened.store.breaker(key)
    finally:
        opened.store.close()


def _told_of_breaker(state: BreakerState, line: str, situation: Situation) -> Finding:
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
        f"until then {_STANDS_IN[behaviour]}; `compass explain` shows what failed"
    )
    return Finding(_NAME, not situation.settings.enabled or behaviour != "fail_open", detail)


_FAULTS_LOOKED_AT = 500
_RUNS = ("unjudged", "unjudged but")
_INSTEAD = {
    "held": "writes are held",
    "by rules": "only rules judge",
    **dict.fromkeys(_RUNS, "writes run unjudged"),
}


def outages(situation: Situation) -> Finding:
    """Which readers fail now: every line, whatever line this shell's environment leads to. Fails where writes of this
    project ran unjudged since, and more will.

    Fails where writes of this project ran unjudged since, and more will.
    """
    name, folder = "outages", situation.site.state_dir
    if not os.path.isfile(os.path.join(folder, FILE_NAME)):
        return Finding(name, True, "none: no readers have been asked yet")
    opened = open_store(folder, now=situation.now)
    try:
        if opened.fault:
            return Finding(name, True, "not known: see the finding on the database")
        lasting = open_outages(
            opened.store.breakers(), opened.store.outages(), rules_of(situation.settings), situation.now
        )
        over = [one for one in opened.store.outages() if one.ended is not None]
    finally:
        opened.store.close()
    ended = [_past(one) for one in over if situation.now - (one.ended or 0.0) < DAY_SECONDS]
    if not lasting:
        return Finding(name, True, "; ".join(["none is ongoing", *ended]))
    does = meanwhile(situation.settings, shut=True)
    ran = does in _RUNS and any(_at(one) >= lasting[0].since - 60 for one in _alone(_failed(situation)))
    told = "; ".join([*map(_told, lasting), *ended])
    if ran and situation.settings.enabled:
        way = f"{set_by('error_policy', 'closed')} holds writes instead"
        return Finding(name, False, f"{told}; writes of this project run unjudged meanwhile: {way}")
    said = _INSTEAD.get(does, "nothing is held")
    but = f"readers are failing; where they should be asked, {said}"
    return Finding(name, True, told, warns=True, but=but)


def unjudged(situation: Situation) -> Finding:
    """What of this project ran in the last day although nobody could judge it."""
    name, found = "unjudged", _failed(situation)
    ran = [record for record in found if record.get("decision") == "allow"]
    alone = _alone(found)
    late = _passed_by_policy(situation)
    said = [
        f"{_count(len(alone), 'write')} ran unjudged, the newest at {clock(_at(alone[-1]))}" if alone else "",
        f"{_count(late, 'call')} on this machine let through because Compass was late or at fault"
        if late
        else "",
        f"{_count(len(ran) - len(alone), 'write')} let through by rules only"
        if len(ran) > len(alone)
        else "",
        f"{_count(len(found) - len(ran), 'write')} held for want of a judgement"
        if len(found) > len(ran)
        else "",
    ]
    told = "; ".join(part for part in said if part)
    if not told:
        return Finding(name, True, "no check of the last day failed for want of readers")
    but = f"{_count(len(alone) + late, 'write')} ran unjudged in the last day" if alone or late else ""
    return Finding(
        name, True, f"in the last day {told}: `compass explain` shows why", warns=bool(ran or late), but=but
    )


def _told(outage: OpenOutage) -> str:
    what = {"open": "breaker open", "half-open": "breaker half-open", "failing": "failing"}[outage.state]
    parts = [f"{what} since {clock(outage.since)}"]
    if outage.state != "failing":
        asks = (
            f"not asked until {clock(outage.until)}" if outage.until else "the next call probes the readers"
        )
        parts.append(asks)
    if outage.failures and outage.last is not None:
        does = phrases_in("en").does
        cause = does.get(outage.cause, does["unknown"])
        parts.append(
            f"{_count(outage.failures, 'failed check')}, the newest at {clock(outage.last)}: the readers {cause}"
        )
    return f"{outage.line}: {', '.join(parts)}"


def _past(outage: Outage) -> str:
    backend, address, model = line_of(outage.key)
    line = OpenOutage(backend, address, model, "failing", outage.since, None).line
    return f"{line}: was down from {clock(outage.since)} to {clock(outage.ended or outage.last)}"


def _failed(situation: Situation) -> list[Mapping[str, object]]:
    """The checks of this project that failed for want of readers in the last day, oldest first."""
    site = situation.site
    return [
        record
        for record in failed_checks(site.state_dir, situation.now - DAY_SECONDS)
        if cast("Mapping[str, object]", record.get("pending") or {}).get("project_dir") == site.project_dir
    ]


def _alone(found: list[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Those that ran, judged by nobody and not by the rules either."""
    return [one for one in found if one.get("decision") == "allow" and one.get("backend") != "embedded"]


def _passed_by_policy(situation: Situation) -> int:
    """Calls that were let through because Compass itself was late or at fault."""
    if situation.blocks or not situation.settings.enabled or situation.settings.mode != "enforce":
        return 0
    oldest = rfc3339(situation.now - DAY_SECONDS)
    lines = [line.partition(" ") for line in recent_faults(situation.site.state_dir, _FAULTS_LOOKED_AT)]
    return sum(stamp >= oldest and fault.startswith("pre-tool-use:") for stamp, _, fault in lines)


def _at(record: Mapping[str, object]) -> float:
    at = record.get("at")
    return float(at) if isinstance(at, int | float) else 0.0


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"
