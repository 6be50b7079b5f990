"""What `compass status` says: figures of the last days in words, and the one command that matters. Pure."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from compass.show.log_line import WHY, cost_of, document, took_of
from evaluator.breaker import OpenOutage
from evaluator.settings.places import set_by
from evaluator.state.history import CheckTally, KeptCheck
from evaluator.text import printable

DAYS = 7
"""What the figures are of."""
LAST = 5
"""Checks that are shown."""
ENOUGH_OBSERVED = 20
"""Checks after which observing has shown something."""
ALL_REASONS: dict[str, str] = {str(reason): words for reason, words in WHY.items()}
HINDSIGHT = "hindsight.told.json"
"""What `compass hindsight` last told, in the project's folder."""
OFF, OBSERVE, ENFORCE = "off", "observe", "enforce"
MODES = {
    OFF: "off: nothing is checked",
    OBSERVE: "observe: every write is judged and recorded, nothing is blocked",
    ENFORCE: "enforce: a write that fails its check is held",
}


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds that a check took, over `count` checks."""

    count: int
    p50: int
    p95: int


@dataclass(frozen=True, slots=True)
class Status:
    """`faults` say why the gate would not hold, each with its way out; `missing` what the readers lack,
    `better` what would find more.

    `cap` is the day's limit in US dollars, `samples_cap` that in samples, None for none. `recorded`:
    the state holds a check of any project. `hosts` are (host, checks) of the days, most first.
    """

    project_dir: str
    mode: str
    faults: tuple[str, ...]
    backend: str
    model: str
    readers: str
    missing: str
    last: tuple[KeptCheck, ...]
    tallies: tuple[CheckTally, ...]
    times: Times | None
    cost_today: float
    cap: float | None
    outages: tuple[OpenOutage, ...]
    recorded: bool
    samples_today: int = 0
    samples_cap: int | None = None
    better: str = ""
    hosts: tuple[tuple[str, int], ...] = ()
    wired: tuple[str, ...] = ()
    """The names of the agents that `init` set this project up for."""
    calibration: str = ""
    """What is to be said of it; empty for none."""
    hindsight: str = ""
    """How often the agent misread the user, as last told; empty where it never was."""
    remembers: bool = True
    """Whether precedents are kept and shown to readers."""
    readings: int = 0
    controls: int = 0
    """Precedents of this project that count: what words mean, and what was not meant."""

    @property
    def holds(self) -> bool:
        """Whether the gate would hold a write that fails its check, by all that is known here."""
        return self.mode == ENFORCE and not self.faults and not self.missing

    def count(self, verdict: str, decision: str) -> int:
        return sum(
            tally.count for tally in self.tallies if (tally.verdict, tally.decision) == (verdict, decision)
        )

    @property
    def checks(self) -> int:
        return sum(tally.count for tally in self.tallies)

    @property
    def held(self) -> int:
        return sum(tally.count for tally in self.tallies if tally.decision == "deny")

    @property
    def would_be_held(self) -> int:
        return self.count("failed", "allow")

    @property
    def unjudged(self) -> tuple[tuple[str, int], ...]:
        """(reason, how many) of the calls that ran without a judgement, most frequent first."""
        return tuple(
            (tally.reason, tally.count)
            for tally in self.tallies
            if (tally.verdict, tally.decision) == ("skipped", "allow")
        )


def times_of(durations: Sequence[int]) -> Times | None:
    """Percentiles of ascending milliseconds, by nearest rank; None without any."""
    if not durations:
        return None

    def at(share: float) -> int:
        return durations[max(0, math.ceil(share * len(durations)) - 1)]

    return Times(len(durations), at(0.5), at(0.95))


def next_step(status: Status) -> str:
    """The next step in one line, with the one command that matters most."""
    if status.mode == OFF:
        return "`compass init` turns the gate on here; it observes at first"
    if status.faults:
        return "`compass doctor` names what is wrong and the way out"
    if status.missing:
        return "`compass init --backend auto` takes the readers that are ready"
    if status.outages:
        return (
            "`compass doctor` describes the outage; "
            f"{set_by('error_policy', 'embedded')} lets rules judge meanwhile"
        )
    if not status.checks:
        return "start your agent here and let it write; `compass doctor` proves that the hooks answer"
    if status.last and status.last[-1].record.get("decision") == "deny":
        return "answer in the session, where your choices are shown; `compass explain` shows why the last one was held"
    if status.mode == OBSERVE and status.checks >= ENOUGH_OBSERVED:
        return (
            "`compass init --enforce` holds what fails; `compass log --held` shows what would have been held"
        )
    return "`compass ui` shows each check as it comes"


def rows(status: Status) -> list[tuple[str, str]]:
    """(label, text) of everything but the last checks and the next step; texts are safe to show."""
    found = [("mode", f"{status.mode}, but the gate would not work" if status.faults else MODES[status.mode])]
    found += [("because", fault) for fault in status.faults]
    if status.wired:
        found.append(("wired for", ", ".join(status.wired)))
    found.append(("who reads", status.readers + (f"; {status.missing} here" if status.missing else "")))
    if status.better:
        found.append(("better", status.better))
    if status.calibration:
        found.append(("calibration", status.calibration))
    if status.hindsight:
        found.append(("hindsight", status.hindsight))
    found += [("outage", outage_told(outage)) for outage in status.outages]
    if status.checks:
        found.append((f"{DAYS} days", _counted(status)))
        if len(status.hosts) > 1:
            found.append(("by host", ", ".join(f"{count} {host}" for host, count in status.hosts)))
        if status.unjudged:
            by_reason = (f"{count} {ALL_REASONS.get(reason, reason)}" for reason, count in status.unjudged)
            found.append(("unjudged", ", ".join(by_reason)))
    if status.times is not None:
        p50, p95 = took_of(status.times.p50), took_of(status.times.p95)
        found.append(("time added", f"{p50} at p50, {p95} at p95, over {_checks(status.times.count)}"))
    if status.readings or status.controls:
        found.append(("memory", _remembered(status)))
    limit = f" of {cost_of(status.cap)} a day" if status.cap is not None else ""
    if status.samples_today or status.samples_cap is not None:
        most = f" of {status.samples_cap} a day" if status.samples_cap is not None else ""
        found.append(("calls today", f"{status.samples_today}{most}, all projects on this machine"))
    found.append(("cost today", f"{cost_of(status.cost_today)}{limit}, all projects on this machine"))
    return [(label, printable(text)) for label, text in found]


def outage_told(outage: OpenOutage) -> str:
    since = _clock(outage.since)
    cause = f" ({outage.cause})" if outage.cause else ""
    until = (
        f"not asked until {_clock(outage.until)}" if outage.until is not None else "the next check asks again"
    )
    return f"{outage.line} has been failing since {since}{cause}; {until}"


def as_json(status: Status) -> dict[str, object]:
    """`compass status` as scripts are given it; null where nothing is known."""
    return {
        "project_dir": status.project_dir,
        "mode": status.mode,
        "holds": status.holds,
        "faults": list(status.faults),
        "wired": list(status.wired),
        "backend": status.backend,
        "model": status.model or None,
        "readers": status.readers,
        "missing": status.missing or None,
        "better": status.better or None,
        "calibration": status.calibration or None,
        "hindsight": status.hindsight or None,
        "memory": {"enabled": status.remembers, "readings": status.readings, "controls": status.controls},
        "days": DAYS,
        "checks": status.checks,
        "passed": status.count("passed", "allow"),
        "held": status.held,
        "would_be_held": status.would_be_held,
        "unjudged": dict(status.unjudged),
        "hosts": dict(status.hosts),
        "duration_ms": {"count": status.times.count, "p50": status.times.p50, "p95": status.times.p95}
        if status.times is not None
        else None,
        "cost_today_usd": status.cost_today,
        "daily_budget_usd": status.cap,
        "calls_today": status.samples_today,
        "daily_calls": status.samples_cap,
        "outages": [
            {
                "backend": one.backend,
                "address": one.address or None,
                "model": one.model or None,
                "state": one.state,
                "since": one.since,
                "until": one.until,
                "cause": one.cause or None,
            }
            for one in status.outages
        ],
        "last": [document(kept) for kept in status.last],
        "next": next_step(status),
    }


def _remembered(status: Status) -> str:
    meant = f"{status.readings} {'reading' if status.readings == 1 else 'readings'} of open words"
    parts = [meant] if status.readings else []
    if status.controls:
        parts.append(f"{status.controls} not meant")
    off = "" if status.remembers else f", shown to no reader until {set_by('memory.enabled', 'true')}"
    return f"{', '.join(parts)}{off}; `compass memory list`"


def _counted(status: Status) -> str:
    parts = [f"{status.count('passed', 'allow')} passed", f"{status.held} held"]
    if status.would_be_held:
        parts.append(f"{status.would_be_held} would have been held, and ran")
    parts.append(f"{sum(count for _, count in status.unjudged)} passed unjudged")
    return f"{_checks(status.checks)}: {', '.join(parts)}"


def _checks(count: int) -> str:
    return "1 check" if count == 1 else f"{count} checks"


def _clock(at: float) -> str:
    return time.strftime("%m-%d %H:%M", time.localtime(at))
