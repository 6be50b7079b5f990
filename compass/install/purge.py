"""Takes Compass out of every host and every project of this user, and its own files with it."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace

from compass import __version__
from compass.install.entries import unwired
from compass.install.plan import plan_uninstall
from compass.install.record import InstallRecord, all_records
from compass.install.site import FileChange, Site, apply, refuse_unwritable, write
from evaluator import wire
from evaluator.errors import ConfigError
from evaluator.settings.places import config_dir, events_path, onlooker_dir
from hooks import registry

MACHINE_ID = "machine_id"


def folders(site: Site) -> list[str]:
    """Those that are ours alone, and are there."""
    run = os.fsdecode(wire.run_dir(wire.folder_variables(site.env)))
    found = (site.state_dir, config_dir(site.home), run)
    outer = [one for one in dict.fromkeys(found) if not one.startswith(site.state_dir + os.sep)]
    return [folder for folder in outer if folder and os.path.lexists(folder)]


def files(site: Site) -> list[str]:
    """Those beside our folders that go with them: the log of events, where nobody else has written to it, and then the
    machine's id, where nobody else has used the folder that such tools share. Raises ConfigError.
    """
    log = events_path(site.env, site.home)
    if not _is_ours(log):
        return []
    shared = onlooker_dir(site.env, site.home)
    gone = {log, *folders(site)}
    logs = os.path.join(shared, "logs")
    if os.path.isdir(logs) and all(os.path.join(logs, name) in gone for name in os.listdir(logs)):
        gone.add(logs)
    machine = os.path.join(shared, MACHINE_ID)
    inside = [os.path.join(shared, name) for name in os.listdir(shared)] if os.path.isdir(shared) else []
    return [log, machine] if machine in inside and {*inside} <= {*gone, machine} else [log]


def changes(site: Site) -> list[FileChange]:
    """What is taken out of the settings of all hosts, in the files that all projects share. Raises ConfigError."""
    found: list[FileChange] = []
    for host in registry.every():
        theirs = replace(site, host=host)
        for path in _shared(theirs):
            bare = InstallRecord("user", site.project_dir, path, site.interpreter, site.script, __version__)
            change, _ = unwired(theirs.earlier_record(path) or bare, host.setup())
            if change.before != change.after:
                found.append(change)
    return found


def _shared(site: Site) -> list[str]:
    """A host's settings files that all projects share: where it has one now, and where init wrote, as the variable
    that moves its folder may have changed. Without those that do not name us, which need not be JSON.
    """
    recorded = [
        record.settings_file
        for record in all_records(site.state_dir)
        if record.scope == "user" and record.host == registry.named(site.host)
    ]
    paths = dict.fromkeys((site.settings_path("user"), *recorded))
    return [path for path in paths if path and _names_us(path)]


def _names_us(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"compass" in file.read()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def projects(site: Site) -> list[InstallRecord]:
    """The records whose project is still there and has a settings file of its own, which is to be put back."""
    return [
        record
        for record in all_records(site.state_dir)
        if record.scope == "project" and os.path.isdir(record.project_dir)
    ]


def purge(site: Site) -> None:
    """The order: hooks first, so that none finds its state gone; state last. Raises ConfigError."""
    for change in changes(site):
        refuse_unwritable(change.path)
    for record in projects(site):
        host = registry.host_of(record.host or registry.DEFAULT)
        apply(
            theirs := replace(site, project_dir=record.project_dir, host=host),
            plan_uninstall(theirs, "project"),
        )
    for change in changes(site):
        write(change)
    beside = files(site)
    try:
        for folder in folders(site):
            shutil.rmtree(folder)
        for path in beside:
            os.unlink(path)
        _without_what_is_empty(onlooker_dir(site.env, site.home))
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be deleted: {error.strerror}") from error


def _is_ours(log: str) -> bool:
    """Whether nobody else has written to the log of events, which others may share."""
    try:
        with open(log, encoding="utf-8", errors="replace") as lines:
            return all(_plugin(line) == "compass" for line in lines if line.strip())
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigError(f"{log}: cannot be read: {error.strerror}") from error


def _plugin(line: str) -> object:
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found.get("plugin") if isinstance(found, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def _without_what_is_empty(folder: str) -> None:
    """The folder that all such tools share."""
    for one in (os.path.join(folder, "logs"), folder):
        if os.path.isdir(one) and not os.listdir(one):
            os.rmdir(one)
