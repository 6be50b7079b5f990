"""What is in force and what is kept: client, settings, readers, login, cuts; state, events, faults, what is shared."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import time

from compass.composition import thresholds
from compass.composition.automatic_backend import TEAM, backend_in_force, better_backend, choose_backend
from compass.doctor.situation import Finding, Situation
from compass.install.committed import shared_notes
from compass.install.consent import agreement_here
from evaluator.breaker import OpenOutage, breaker_rules, open_outages
from evaluator.errors import ConfigError
from evaluator.files import recent_faults
from evaluator.intervention.outage import meanwhile
from evaluator.model import AUTO, BACKEND_MODULES
from evaluator.readers.addresses import find_program
from evaluator.readers.kinds.kind import kind_of
from evaluator.readers.team.login import ends_soon, holds, read_login
from evaluator.settings import layers
from evaluator.settings.files import TEAM_LAYER
from evaluator.settings.layers import ASKED
from evaluator.settings.places import events_path, set_by, user_file
from evaluator.state.history import History
from evaluator.state.store import FILE_NAME, open_store
from evaluator.text import DAY_SECONDS, rfc3339

_SECONDS = 10.0


def client_version(situation: Situation) -> Finding:
    """Whether the host is new enough: under a closed policy an older one lets the write run when the hook fails."""
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
        found = re.search(r"(\d+)\.(\d+)\.(\d+)", done.stdout)
    except (OSError, subprocess.TimeoutExpired):
        found = None
    if found is None:
        return Finding(name, not situation.blocks, f"{program} --version prints no version number")
    oldest = ".".join(map(str, setup.table.oldest))
    if tuple(map(int, found.groups())) >= setup.table.oldest:
        return Finding(name, True, f"{found[0]}, at least {oldest}")
    why = (
        "ignores onFailure, so a closed policy has no effect" if setup.table.local_file else "was never tried"
    )
    return Finding(
        name, not situation.blocks, f"{found[0]} {why}: update it to {oldest} or newer", warns=True
    )


def in_force(situation: Situation) -> Finding:
    settings = situation.settings
    if situation.loaded.lost:
        does = "every write is blocked" if situation.blocks else "nothing is checked"
        way = "restore the file, or delete it and run `compass init`; `compass init --uninstall` removes the gate"
        return Finding("gate", False, f"its settings are lost, and {does}: {situation.loaded.lost}: {way}")
    if not settings.enabled:
        return Finding("gate", False, f"not enabled for this project: run `{situation.again}`")
    watches = settings.mode != "enforce"
    observe = f"; nothing is blocked until you run `{situation.again} --enforce`" if watches else ""
    return Finding(
        "gate",
        True,
        f"mode {settings.mode}{observe}; a check fails below a mean of {settings.confidence('reversible'):g}, or "
        f"{settings.confidence('irreversible'):g} where a call cannot be undone, or above a deviation of "
        f"{settings.stddev_threshold:g}; error policy {settings.error_policy}, "
        f"deadline {settings.deadline_seconds:g} s",
        but=f"it only watches and holds nothing (`{situation.again} --enforce` turns blocking on)"
        if watches
        else "",
    )


def settings_problems(situation: Situation) -> Finding:
    ignored = situation.loaded.ignored
    if not ignored:
        return Finding("settings", True, "none refused")
    # What the team's evaluator pushed is not the user's to correct.
    own = any(item.origin != TEAM_LAYER for item in ignored)
    way = (
        f"correct or remove these keys (to change your own: {set_by('KEY', 'VALUE')}). A project's keys count only "
        "once `compass trust` has pinned them"
        if own
        else "tell whoever runs your team's evaluator"
    )
    return Finding("settings", not own, f"{'; '.join(map(str, ignored))}: {way}", warns=not own)


def _describe_gate_backend(name: str, situation: Situation) -> str:
    """What it was measured to find and miss and what would be better, to go on with."""
    finds = kind_of(name).finds
    better = better_backend(name, situation.settings, situation.site.env, agreement_here(situation.site))
    return "".join([f". {finds}" if finds else "", f" Better: {better}" if better else ""])


def backend(situation: Situation) -> Finding:
    settings = situation.settings
    chosen = settings.evaluator.backend
    if chosen == AUTO:
        name, why = choose_backend(settings, situation.site.env, agreement_here(situation.site))
        return Finding(
            "backend", True, f"auto chooses {name}: {why}{_describe_gate_backend(name, situation)}"
        )
    origin = situation.loaded.origins.get("evaluator.backend", "the settings")
    missing = kind_of(chosen).missing(settings, situation.site.env)
    if missing is None:
        return Finding(
            "backend", True, f"{chosen}, set by {origin}{_describe_gate_backend(chosen, situation)}"
        )
    way = "provide it, or run `compass init --backend auto`"
    return Finding("backend", False, f"{chosen}, set by {origin}: {missing} here: {way}")


def credentials(situation: Situation) -> Finding:
    """Whether the readers' credentials are set, by their names alone: no value is ever shown."""
    settings, env = situation.settings, situation.site.env
    known = [name for backend in BACKEND_MODULES for name in kind_of(backend).credentials]
    present = [name for name in known if env.get(name, "").strip()]
    said = f"{' and '.join(present)} set" if present else f"none of {', '.join(known)} set"
    chosen = settings.evaluator.backend
    if chosen == AUTO or not kind_of(chosen).credentials or kind_of(chosen).missing(settings, env) is None:
        return Finding("credentials", True, said)
    way = "set one in the environment the host starts in, or run `compass init --backend embedded`"
    return Finding("credentials", False, f"{said}: {way}")


def login(situation: Situation) -> Finding:
    """Whether the login at a team's evaluator holds. Not ok where that judges here and the token is gone or over."""
    site, settings = situation.site, situation.settings
    judges = backend_in_force(settings, site.env, site.home, site.project_dir) == TEAM
    try:
        found = read_login(site.state_dir)
    except ConfigError as error:
        return Finding("team", not judges, str(error), warns=True)
    if found is None:
        way = ": run `compass team login URL`" if judges else ""
        return Finding("team", not judges, f"not logged in to a team's evaluator{way}")
    said = (
        f"{found.person} of {found.team} at {found.address}, token {holds(found.expires_at, situation.now)}"
    )
    if not judges:
        said += "; it is not used for judging here"
    if ends_soon(found.expires_at, situation.now):
        ended = 0 < found.expires_at <= situation.now
        way = f"ask for a new token and run `compass team login {found.address}`"
        return Finding("team", not (judges and ended), f"{said}: {way}", warns=True)
    return Finding("team", True, said)


def egress(situation: Situation) -> Finding:
    """What of the evidence waits for the user's yes."""
    site, settings = situation.site, situation.settings
    waits = [key for key in ASKED if situation.loaded.waits_for_yes(key)]
    if not (waits and settings.enabled and settings.sends_exchange):
        return Finding("evidence", True, "nothing needs your consent")
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    said = f"{', '.join(waits)} needs your consent: run `compass init` in a terminal"
    return Finding("evidence", True, said, warns=kind_of(backend).hosted)


_INSTEAD = {"held": "writes are held", "by rules": "only rules judge"}


def circuit(situation: Situation) -> Finding:
    """Which readers fail now: every line of the machine, whatever line this shell leads to. Fails where writes run
    unjudged meanwhile. Changes no breaker."""
    settings, site = situation.settings, situation.site
    history = History(site.state_dir, situation.now)
    lasting = open_outages(history.breakers(), history.outages(), breaker_rules(settings), situation.now)
    if not lasting:
        return Finding("circuit", True, "closed: no readers are known to be failing")
    told = "; ".join(map(outage_told, lasting))
    does = meanwhile(settings, shut=True)
    runs = settings.enabled and does.startswith("unjudged")
    instead = "writes run unjudged" if runs else _INSTEAD.get(does, "nothing is held")
    way = f"; {set_by('error_policy', 'closed')} holds them instead" if runs else ""
    but = f"readers are failing; when a call needs them, {instead}"
    return Finding("circuit", not runs, f"{told}; {instead} meanwhile{way}", warns=True, but=but)


def calibration(situation: Situation) -> Finding:
    """Whether calibrated thresholds are in force. Fails for an unusable or stale file: the gate uses the settings."""
    site, settings = situation.site, situation.settings
    path = layers.calibration_file(site.env, site.home, site.project_dir)
    limits = thresholds.thresholds_told(thresholds.plain_rule(settings))
    if not any(map(os.path.exists, (path, thresholds.thresholds_file(path)))):
        return Finding(
            "calibration",
            True,
            f"none; the settings ask for {limits}. `compass calibrate` finds thresholds for this project",
        )
    backend = backend_in_force(settings, site.env, site.home, site.project_dir)
    found, _ = thresholds.calibration_in_force(settings, backend, path)
    if found is not None and not found.per_n:
        return Finding(
            "calibration",
            True,
            f"the one from {found.date} sets no thresholds; the settings ask for {limits} ({path})",
        )
    rule = thresholds.rule_of(settings, backend, path)
    if rule.note:
        return Finding("calibration", False, f"{rule.note}; run `compass calibrate` again, or delete {path}")
    return Finding("calibration", True, f"in force: {thresholds.thresholds_told(rule)} ({path})")


def outage_told(outage: OpenOutage) -> str:
    def clock(at: float) -> str:
        return time.strftime("%m-%d %H:%M", time.localtime(at))

    cause = f" ({outage.cause})" if outage.cause else ""
    until = (
        f"not asked until {clock(outage.until)}" if outage.until is not None else "the next check asks again"
    )
    return f"{outage.line} has been failing since {clock(outage.since)}{cause}; {until}"


_SHOWN_FAULTS = 3
_OTHERS = 0o077
_OTHERS_WRITE = 0o022


def state_folder(situation: Situation) -> Finding:
    name, path = "state folder", situation.site.state_dir
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return _creatable_state_finding(name, path)
    except OSError as error:
        return Finding(name, False, f"{path}: {error.strerror}; fix its permissions")
    mode = stat.S_IMODE(found.st_mode)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        return Finding(name, False, f"{path} is not a folder that you own: move it away, or set ONLOOKER_DIR")
    if mode & _OTHERS or not os.access(path, os.W_OK | os.X_OK):
        return Finding(name, False, f"{path} has mode {mode:04o}: chmod 700 {path}")
    return Finding(name, True, f"{path}, 0700")


def settings_files(situation: Situation) -> Finding:
    """Whether the user alone may write the user's settings files: a writer decides what the gate lets through."""
    name, site = "settings file rights", situation.site
    for path in (user_file(site.env, site.home), site.own_settings, *site.host.FILES.of_user(site.home)):
        try:
            found = os.stat(path)
        except OSError:
            continue  # one that cannot be read is told of with the settings
        if found.st_uid not in (os.geteuid(), 0):
            return Finding(name, False, f"{path} is owned by another user: chown it, or move it away")
        if found.st_mode & _OTHERS_WRITE:
            mode = stat.S_IMODE(found.st_mode)
            return Finding(name, False, f"{path} can be written by others ({mode:04o}): chmod go-w {path}")
    return Finding(name, True, "only you can write them")


def database(situation: Situation) -> Finding:
    folder = situation.site.state_dir
    if not os.path.isdir(folder):
        return Finding("database", True, "none yet; the first hook creates it")
    opened = open_store(folder, now=situation.now)
    try:
        if opened.newer:
            return Finding("database", False, opened.newer)
        if opened.fault is not None:
            way = "make room in the folder and fix its permissions, or move the file away"
            return Finding("database", False, f"{opened.fault}: {way}")
    finally:
        opened.store.close()
    return Finding("database", True, f"{os.path.join(folder, FILE_NAME)} can be opened")


def faults(situation: Situation) -> Finding:
    """The latest faults of hooks. They were answered by policy when they happened, so they do not fail the doctor."""
    lines = recent_faults(situation.site.state_dir)
    since = rfc3339(situation.now - DAY_SECONDS)
    fresh = [line for line in lines if line[: len(since)] >= since[: len(line)]]
    if not fresh:
        return Finding("faults", True, "none in the last day")
    return Finding(
        "faults", True, f"{len(fresh)} in the last day, the newest: " + "; ".join(fresh[-_SHOWN_FAULTS:])
    )


def events(situation: Situation) -> Finding:
    path = events_path(situation.site.env, situation.site.home)
    if os.path.isdir(path):
        return Finding("event log", False, f"{path} is a folder: move it away, or set ONLOOKER_EVENTS_LOG")
    if not os.path.exists(path):
        return _creatable_state_finding("event log", path)
    if os.access(path, os.W_OK):
        return Finding("event log", True, f"{path} is writable")
    return Finding("event log", False, f"{path} cannot be written: chmod u+w {path}")


def heartbeat(situation: Situation) -> Finding:
    """The last session start that Compass saw in this project: the one proof that the host runs its hooks."""
    at = History(situation.site.state_dir, situation.now).last_start(situation.site.project_dir)
    if at is None:
        return Finding(
            "heartbeat",
            True,
            "no session in this project has been seen yet; start one to see that the hooks run",
        )
    minutes = max(0.0, situation.now - at) / 60
    ago = f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"
    return Finding("heartbeat", True, f"{time.strftime('%Y-%m-%d %H:%M', time.localtime(at))}, {ago} ago")


def _creatable_state_finding(name: str, path: str) -> Finding:
    above = os.path.dirname(path)
    while not os.path.exists(above):
        above = os.path.dirname(above)
    if os.path.isdir(above) and os.access(above, os.W_OK | os.X_OK):
        return Finding(name, True, f"{path}: none yet, but it can be created")
    return Finding(name, False, f"{path} cannot be created in {above}: chmod it, or set ONLOOKER_DIR")


def shared_policy(situation: Situation) -> Finding:
    """What the project commits, and what of it counts."""
    notes = shared_notes(situation.site)
    told = "; ".join(notes) or "the project shares none"
    return Finding("shared policy", True, told, warns=any("not read" in one for one in notes))
