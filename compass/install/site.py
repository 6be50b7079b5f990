"""Where an installation goes and what it changes there; applies a plan. Asks nothing and prints nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field

from compass.install import git_exclude, settings_file
from compass.install.json_text import render, rewrite
from compass.install.record import (
    InstallRecord,
    InstallScope,
    all_records,
    read_records,
    record_key,
    record_path,
    write_interpreter,
    write_records,
)
from evaluator.errors import ConfigError
from evaluator.settings import layers
from evaluator.settings.places import config_dir, state_dir
from evaluator.settings.record import forget, key_of, remember
from hooks import registry
from hooks.host import Host

_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Site:
    """Where to install. All paths absolute; `project_dir` resolved."""

    env: Mapping[str, str]
    home: str
    project_dir: str
    interpreter: str
    script: str
    host: Host = field(default_factory=registry.default)

    @property
    def state_dir(self) -> str:
        return state_dir(self.env, self.home)

    @property
    def records_file(self) -> str:
        return record_path(self.state_dir, key_of(self.state_dir, self.project_dir))

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
        return record_key(self.project_dir, registry.named(self.host))

    @property
    def is_set_up(self) -> bool:
        """Whether init set this project up, for whatever host."""
        return bool(self.hosts)

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
        return settings_file.unified_diff(self.path, self.before, self.after)


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """What will be done. `record` None takes this project's record out.

    `exclude` is to be ignored by git; `include_again` is a (file, line) to take out of git's excludes.
    """

    scope: InstallScope
    enabled: bool
    mode: str
    backend: str
    changes: tuple[FileChange, ...]
    record: InstallRecord | None
    exclude: git_exclude.Exclusion | None = None
    include_again: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    """The keys of what is not sent until the user answers; see `layers.UNANSWERED`."""
    names: bool = False
    """Whether they are sent to hosted readers."""

    @property
    def http_port(self) -> int:
        """That the hooks ask; 0 where they run a command, or are taken out."""
        return self.record.http_port if self.record is not None else 0


def changed_text(text: str | None, value: Mapping[str, object]) -> str:
    """The text of a settings file that holds `value`; what stands in it keeps its value and its place."""
    if text is None or not text.removeprefix(_MARK).strip():
        return render(value)
    mark = _MARK if text.startswith(_MARK) else ""
    return mark + rewrite(text.removeprefix(_MARK), value)


def apply(site: Site, plan: InstallPlan) -> None:
    """State first, hooks last: a hook never runs before what it reads stands. Raises ConfigError."""
    for change in plan.changes:
        if not change.private and change.after != change.before:
            refuse_unwritable(change.path)
    for change in plan.changes:
        if change.private:
            write(change)
    records = read_records(site.records_file)
    records.pop(site.record_key, None)
    if plan.record is not None:
        records[site.record_key] = plan.record
    write_records(site.records_file, records)
    _record_project(site, frozenset(record.project_dir for record in records.values()))
    write_interpreter(site.state_dir, config_dir(site.home), site.interpreter, site.script)
    if plan.exclude is not None:
        git_exclude.add(plan.exclude)
    for change in plan.changes:
        if not change.private:
            write(change)
    if plan.include_again is not None:
        git_exclude.drop(*plan.include_again)


def _record_project(site: Site, recorded: frozenset[str]) -> None:
    try:
        if site.project_dir in recorded:
            remember(site.env, site.home, site.project_dir)
        else:
            forget(site.env, site.home, site.project_dir, recorded)
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be written: {error.strerror}") from error


def refuse_unwritable(path: str) -> None:
    """Before anything is written, so that no half of an installation stays behind. Raises ConfigError."""
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    if not os.access(folder, os.W_OK):
        raise ConfigError(
            f"{path}: {folder} cannot be written to; make it so and run init again. Nothing was changed"
        )


def write(change: FileChange) -> None:
    """Raises ConfigError."""
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
