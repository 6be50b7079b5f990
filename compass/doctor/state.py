"""What Compass keeps: state, events and their rights, faults, the last session; and what a project shares."""

from __future__ import annotations

import os
import stat
import time

from compass.doctor.situation import Finding, Situation
from compass.install.committed import shared_notes
from evaluator.files import recent_faults
from evaluator.settings.places import events_path, user_file
from evaluator.state.history import History
from evaluator.state.store import FILE_NAME, open_store
from evaluator.text import DAY_SECONDS, rfc3339

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
    """Whether the user's settings files are the user's alone to write: whoever may write one decides what the gate lets
    through."""
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
