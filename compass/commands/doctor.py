"""`compass doctor`: prove that the gate holds, or say what is wrong and how to get out of it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

from compass.arguments import add_host
from compass.composition.settings import load
from compass.doctor import gate, wiring
from compass.doctor.situation import Examination, Finding, Situation, host_files
from compass.install.installation import site_here
from compass.show.terminal import put_row, say
from evaluator.errors import CompassError
from hooks import registry

_OF_ANY_HOST: tuple[Examination, ...] = (
    gate.client_version, gate.in_force, gate.settings_problems, gate.backend, gate.credentials, gate.login,
    gate.egress, gate.state_folder, gate.settings_files, gate.database, gate.faults, gate.events,
    gate.heartbeat, gate.circuit, gate.calibration, gate.shared_policy,
)  # fmt: skip
_PROVEN: tuple[Examination, ...] = (wiring.answers_read, wiring.answers_garbage)
_WIRED: tuple[Examination, ...] = (wiring.settings_load, wiring.hooks_enabled, wiring.hooks_wired)
CHECKS: tuple[Examination, ...] = (*_WIRED, wiring.tools_gated, *_PROVEN, *_OF_ANY_HOST)
PLAIN_CHECKS: tuple[Examination, ...] = (wiring.hooks_wired, wiring.promised, *_PROVEN, *_OF_ANY_HOST)
"""Of a host that is wired in one file of the user's."""

INDENT = 28
_STYLES = {"ok": "green", "note": "yellow", "FAIL": "bold red"}


def add_doctor_arguments(parser: argparse.ArgumentParser) -> None:
    add_host(parser)
    parser.set_defaults(host=None)


def run_doctor(args: argparse.Namespace) -> int:
    """Exit code 0 if every check is fine, else 1. Raises ConfigError without a project."""
    name = args.host
    if not name:
        # Of the hosts that init set this project up for, the default one or the first; the others are told of.
        name, *others = site_here().hosts or (registry.DEFAULT,)
        for other in others:
            print(f"Also wired for {other}: `compass doctor --host {other}`", file=sys.stderr)
    site = site_here(registry.host_of(name))
    loaded = load(site.env, site.home, site.project_dir, host=site.host)
    situation = Situation(site, loaded, host_files(site), time.time())
    checks = CHECKS if situation.setup.table.local_file else PLAIN_CHECKS
    findings: list[Finding] = []
    for check in checks:
        try:
            findings.append(check(situation))
        except (OSError, CompassError) as error:
            # What cannot be read is a finding that is not ok, and the others go on.
            cause = f"could not be examined: {error.__class__.__name__}: {error}"[:223]
            findings.append(Finding(check.__name__.replace("_", " "), False, cause))
    findings += wiring.own_findings(situation)
    if args.json:
        told = ("name", "ok", "warns", "detail")
        print(json.dumps([{name: getattr(one, name) for name in told} for one in findings], indent=2))
    else:
        # Folders may bear any name, and a project's settings are a stranger's.
        say(f"Compass in {site.project_dir}", style="bold")
        for one in findings:
            mark = "FAIL" if not one.ok else "note" if one.warns else "ok"
            put_row(f"{mark:<4}  {one.name}", one.detail, INDENT, _STYLES[mark])
        said, style = verdict(findings)
        say(said, style=style)
    return 0 if all(finding.ok for finding in findings) else 1


def verdict(findings: Sequence[Finding]) -> tuple[str, str]:
    """(the last line, its style): never that the gate holds where a finding knows better."""
    wrong = sum(not finding.ok for finding in findings)
    if wrong:
        return f"{wrong} of {len(findings)} checks fail.", "bold red"
    buts = [finding.but for finding in findings if finding.but]
    if buts:
        return f"No check fails, but {'; '.join(buts)}.", "bold yellow"
    return "The gate works as configured.", "bold green"
