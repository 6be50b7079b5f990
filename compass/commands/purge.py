"""`compass init --uninstall --purge`: Compass out of every host and every project of this user, its files too."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from dataclasses import replace
from typing import TextIO

from compass import __version__
from compass.install.consent import ask_person
from compass.install.entries import unwired
from compass.install.installation import (
    FileChange,
    InstallRecord,
    Site,
    all_records,
    apply,
    refuse_unwritable,
    write,
)
from compass.install.plan import plan_uninstall
from compass.service.process import end
from evaluator import wire
from evaluator.errors import ConfigError
from evaluator.service import lifecycle
from evaluator.settings.places import config_dir, events_path, onlooker_dir
from evaluator.text import safe
from hooks import registry

MACHINE_ID = "machine_id"


def purged(site: Site, args: argparse.Namespace) -> int:
    """Removes all that Compass left on the machine; the exit code. Raises ConfigError."""
    if not args.uninstall:
        raise ConfigError("--purge goes with --uninstall")
    hooks = [
        *(change.path for change in _changes(site)),
        *(record.settings_file for record in _projects(site)),
    ]
    gone = [*_folders(site), *_files(site)]
    if not args.json or not (args.yes or args.dry_run):
        _show_purged(hooks, gone, would=bool(args.dry_run), to=sys.stderr if args.json else sys.stdout)
    if not args.dry_run:
        if not args.yes and (hooks or gone):
            ask_person("Take Compass out of all of these, and delete what it recorded?")
        end(lifecycle.RuntimeFolder(os.fsdecode(wire.run_dir(os.environb))))
        _purge(site)
    if args.json:
        print(json.dumps({"dry_run": bool(args.dry_run), "purged": [*hooks, *gone]}, indent=2))
    elif args.dry_run:
        print("Dry run: nothing was changed.")
    else:
        print("Nothing of Compass is left but its package.")
    return 0


def _show_purged(hooks: list[str], gone: list[str], *, would: bool, to: TextIO) -> None:
    """A path a line, below what becomes of it."""
    told = (
        ("would be taken out" if would else "are taken out", "Hooks {} of:", hooks),
        ("would be deleted" if would else "are deleted", "These {}, folders with everything in them:", gone),
    )
    for what, head, paths in told:
        if paths:
            print("\n".join((head.format(what), *(f"  {safe(path)}" for path in paths))), file=to)


def _folders(site: Site) -> list[str]:
    """The folders that are Compass's alone, and are there."""
    run = os.fsdecode(wire.run_dir(wire.folder_variables(site.env)))
    found = (site.state_dir, config_dir(site.home), run)
    outer = [one for one in dict.fromkeys(found) if not one.startswith(site.state_dir + os.sep)]
    return [folder for folder in outer if folder and os.path.lexists(folder)]


def _files(site: Site) -> list[str]:
    """Those beside our folders that go with them: the log of events, where nobody else has written to it, and then the
    machine's id, where nobody else has used the folder that such tools share. Raises ConfigError.
    """
    log = events_path(site.env, site.home)
    if not _is_ours(log):
        return []
    shared = onlooker_dir(site.env, site.home)
    gone = {log, *_folders(site)}
    logs = os.path.join(shared, "logs")
    if os.path.isdir(logs) and all(os.path.join(logs, name) in gone for name in os.listdir(logs)):
        gone.add(logs)
    machine = os.path.join(shared, MACHINE_ID)
    inside = [os.path.join(shared, name) for name in os.listdir(shared)] if os.path.isdir(shared) else []
    return [log, machine] if machine in inside and {*inside} <= {*gone, machine} else [log]


def _changes(site: Site) -> list[FileChange]:
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


def _projects(site: Site) -> list[InstallRecord]:
    """The records whose project is still there and has a settings file of its own, which is to be put back."""
    return [
        record
        for record in all_records(site.state_dir)
        if record.scope == "project" and os.path.isdir(record.project_dir)
    ]


def _purge(site: Site) -> None:
    """The order: hooks first, so that none finds its state gone; state last. Raises ConfigError."""
    for change in _changes(site):
        refuse_unwritable(change.path)
    for record in _projects(site):
        host = registry.host_of(record.host or registry.DEFAULT)
        apply(
            theirs := replace(site, project_dir=record.project_dir, host=host),
            plan_uninstall(theirs, "project"),
        )
    for change in _changes(site):
        write(change)
    beside = _files(site)
    try:
        for folder in _folders(site):
            shutil.rmtree(folder)
        for path in beside:
            os.unlink(path)
        # The folder that all such tools share.
        shared = onlooker_dir(site.env, site.home)
        for one in (os.path.join(shared, "logs"), shared):
            if os.path.isdir(one) and not os.listdir(one):
                os.rmdir(one)
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
