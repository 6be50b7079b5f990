"""Can state and events be kept? Opens the real database and writes nothing into it."""

from __future__ import annotations

import os
import stat
import time

from compass.doctor.finding import Examination, Finding, Situation
from compass.memory import memory_of
from evaluator.errors import StateError
from evaluator.settings import layers
from evaluator.settings.places import events_path, set_by, user_file
from evaluator.stamps import rfc3339
from evaluator.state.database import recent_faults
from evaluator.state.history import last_start
from evaluator.state.store import FILE_NAME, open_store

_DAY_SECONDS = 86400.0
_SHOWN_FAULTS = 3
_OTHERS = 0o077
_OTHERS_WRITE = 0o022


def state_folder(situation: Situation) -> Finding:
    path = situation.site.state_dir
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return _creatable("state folder", path)
    except OSError as error:
        return Finding("state folder", False, f"{path}: {error.strerror}: make it readable to you")
    if not stat.S_ISDIR(found.st_mode):
        return Finding("state folder", False, f"{path} is no folder: move it away")
    if found.st_uid != os.geteuid():
        return Finding(
            "state folder", False, f"{path} belongs to somebody else: chown it, or set ONLOOKER_DIR"
        )
    if found.st_mode & _OTHERS:
        mode = stat.S_IMODE(found.st_mode)
        return Finding("state folder", False, f"{path} is open to others ({mode:04o}): chmod 700 {path}")
    if not os.access(path, os.W_OK | os.X_OK):
        return Finding("state folder", False, f"{path} cannot be written: chmod 700 {path}")
    return Finding("state folder", True, f"{path}, 0700")


def settings_files(situation: Situation) -> Finding:
    """The user's own: whoever may write one decides what the gate lets through."""
    site = situation.site
    paths = (user_file(site.env, site.home), site.own_settings, *site.host.FILES.of_user(site.home))
    for path in paths:
        try:
            found = os.stat(path)
        except OSError:
            continue  # one that cannot be read is told of with the settings
        if found.st_uid not in (os.geteuid(), 0):
            return Finding(
                "rights of settings files",
                False,
                f"{path} belongs to somebody else: chown it, or move it away",
            )
        if found.st_mode & _OTHERS_WRITE:
            mode = stat.S_IMODE(found.st_mode)
            return Finding(
                "rights of settings files",
                False,
                f"{path} can be written by others ({mode:04o}): chmod go-w {path}",
            )
    return Finding("rights of settings files", True, "yours alone to write")


def database(situation: Situation) -> Finding:
    folder = situation.site.state_dir
    if not os.path.isdir(folder):
        return Finding("database", True, "none yet; the first hook makes it")
    opened = open_store(folder, now=situation.now)
    try:
        if opened.newer:
            return Finding("database", False, opened.newer)
        if opened.fault is not None:
            way = "give the folder room and rights, or move the file away"
            return Finding("database", False, f"{opened.fault}: {way}")
    finally:
        opened.store.close()
    return Finding("database", True, f"{os.path.join(folder, FILE_NAME)} opens")


def faults(situation: Situation) -> Finding:
    """Faults were answered by policy when they happened, so they do not fail the doctor; they are shown."""
    lines = recent_faults(situation.site.state_dir)
    since = rfc3339(situation.now - _DAY_SECONDS)
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
        return _creatable("event log", path)
    if os.access(path, os.W_OK):
        return Finding("event log", True, f"{path} can be appended to")
    return Finding("event log", False, f"{path} cannot be written: chmod u+w {path}")


def heartbeat(situation: Situation) -> Finding:
    """The last session start that Compass saw in this project: the one proof that the host runs its hooks."""
    at = last_start(situation.site.state_dir, situation.site.project_dir)
    if at is None:
        return Finding("heartbeat", True, "no session of this project was seen yet; start one to make sure")
    minutes = max(0.0, situation.now - at) / 60
    ago = f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"
    return Finding("heartbeat", True, f"{time.strftime('%Y-%m-%d %H:%M', time.localtime(at))}, {ago} ago")


def memory(situation: Situation) -> Finding:
    """A repository may turn it off, which is tighter: that is told, as the rest is, and fails nothing."""
    kept = memory_of(situation.site.state_dir, situation.site.project_dir, situation.settings.memory)
    if not kept.enabled:
        return Finding(
            "memory", True, f"off: what you settle is not kept; {set_by('memory.enabled', 'true')}"
        )
    try:
        count = sum(not kept.has_ended(one) for one in kept.all())
    except StateError:
        return Finding("memory", True, "on; what is kept cannot be read: see `database`")
    told = "nothing is settled here yet" if not count else f"{count} settled here (`compass memory list`)"
    if situation.loaded.waits_for_yes(layers.SHARE):
        way = f"{set_by('memory.share', 'true')} or `false` answers, and so does `compass init` in a terminal"
        told += f"; hosted readers are not shown it, which waits for your yes: {way}"
    elif not situation.settings.memory.share:
        told += "; hosted readers are not shown it"
    return Finding("memory", True, f"on, for {kept.days} days; {told}")


def _creatable(name: str, path: str) -> Finding:
    above = os.path.dirname(path)
    while not os.path.exists(above):
        above = os.path.dirname(above)
    if os.path.isdir(above) and os.access(above, os.W_OK | os.X_OK):
        return Finding(name, True, f"{path}: none yet, it can be made")
    return Finding(name, False, f"{path} cannot be made in {above}: chmod it, or set ONLOOKER_DIR")


CHECKS: tuple[Examination, ...] = (state_folder, settings_files, database, faults, events, heartbeat, memory)
