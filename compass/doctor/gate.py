"""What is in force: the client, the settings, the readers and whether they could answer, the team's login, cuts."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess

import compass
from compass.composition.automatic_backend import (
    TEAM,
    backend_in_force,
    better_than,
    choose_backend,
)
from compass.composition.thresholds import in_force as thresholds_in_force
from compass.composition.thresholds import plain_rule, rule_of, thresholds_file, told_of
from compass.doctor.finding import Finding, Situation
from compass.install.consent import agreement_here
from evaluator.backends import AUTO, ROWS
from evaluator.errors import ConfigError
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.prerequisites import find_program
from evaluator.readers.team.login import ends_soon, holds, normal, read_login
from evaluator.settings import layers
from evaluator.settings.files import TEAM_LAYER, kept_policy
from evaluator.settings.layers import ASKED, HISTORY, LOOKUPS, SYMBOLS
from evaluator.settings.places import set_by

_SECONDS = 10.0


def client_version(situation: Situation) -> Finding:
    """Whether the installed host is new enough: under a closed policy an older client would let the write run when the
    hook fails."""
    name = "client"
    setup = situation.setup
    program = find_program(setup.table.program, situation.site.env)
    if program is None:
        return Finding(name, True, f"no `{setup.table.program}` on the PATH, so its version is not known")
    try:
        done = subprocess.run(  # noqa: S603 - found on PATH, fixed arguments
            [program, "--version"],
            env=dict(situation.site.env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        said = f"{program} --version gave no answer ({error.__class__.__name__})"
        return Finding(name, not situation.blocks, said)
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", done.stdout)
    if found is None:
        return Finding(name, not situation.blocks, f"{program} --version names no version")
    version = tuple(map(int, found.groups()))
    oldest = ".".join(map(str, setup.table.oldest))
    if version >= setup.table.oldest:
        return Finding(name, True, f"{found[0]}, at least {oldest}")
    way = f"update it to {oldest} or newer"
    if not setup.table.local_file:
        said = f"{found[0]} is older than any that Compass was tried with: {way}"
        return Finding(name, not situation.blocks, said, warns=True)
    if situation.blocks:
        return Finding(name, False, f"{found[0]} ignores onFailure, so the closed policy cannot hold: {way}")
    return Finding(name, True, f"{found[0]} ignores onFailure; to enforce with a closed policy, {way}")


_PACKAGES = ("evaluator", "hooks", "calibration")


def in_force(situation: Situation) -> Finding:
    settings = situation.settings
    if situation.loaded.lost:
        does = "every write is blocked" if situation.blocks else "nothing is checked"
        way = "restore the file, or delete it and run `compass init`; `compass init --uninstall` takes the gate out"
        return Finding("gate", False, f"its settings are lost, and {does}: {situation.loaded.lost}: {way}")
    if not settings.enabled:
        return Finding("gate", False, f"not enabled for this project: run `{situation.again}`")
    watches = settings.mode != "enforce"
    observe = f"; nothing is blocked, `{situation.again} --enforce` turns blocking on" if watches else ""
    return Finding(
        "gate",
        True,
        f"mode {settings.mode}{observe}; a check fails below mean {settings.confidence('reversible'):g}, or "
        f"{settings.confidence('irreversible'):g} where it cannot be taken back, or above "
        f"deviation {settings.stddev_threshold:g}; error policy {settings.error_policy}, "
        f"deadline {settings.deadline_seconds:g} s",
        but=f"it only watches and holds nothing (`{situation.again} --enforce` turns blocking on)"
        if watches
        else "",
    )


def settings_problems(situation: Situation) -> Finding:
    ignored = situation.loaded.ignored
    theirs = [str(item) for item in ignored if item.origin == TEAM_LAYER]
    problems = [str(item) for item in ignored if item.origin != TEAM_LAYER]
    if theirs and not problems:
        said = f"{'; '.join(theirs)}: tell whoever runs your team's evaluator"
        return Finding("settings", True, said, warns=True)
    problems += theirs
    if problems:
        return Finding(
            "settings",
            False,
            "; ".join(problems) + f": correct or remove these keys, your own with {set_by('KEY', 'VALUE')}. "
            "A project's keys count only once `compass trust` has pinned them",
        )
    loaded = situation.loaded
    count = len(loaded.origins) - sum(map(loaded.waits_for_yes, ASKED))
    return Finding("settings", True, f"{count} keys set, none refused")


def names_sent(situation: Situation) -> Finding:
    """Which names are sent to readers: what leaves grew with a version, so it warns until the user was asked."""
    loaded = situation.loaded
    site = situation.site
    hosted = kind_of(backend_in_force(loaded.settings, site.env, site.home, site.project_dir)).hosted
    if not loaded.settings.sends_exchange:
        return Finding("names sent", True, "none, as both excerpt limits are 0")
    evidence = loaded.settings.evidence
    sent = "those that a write touches, to hosted readers" if evidence.symbols else "none"
    if evidence.lookups != "off":
        sent += f"; lines about its targets that the agent looked up are sent, too ({LOOKUPS})"
    if evidence.history:
        sent += f"; so are your earlier messages in the session and the calls of the turn ({HISTORY})"
    waits = [
        f"{told}: {set_by(key, value)}"
        for key, value, told in (
            (SYMBOLS, "true", "which names a write touches, never its text"),
            (HISTORY, "true", "your earlier messages in the session and the calls of the turn"),
            (LOOKUPS, "targets", "lines from what the agent read that name a target"),
        )
        if loaded.waits_for_yes(key)
    ]
    if waits and loaded.settings.enabled:
        sent += f"; waits for your yes, which `compass init` in a terminal asks for: {'; '.join(waits)}"
    return Finding("names sent", True, sent, warns=hosted and bool(waits) and loaded.settings.enabled)


def _told(name: str, situation: Situation) -> str:
    """What it was measured to find and miss and what would be better, to go on with."""
    finds = kind_of(name).finds
    better = better_than(name, situation.settings, situation.site.env, agreement_here(situation.site))
    return "".join([f". {finds}" if finds else "", f" Better: {better}" if better else ""])


def backend(situation: Situation) -> Finding:
    settings = situation.settings
    chosen = settings.evaluator.backend
    if chosen == AUTO:
        name, why = choose_backend(settings, situation.site.env, agreement_here(situation.site))
        return Finding("backend", True, f"auto takes {name}: {why}{_told(name, situation)}")
    origin = situation.loaded.origins.get("evaluator.backend", "the settings")
    missing = kind_of(chosen).missing(settings, situation.site.env)
    if missing is None:
        return Finding("backend", True, f"{chosen}, set by {origin}{_told(chosen, situation)}")
    way = "provide it, or run `compass init --backend auto`"
    return Finding("backend", False, f"{chosen}, set by {origin}: {missing} here: {way}")


def credentials(situation: Situation) -> Finding:
    """Whether the readers' credentials are set, by their names alone: no value is ever shown."""
    settings, env = situation.settings, situation.site.env
    known = [name for backend in ROWS for name in kind_of(backend).credentials]
    present = [name for name in known if env.get(name, "").strip()]
    said = f"{' and '.join(present)} set" if present else f"none of {', '.join(known)} set"
    chosen = settings.evaluator.backend
    kind = None if chosen == AUTO else kind_of(chosen)
    needs = kind.credentials if kind is not None else ()
    ok = kind is None or not needs or bool(set(needs) & set(present)) or kind.missing(settings, env) is None
    way = ": set one where the host is started, or run `compass init --backend embedded`"
    return Finding("credentials", ok, said if ok else said + way)


def packages(situation: Situation) -> Finding:
    """Whether each package is Compass's own: plain names (hooks, evaluator) must not be a stranger's of the same
    environment."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(compass.__file__)))
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        place = os.path.realpath(spec.origin) if spec and spec.origin else "nowhere"
        if os.path.dirname(os.path.dirname(place)) != home:
            way = "install Compass into an environment of its own"
            return Finding("packages", False, f"{name} is imported from {place}, not from {home}: {way}")
    return Finding("packages", True, f"{compass.__version__}, all from {home}")


def login(situation: Situation) -> Finding:
    """Whether the login at a team's evaluator holds. Not ok where that judges here and the token is gone, unreadable or
    over."""
    site, settings = situation.site, situation.settings
    judges = backend_in_force(settings, site.env, site.home, site.project_dir) == TEAM
    kept = kept_policy(site.state_dir)
    few, who = "", kept.readers
    if judges and who is not None:
        least, way = kind_of(TEAM).least(settings), set_by("evaluator.min_valid_samples", "N")
        if who.n < least:
            few = f": {least} have to be valid here, so no check gets a verdict: {way}"
    pushed = f"; its policy {kept.digest} is in force" if kept.digest else "; its policy is not kept"
    try:
        found = read_login(site.state_dir)
    except ConfigError as error:
        return Finding("team", not judges, str(error), warns=True)
    if found is None:
        said = f"not logged in to a team's evaluator{pushed if kept.digest else ''}"
        return Finding("team", not judges, said + (": run `compass team login URL`" if judges else ""))
    here = normal(settings.evaluator.base_url or "") == found.address
    asked = "" if judges else "; it does not judge here" if here else "; another address is configured here"
    until = holds(found.expires_at, situation.now)
    reads = "" if who is None else f"; {who.n} readers of {who.model} through {who.backend} read there"
    said = f"{found.person} of {found.team} at {found.address}, token {until}{asked}{reads}{pushed}"
    way = f"ask for a new token and run `compass team login {found.address}`"
    if 0 < found.expires_at <= situation.now:
        return Finding("team", not judges, f"{said}: {way}", warns=True)
    if ends_soon(found.expires_at, situation.now):
        return Finding("team", True, f"{said}: {way}", warns=True)
    return Finding("team", True, f"{said}{few}", warns=bool(few))


def egress(situation: Situation) -> Finding:
    """Whether the evidence may go to who reads. Fails where it may not: then every write is held."""
    site, settings = situation.site, situation.settings
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    forbidden = settings.data_egress.forbids(backend)
    if forbidden:
        return Finding("evidence", not settings.enabled, forbidden)
    allowed = settings.data_egress.backends
    where = "to any backend" if allowed is None else f"to {' and '.join(allowed)}"
    return Finding("evidence", True, f"may go {where}")


def calibration(situation: Situation) -> Finding:
    """Whether calibrated thresholds are in force. Fails for a file that cannot be used or is stale: the gate then goes
    by the settings."""
    site, settings = situation.site, situation.settings
    path = layers.calibration_file(site.env, site.home, site.project_dir)
    limits = told_of(plain_rule(settings))
    if not any(map(os.path.exists, (path, thresholds_file(path)))):
        return Finding(
            "calibration",
            True,
            f"none; {limits} by the settings. `compass calibrate` finds thresholds of your own",
        )
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    found, _ = thresholds_in_force(settings, backend, path)
    if found is not None and not found.per_n:
        return Finding(
            "calibration", True, f"that of {found.date} sets no thresholds; {limits} by the settings ({path})"
        )
    rule = rule_of(settings, backend, path)
    if rule.note:
        return Finding("calibration", False, f"{rule.note}; run `compass calibrate` again, or delete {path}")
    return Finding("calibration", True, f"in force: {told_of(rule)} ({path})")
