"""`compass status`: what the gate does here, who reads, what it came to lately, and what to do next."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import compass
from compass.composition.automatic_backend import agreement_of, backend_in_force, better_than
from compass.composition.settings import NOTHING_YET, Here, here
from compass.composition.thresholds import rule_of, told_of
from compass.doctor import wiring
from compass.doctor.finding import Finding, Situation, host_files
from compass.install.installation import Site
from compass.project_precedents import memory_of
from compass.show.log_line import fitted, line_of
from compass.show.status import DAYS, HINDSIGHT, LAST, OFF, Status, as_json, next_step, rows, times_of
from compass.show.terminal import coloured, columns_of, labelled
from evaluator.breaker import open_outages, rules_of
from evaluator.readers.kinds.kind import kind_of, label_of
from evaluator.settings.keys import Settings
from evaluator.text import DAY_SECONDS, day_of, safe
from hooks import registry

WIRED = (wiring.settings_load, wiring.hooks_enabled, wiring.hooks_wired)
INDENT = 14


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="a project's folder (default: this one)")


def run(args: argparse.Namespace) -> int:
    """Exit code 0, whatever there is to say. Raises StateError for state that cannot be read."""
    found = here(args.path)
    status = status_of(found, time.time())
    if args.json:
        print(json.dumps(as_json(status), indent=2))
    else:
        _show(status)
    return 0


def status_of(found: Here, now: float) -> Status:
    settings, env, history = found.loaded.settings, found.env, found.history
    agreement = agreement_of(env, found.home, found.project_dir)
    backend = backend_in_force(settings, env, found.home, found.project_dir)
    kind = kind_of(backend)
    since, today = now - DAYS * DAY_SECONDS, day_of(now)
    memory = memory_of(found.state_dir, found.project_dir, settings.memory)
    script = str(Path(compass.__file__).absolute().parent / "__main__.py")
    site = Site(found.env, found.home, found.project_dir, sys.executable, script)
    wired = site.hosts
    settled = Counter(one.tightens for one in memory.all())
    by_host: Counter[str] = Counter()
    for host, count in history.by_host(found.project, since).items():
        by_host[host or registry.DEFAULT] += count
    return Status(
        project_dir=found.project_dir,
        mode=settings.mode if settings.enabled else OFF,
        faults=_faults(found, site, wired, now),
        backend=backend,
        model=kind.model(settings),
        readers=_readers(found, backend),
        missing=kind.missing(settings, env) or "",
        last=tuple(history.newest(found.project, LAST)),
        tallies=tuple(history.tallies(found.project, since)),
        times=times_of(history.durations(found.project, since)),
        cost_today=history.spent(today),
        cap=settings.evaluator.daily_budget_usd,
        outages=tuple(open_outages(history.breakers(), history.outages(), rules_of(settings), now)),
        recorded=history.last_place() > 0,
        samples_today=history.samples_of(today),
        remembers=memory.enabled,
        readings=settled[False],
        controls=settled[True],
        samples_cap=settings.evaluator.daily_calls,
        better=better_than(backend, settings, env, agreement),
        calibration=_calibration(settings, backend, found.calibration),
        hindsight=_hindsight(os.path.dirname(found.calibration)),
        hosts=tuple(by_host.most_common()),
        wired=wired,
    )


def _faults(found: Here, site: Site, wired: Sequence[str], now: float) -> tuple[str, ...]:
    """Why the gate would not hold, by the settings alone; `doctor` tries it."""
    if found.loaded.lost:
        return (found.loaded.lost,)
    if not found.loaded.settings.enabled:
        return ()
    findings: list[Finding] = []
    for host in tuple(map(registry.host_of, wired)) or (registry.default(),):
        seen = replace(site, host=host)
        situation = Situation(seen, found.loaded, host_files(seen), now)
        findings += [
            examine(situation)
            for examine in (WIRED if host.setup().table.local_file else (wiring.hooks_wired,))
        ]
    return tuple(finding.detail for finding in findings if not finding.ok)


def _calibration(settings: Settings, backend: str, path: str) -> str:
    """A line on the thresholds that were calibrated; empty where nothing was."""
    rule = rule_of(settings, backend, path)
    if rule.note:
        return f"{rule.note}; run `compass calibrate` again"
    certified = rule.reversible.alpha is not None or rule.irreversible.alpha is not None
    return told_of(rule) if certified else ""


def _hindsight(folder: str) -> str:
    """The last headline of hindsight; empty where nothing was told that can be read."""
    try:
        kept = json.loads(Path(folder, HINDSIGHT).read_text(encoding="utf-8"))
        return f"{kept['told']} ({kept['at']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _readers(found: Here, backend: str) -> str:
    settings = found.loaded.settings
    kind = kind_of(backend)
    if not kind.hosted:
        return f"{label_of(backend)} in this process; nothing leaves the machine"
    count, _ = kind.sampling(settings)
    model = kind.model(settings)
    asked = f"{count} readers of {model}" if model else f"{count} readers"
    return f"{asked}, through {label_of(backend)}; requests go to {kind.goes(settings, found.env)}"


def _show(status: Status) -> None:
    styled, columns = coloured(), columns_of()

    def put(label: str, text: str) -> None:
        first, *others = labelled(f"{label:<{INDENT}}", text, columns, INDENT)
        name = min(len(first), INDENT)
        print(f"\x1b[2m{first[:name]}\x1b[0m{first[name:]}" if styled else first, *others, sep="\n")

    title = f"Compass in {safe(status.project_dir)}"
    print(f"\x1b[1m{title}\x1b[0m" if styled else title)
    for name, text in rows(status):
        put(name, text)
    if status.last:
        put("last checks", "")
        for kept in status.last:
            print("  " + " ".join(fitted(line_of(kept), columns - 2)).rstrip())
    else:
        put("last checks", "none of this project yet" if status.recorded else NOTHING_YET)
    put("next", next_step(status))
