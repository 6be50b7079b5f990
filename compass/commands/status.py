"""`compass status`: what the gate does here, who reads, what it came to lately, and what to do next."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import compass
from compass.composition.automatic_backend import backend_in_force
from compass.composition.settings import NOTHING_YET, Here, here
from compass.composition.thresholds import rule_of, thresholds_told
from compass.doctor import wiring
from compass.doctor.gate import outage_told
from compass.doctor.situation import Finding, Situation, host_files
from compass.install.installation import Site
from compass.measure import HINDSIGHT
from compass.show.check import cost_of, line_document, table_of
from compass.show.terminal import console_of, put_row, say
from evaluator.breaker import OpenOutage, breaker_rules, open_outages
from evaluator.readers.kinds.kind import backend_label, kind_of
from evaluator.record import values_of
from evaluator.settings.keys import Settings
from evaluator.settings.places import set_by
from evaluator.state.history import KeptCheck
from evaluator.text import DAY_SECONDS, day_of
from hooks import registry

WIRED = (wiring.settings_load, wiring.hooks_enabled, wiring.hooks_wired)
INDENT = 14
DAYS = 7
"""What the figures are of."""
LAST = 5
"""Checks that are shown."""
ENOUGH_OBSERVED = 20
"""Checks after which observing has shown something."""
OFF, OBSERVE, ENFORCE = "off", "observe", "enforce"
MODES = {
    OFF: "off: nothing is checked",
    OBSERVE: "observe: every write is judged and recorded, but nothing is blocked",
    ENFORCE: "enforce: a write that fails its check is held",
}


@dataclass(frozen=True, slots=True)
class Status:
    """`faults` say why the gate would not hold, each with its way out; `missing` what the readers lack. `wired` are the
    agents that `init` set this project up for. The figures are of the last days: `would_be_held` failed and ran,
    `unjudged` are those that ran without a judgement, by reason. The caps are of a day, None for none. `hindsight` and
    `calibration` are empty for none."""

    project_dir: str
    mode: str
    faults: tuple[str, ...]
    wired: tuple[str, ...]
    backend: str
    model: str
    readers: str
    missing: str
    calibration: str
    hindsight: str
    checks: int
    passed: int
    held: int
    would_be_held: int
    unjudged: dict[str, int]
    cost_today_usd: float
    daily_budget_usd: float | None
    calls_today: int
    outages: tuple[OpenOutage, ...]
    last: tuple[KeptCheck, ...]

    @property
    def holds(self) -> bool:
        """Whether the gate would hold a write that fails its check, by all that is known here."""
        return self.mode == ENFORCE and not self.faults and not self.missing


def add_status_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="a project's folder (default: this one)")


def run_status(args: argparse.Namespace) -> int:
    """Exit code 0, whatever there is to say. Raises StateError for state that cannot be read."""
    status = status_of(here(args.path), time.time())
    if args.json:
        print(json.dumps(as_json(status), indent=2))
        return 0
    say(f"Compass in {status.project_dir}", style="bold")
    for label, text in rows(status):
        put_row(label, text, INDENT)
    put_row("last checks", "" if status.last else NOTHING_YET, INDENT)
    if status.last:
        console_of().print(table_of(status.last))
    put_row("next", next_step(status), INDENT)
    return 0


def status_of(found: Here, now: float) -> Status:
    settings, env, history = found.loaded.settings, found.env, found.history
    backend = backend_in_force(settings, env, found.home, found.project_dir)
    kind = kind_of(backend)
    tallies = history.tallies(found.project, now - DAYS * DAY_SECONDS)
    script = str(Path(compass.__file__).absolute().parent / "__main__.py")
    site = Site(env, found.home, found.project_dir, sys.executable, script)

    def count(verdict: str, decision: str) -> int:
        return sum(one.count for one in tallies if (one.verdict, one.decision) == (verdict, decision))

    return Status(
        project_dir=found.project_dir,
        mode=settings.mode if settings.enabled else OFF,
        faults=_status_gate_faults(found, site, site.hosts, now),
        wired=site.hosts,
        backend=backend,
        model=kind.model(settings),
        readers=_status_readers_text(found, backend),
        missing=kind.missing(settings, env) or "",
        calibration=_calibration_status(settings, backend, found.calibration),
        hindsight=_hindsight_status(found.folder),
        checks=sum(one.count for one in tallies),
        passed=count("passed", "allow"),
        held=sum(one.count for one in tallies if one.decision == "deny"),
        would_be_held=count("failed", "allow"),
        unjudged={
            one.reason: one.count for one in tallies if (one.verdict, one.decision) == ("skipped", "allow")
        },
        cost_today_usd=history.spent(day_of(now)),
        daily_budget_usd=settings.evaluator.daily_budget_usd,
        calls_today=history.samples_of(day_of(now)),
        outages=tuple(open_outages(history.breakers(), history.outages(), breaker_rules(settings), now)),
        last=tuple(history.newest(found.project, LAST)),
    )


def _status_gate_faults(found: Here, site: Site, wired: Sequence[str], now: float) -> tuple[str, ...]:
    """Why the gate would not hold, by the settings alone; `doctor` tries it."""
    if found.loaded.lost:
        return (found.loaded.lost,)
    if not found.loaded.settings.enabled:
        return ()
    findings: list[Finding] = []
    for host in tuple(map(registry.host_of, wired)) or (registry.default_host(),):
        seen = replace(site, host=host)
        situation = Situation(seen, found.loaded, host_files(seen), now)
        findings += [
            examine(situation)
            for examine in (WIRED if host.setup().table.local_file else (wiring.hooks_wired,))
        ]
    return tuple(finding.detail for finding in findings if not finding.ok)


def _calibration_status(settings: Settings, backend: str, path: str) -> str:
    """A line on the thresholds that were calibrated; empty where nothing was."""
    rule = rule_of(settings, backend, path)
    if rule.note:
        return f"{rule.note}; run `compass calibrate` again"
    certified = rule.reversible.alpha is not None or rule.irreversible.alpha is not None
    return thresholds_told(rule) if certified else ""


def _hindsight_status(folder: str) -> str:
    """The last headline of hindsight; empty where nothing was told that can be read."""
    try:
        kept = json.loads(Path(folder, HINDSIGHT).read_text(encoding="utf-8"))
        return f"{kept['told']} ({kept['at']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _status_readers_text(found: Here, backend: str) -> str:
    settings = found.loaded.settings
    kind = kind_of(backend)
    if not kind.hosted:
        return f"{backend_label(backend)} in this process; nothing leaves the machine"
    count, _ = kind.sampling(settings)
    model = kind.model(settings)
    asked = f"{count} readers of {model}" if model else f"{count} readers"
    return f"{asked}, through {backend_label(backend)}; requests go to {kind.goes(settings, found.env)}"


def next_step(status: Status) -> str:
    """The next step in one line, with the one command that matters most."""
    if status.mode == OFF:
        return "`compass init` turns the gate on here; it observes at first"
    if status.faults:
        return "`compass doctor` says what is wrong and how to fix it"
    if status.missing:
        return "`compass init --backend auto` uses whichever readers are ready"
    if status.outages:
        return (
            f"`compass doctor` describes the outage; {set_by('error_policy', 'embedded')} lets rules judge in the "
            "meantime"
        )
    if not status.checks:
        return "start your agent here and let it write; `compass doctor` proves that the hooks answer"
    if status.last and status.last[-1].record.get("decision") == "deny":
        return "answer in the session, which shows your choices; `compass explain` shows why the last write was held"
    if status.mode == OBSERVE and status.checks >= ENOUGH_OBSERVED:
        return (
            "`compass init --enforce` holds writes that fail a check; `compass log --held` shows what would have "
            "been held"
        )
    return "`compass ui` shows each check as it happens"


def rows(status: Status) -> list[tuple[str, str]]:
    """(label, text) of everything but the last checks and the next step; texts as they were said."""
    would = f", {status.would_be_held} would have been held, but ran" if status.would_be_held else ""
    figures = (
        f"{status.checks} checked: {status.passed} passed, {status.held} held{would}, "
        f"{sum(status.unjudged.values())} ran unjudged"
    )
    limit = f" of ${status.daily_budget_usd:,g}" if status.daily_budget_usd is not None else ""
    found = [
        ("mode", f"{status.mode}, but the gate would not work" if status.faults else MODES[status.mode]),
        *(("because", fault) for fault in status.faults),
        ("wired for", ", ".join(status.wired)),
        ("who reads", status.readers + (f"; {status.missing} here" if status.missing else "")),
        ("calibration", status.calibration),
        ("hindsight", status.hindsight),
        *(("outage", outage_told(outage)) for outage in status.outages),
        (f"{DAYS} days", figures if status.checks else ""),
        ("today", f"{status.calls_today} calls, {cost_of(status.cost_today_usd)}{limit}, in all projects"),
    ]
    return [(label, text) for label, text in found if text]


def as_json(status: Status) -> dict[str, object]:
    """`compass status` as scripts are given it; null where nothing is known."""
    told = {name: getattr(status, name) for name in Status.__dataclass_fields__}
    return {
        **{name: None if value == "" else value for name, value in told.items()},
        "holds": status.holds,
        "days": DAYS,
        "outages": [values_of(one) for one in status.outages],
        "last": [line_document(kept) for kept in status.last],
        "next": next_step(status),
    }
