"""Where an installation goes, what is recorded of it, and what it changes there; applies a plan. Asks and prints
nothing."""

from __future__ import annotations

import difflib
import glob
import json
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from compass.composition.settings import load_for, project_of
from compass.install import settings_file
from compass.install.settings_file import exclude, include_again, render, rewrite
from evaluator.errors import ConfigError
from evaluator.settings import layers
from evaluator.settings.places import config_dir, forget_project, record_project, recorded_key, state_dir
from hooks import registry
from hooks.host import Host

InstallScope = Literal["project", "user", "plugin"]
SCOPES: tuple[InstallScope, ...] = ("project", "user", "plugin")
INTERPRETER = "interpreter"
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class InstallRecord:
    """One installation. `settings_file` is empty for the plugin.

    `created_file` and `created_folder`: the settings file, or its folder, did not stand before.
    `empty` names the containers that stood empty (Setup.empty_containers). `exclude` and `exclude_line`
    are what was added to git's excludes. `blocks`: a failing hook stops the write. `host` is empty for the default one.
    """

    scope: InstallScope
    project_dir: str
    settings_file: str
    interpreter: str
    script: str
    version: str
    blocks: bool = False
    created_file: bool = False
    created_folder: bool = False
    empty: tuple[str, ...] = ()
    exclude: str = ""
    exclude_line: str = ""
    host: str = ""


def read_records(path: str) -> dict[str, InstallRecord]:
    """The records of installations by `Site.record_key`; empty for a missing file, or one that is not ours to read."""
    try:
        with open(path, encoding="utf-8") as file:
            installs = json.load(file)["installs"].items()
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return {}
    from pydantic import TypeAdapter, ValidationError

    known, found = TypeAdapter(InstallRecord), dict[str, InstallRecord]()
    for name, raw in installs:
        # One that another version wrote otherwise takes no other along.
        with suppress(ValidationError):
            found[name] = known.validate_python(raw)
    return found


def write_records(path: str, records: dict[str, InstallRecord]) -> None:
    """Writes the whole file of installations' records; without any it is deleted. Raises ConfigError."""
    if not records:
        settings_file.remove(path)
        return
    latest = list(records.values())[-1]
    whole = {"scope": latest.scope, "installs": {name: asdict(record) for name, record in records.items()}}
    settings_file.replace(path, json.dumps(whole, indent=2, ensure_ascii=False) + "\n", private=True)


def all_records(state_dir: str) -> list[InstallRecord]:
    """The records of every project of this state folder."""
    paths = glob.glob(os.path.join(glob.escape(state_dir), "*", "install.json"))
    return [record for path in sorted(paths) for record in read_records(path).values()]


def write_interpreter(state_dir: str, second: str, interpreter: str, script: str) -> None:
    """Record the plugin's interpreter: `closed` while any installed project's policy is. Raises ConfigError.

    `second` is a folder for the copy that outlives the state; it is left out where it cannot be written. With no
    installation left both files go, and the plugin is silent again.
    """
    path, copy = (os.path.join(folder, INTERPRETER) for folder in (state_dir, second))
    records = all_records(state_dir)
    if not records:
        settings_file.remove(path)
        settings_file.remove(copy)
        with suppress(OSError):
            os.rmdir(second)
        return
    if "\n" in interpreter + script:
        raise ConfigError("the interpreter's path contains a line break; install Compass somewhere else")
    policy = "closed" if any(record.blocks for record in records) else "open"
    text = f"{interpreter}\n{script}\n{policy}\n"
    settings_file.replace(path, text, private=True)
    with suppress(ConfigError):
        settings_file.replace(copy, text, private=True)


def read_interpreter(state_dir: str) -> tuple[str, str, str] | None:
    """(interpreter, script, policy), or None where nothing is recorded."""
    try:
        with open(os.path.join(state_dir, INTERPRETER), encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().split("\n")
    except OSError:
        return None
    return (lines[0], lines[1], lines[2]) if len(lines) >= 3 else None


@dataclass(frozen=True, slots=True)
class Site:
    """Where to install. All paths absolute; `project_dir` resolved."""

    env: Mapping[str, str]
    home: str
    project_dir: str
    interpreter: str
    script: str
    host: Host = field(default_factory=registry.default_host)

    @property
    def state_dir(self) -> str:
        return state_dir(self.env, self.home)

    @property
    def records_file(self) -> str:
        return os.path.join(self.state_dir, recorded_key(self.state_dir, self.project_dir), "install.json")

    @property
    def own_settings(self) -> str:
        """The user's own settings for this project."""
        return layers.user_project_file(self.env, self.home, self.project_dir)

    def settings_path(self, scope: InstallScope) -> str:
        """The host's settings file of a scope; empty for the plugin, whose hook table is its own."""
        if scope == "plugin":
            return ""
        if scope == "user":
            return self.host.setup().user_file(self.env, self.home)
        return os.path.join(self.project_dir, self.local_file)

    @property
    def local_file(self) -> str:
        """The settings file of project scope, relative to the project."""
        return self.host.setup().table.local_file

    @property
    def record_key(self) -> str:
        """The name of an installation among the records: each host has its own of a project."""
        host = registry.host_word(self.host)
        return f"{host}:{self.project_dir}" if host else self.project_dir

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names of the hosts that init set this project up for, the default one first."""
        records = read_records(self.records_file).values()
        names = {one.host or registry.DEFAULT for one in records if one.project_dir == self.project_dir}
        return tuple(sorted(names, key=lambda name: (name != registry.DEFAULT, name)))

    def earlier_record(self, path: str) -> InstallRecord | None:
        """The record that tells what stood in this settings file before Compass first wrote it."""
        every = [*read_records(self.records_file).values(), *all_records(self.state_dir)]
        return next((record for record in every if record.settings_file == path), None)


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after; None where there is no file.

    `private` files belong to the state. `with_folder`: a deleted file takes its emptied folder along. `executable`: it
    is a program.
    """

    path: str
    before: str | None
    after: str | None
    private: bool = False
    with_folder: bool = False
    executable: bool = False

    @property
    def diff(self) -> str:
        """As `diff -u` prints it, /dev/null for a file that is not there; empty if nothing changes."""
        old_name, new_name = (
            "/dev/null" if text is None else self.path for text in (self.before, self.after)
        )
        old, new = ((text or "").splitlines() for text in (self.before, self.after))
        return "\n".join(difflib.unified_diff(old, new, old_name, new_name, lineterm=""))


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """What will be done. `record` None takes this project's record out.

    `exclude` and `include_again` are a (file, line) to put into git's excludes and to take out of them.
    """

    scope: InstallScope
    enabled: bool
    mode: str
    backend: str
    changes: tuple[FileChange, ...]
    record: InstallRecord | None
    exclude: tuple[str, str] | None = None
    include_again: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()
    asks: bool = False
    """Whether something is not sent until the user answers; see `layers.ASKED`."""
    names: bool = False
    """Whether the names that a write touches are sent to hosted readers."""
    offers_line: bool = False
    """Whether the host's status line could show the gate, which is set up for the first time."""


def changed_text(text: str | None, value: Mapping[str, object]) -> str:
    """The text of a settings file that holds `value`; what stands in it keeps its value and its place."""
    if text is None or not text.removeprefix(_MARK).strip():
        return render(value)
    return (_MARK if text.startswith(_MARK) else "") + rewrite(text.removeprefix(_MARK), value)


def apply_plan(site: Site, plan: InstallPlan) -> None:
    """Writes what a plan changes, hooks last: no hook runs before what it reads stands. Raises ConfigError."""
    for change in plan.changes:
        if change.private or change.after == change.before:
            continue
        # Before anything is written, so that no half of an installation stays behind.
        folder = os.path.dirname(os.path.realpath(change.path))
        while not os.path.isdir(folder) and folder != os.path.dirname(folder):
            folder = os.path.dirname(folder)
        if not os.access(folder, os.W_OK):
            raise ConfigError(
                f"{change.path}: {folder} cannot be written to; make it writable and run init again. "
                "Nothing was changed"
            )
    for change in plan.changes:
        if change.private:
            write_change(change)
    records = read_records(site.records_file)
    records.pop(site.record_key, None)
    if plan.record is not None:
        records[site.record_key] = plan.record
    write_records(site.records_file, records)
    recorded = frozenset(record.project_dir for record in records.values())
    try:
        if site.project_dir in recorded:
            record_project(site.env, site.home, site.project_dir)
        else:
            forget_project(site.env, site.home, site.project_dir, recorded)
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be written: {error.strerror}") from error
    write_interpreter(site.state_dir, config_dir(site.home), site.interpreter, site.script)
    if plan.exclude is not None:
        exclude(*plan.exclude)
    for change in plan.changes:
        if not change.private:
            write_change(change)
    if plan.include_again is not None:
        include_again(*plan.include_again)


def write_change(change: FileChange) -> None:
    """Writes one file of a plan. Raises ConfigError."""
    if change.after is not None:
        if change.after != change.before:
            settings_file.replace(change.path, change.after, private=change.private)
            if change.executable:
                os.chmod(change.path, os.stat(change.path).st_mode | stat.S_IXUSR)
        return
    folder = os.path.dirname(change.path)
    try:
        os.unlink(change.path)
        if change.with_folder and not os.listdir(folder):
            os.rmdir(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(f"{change.path}: cannot be deleted: {error.strerror}") from error


def site_here(host: Host | None = None) -> Site:
    """The site of this process: its environment, working directory and interpreter. Raises ConfigError."""
    import compass

    host, env = host or registry.default_host(), dict(os.environ)
    script = Path(compass.__file__).absolute().parent / "__main__.py"
    if not sys.executable or not os.path.isabs(sys.executable):
        raise ConfigError("this Python cannot determine its own path; run init with an installed interpreter")
    try:
        where = os.getcwd()
    except OSError as error:
        raise ConfigError("the working directory is gone; run init inside the project") from error
    directory = project_of(env, where, host)
    if not os.path.isdir(directory):
        raise ConfigError(f"{directory}: no such folder; unset {host.PROJECT_VARIABLE} or correct it")
    clean = load_for(env, directory, where, host).clean
    return Site(clean.env, clean.home, directory, sys.executable, str(script), host)
