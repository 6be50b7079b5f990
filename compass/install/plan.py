"""Plans an installation and the way back from what stands on disk. Reads only, so a dry run ends here."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from compass import __version__
from compass.composition.settings import load
from compass.composition.thresholds import is_calibrated
from compass.install import settings_file
from compass.install.committed import shared_notes
from compass.install.installation import (
    FileChange,
    InstallPlan,
    InstallRecord,
    InstallScope,
    Site,
    all_records,
    changed_text,
    read_records,
)
from compass.install.settings_file import exclusion_of
from evaluator.errors import ConfigError
from evaluator.model import AUTO
from evaluator.readers.kinds.kind import backend_label, kind_of
from evaluator.settings import layers
from evaluator.settings.keys import KEYS, Settings
from evaluator.settings.places import blocks_without, entry_words, project_file, project_root, set_by
from hooks import registry
from hooks.entries import Wiring, closed_policy, read_settings
from hooks.json_lines import mapping
from hooks.setup import Setup

MODES = KEYS["mode"].choices
BACKENDS = KEYS["evaluator.backend"].choices
WIRED_SCOPES: tuple[InstallScope, ...] = ("project", "user")


def plan_install(
    site: Site,
    scope: InstallScope | None,
    mode: str | None,
    backend: str | None,
    resolve: Callable[[Settings], tuple[str, str]],
    *,
    status_line: bool = False,
    sends: bool | None = None,
) -> InstallPlan:
    """The plan of an installation, from what stands on disk. None keeps what is stored or recorded; a first
    installation is in project scope and observes unless thresholds of its hosted readers are calibrated.

    `sends` is the user's answer to whether hosted readers are sent what an older version kept here (`layers.ASKED`); a
    first installation is the yes.
    `status_line` puts ours into the host's; one of ours that stands there is kept up to date. `resolve` gives (backend,
    why) for `auto`; a `backend` is stored only if it is given. Raises ConfigError for a settings file that cannot be
    kept whole, or that git tracks, and for a status line that nothing can be put beside.
    """
    before = read_records(site.records_file).get(site.record_key)
    chosen = _choose_install_scope(site, scope, before)
    loaded = load(site.env, site.home, site.project_dir, host=site.host)
    own = settings_file.read(site.own_settings)
    first_notes, notes = list[str](), list[str]()
    # After an uninstall the stored mode is history: a new installation observes first.
    stored_mode = (
        _valid_install_choice(own.value.get("mode"), MODES) if own.value.get("enabled") is True else None
    )
    reads = backend or stored_backend(own.value) or loaded.settings.evaluator.backend
    if reads == AUTO:
        reads, why = resolve(loaded.settings)
        first_notes.append(f"{backend_label(reads)}: {why}; chosen again at the start of each session")
    # Thresholds of rules alone block too much to begin with.
    calibration = layers.calibration_file(site.env, site.home, site.project_dir)
    kept_mode = (
        mode
        or stored_mode
        or (
            "enforce"
            if kind_of(reads).hosted and is_calibrated(loaded.settings, reads, calibration)
            else "observe"
        )
    )
    if before is None and mode is None and stored_mode is not None:
        notes.append(f"mode {kept_mode}, as already set for this project")
    elif mode is None and stored_mode is None and kept_mode == "enforce":
        notes.append("mode enforce: this project's thresholds are calibrated for these readers")
    holding = _effective_install_mode(site, loaded, kept_mode, first_notes)
    wiring = wiring_of(site, loaded, holding, chosen)
    readers: dict[str, object] = {} if backend is None else {"backend": backend}
    first = before is None and "enabled" not in own.value
    waits = [key for key in layers.ASKED if not loaded.is_answered(key)]
    sends = True if sends is None and first else sends
    sections = {"evaluator": readers, **({} if sends is None else _planned_answers(waits, sends))}
    if waits and sends is not False:
        notes.append(_sent(waits, sends is True))
    changes = [_plan_settings_change(own, {"enabled": True, "mode": kept_mode}, sections)]
    record = InstallRecord(
        chosen,
        site.project_dir,
        site.settings_path(chosen),
        site.interpreter,
        site.script,
        __version__,
        closed_policy(holding, loaded.settings.error_policy),
        host=registry.host_word(site.host),
    )
    exclude = include_again = None
    if record.settings_file:
        change, record = with_entries(site, record, wiring, status_line=status_line)
        changes.append(change)
    elif status_line:
        raise ConfigError(
            "--statusline works only with --project or --user: a plugin cannot contain a status line"
        )
    if chosen == "project":
        exclude = exclusion_of(site.project_dir, site.local_file)
        if exclude is not None:
            how = f"a line in {exclude[0]} makes it do so"
            notes.append(f"git does not ignore {site.local_file} by itself: {how}")
            record = replace(record, exclude=exclude[0], exclude_line=exclude[1])
        elif before is not None and before.settings_file == record.settings_file:
            record = replace(record, exclude=before.exclude, exclude_line=before.exclude_line)
    elif before is not None and before.scope == "project":
        change, include_again = without_entries(before, site.host.setup())
        changes.append(change)
        notes.append(f"moved out of {before.settings_file}")
    setup = site.host.setup()
    first_notes += [*setup.PROMISES.warnings(site.host.TITLE), *shared_notes(site)]
    notes += _plan_warnings(site, chosen, [change.path for change in changes])
    return InstallPlan(
        chosen,
        True,
        kept_mode,
        reads,
        tuple(changes),
        record,
        exclude,
        include_again,
        (*first_notes, *notes),
        bool(waits) and sends is None,
        sends is True if layers.SYMBOLS in waits else loaded.settings.evidence.symbols,
        before is None and bool(record.settings_file) and not status_line and setup.FILLS_STATUS_LINE,
    )


def plan_uninstall(site: Site, scope: InstallScope | None) -> InstallPlan:
    """Plans to take out what stands of Compass, whether or not it is recorded. Raises ConfigError."""
    records = read_records(site.records_file)
    before = records.pop(site.record_key, None)
    chosen = _choose_install_scope(site, scope, before)
    own = settings_file.read(site.own_settings)
    notes: list[str] = []
    changes: list[FileChange] = []
    include_again: tuple[str, str] | None = None
    still = [
        record.host or registry.DEFAULT if record.project_dir == site.project_dir else record.project_dir
        for record in records.values()
        if os.path.isdir(record.project_dir)
    ]
    if still:
        notes.append(f"still enabled, because it is still wired for {', '.join(still)}")
    elif own.text is not None:
        changes.append(_plan_settings_change(own, {"enabled": False}))
    path = before.settings_file if before and before.scope == chosen else site.settings_path(chosen)
    shared = [
        record.project_dir
        for record in all_records(site.state_dir)
        if record.settings_file == path
        and record.project_dir != site.project_dir
        and os.path.isdir(record.project_dir)
    ]
    # Other projects that init set up for this host may be wired by the same entries.
    if shared and scope is None and not site.local_file:
        notes.append(
            f"{path} stays wired for {', '.join(shared)}; `compass init --host {site.host.NAME} --user --uninstall` "
            "removes the hooks for all of them"
        )
    elif path:
        bare = InstallRecord(chosen, site.project_dir, path, site.interpreter, site.script, __version__)
        change, include_again = without_entries(site.earlier_record(path) or bare, site.host.setup())
        changes.append(change)
        if change.before == change.after:
            notes.append(f"{path} contains no Compass hook")
    notes += _plan_warnings(site, chosen, [change.path for change in changes])
    mode = _valid_install_choice(own.value.get("mode"), MODES) or "observe"
    backend = stored_backend(own.value) or AUTO
    return InstallPlan(
        chosen, bool(still), mode, backend, tuple(changes), None, None, include_again, tuple(notes)
    )


def _choose_install_scope(
    site: Site, asked: InstallScope | None, before: InstallRecord | None
) -> InstallScope:
    """The scope of settings that the options name. Raises ConfigError for a scope that the host does not have."""
    if site.local_file:
        return asked or (before.scope if before else "project")
    if asked not in (None, "user"):
        raise ConfigError(
            f"{site.host.TITLE} is wired for all of this user's projects at once, but is active only in those that "
            f"init has set up: leave out --{asked}"
        )
    return "user"


def _plan_settings_change(
    own: settings_file.WritableSettings,
    values: Mapping[str, object],
    sections: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
) -> FileChange:
    value = {**own.value, **values}
    for name, said in sections.items():
        if said:
            value[name] = {**mapping(own.value.get(name)), **said}
    return FileChange(own.path, own.text, changed_text(own.text, value), private=True)


def stored_backend(own: Mapping[str, object]) -> str | None:
    """What the user's own settings for the project say."""
    return _valid_install_choice(mapping(own.get("evaluator")).get("backend"), BACKENDS)


def _valid_install_choice(found: object, choices: Container[str]) -> str | None:
    return found if isinstance(found, str) and found in choices else None


def _planned_answers(waits: Sequence[str], yes: bool) -> dict[str, dict[str, object]]:
    """The user's one answer to all that waits for it, by section."""
    found: dict[str, dict[str, object]] = {}
    for key in waits:
        section, _, name = key.partition(".")
        value = ("targets" if yes else "off") if key == layers.LOOKUPS else yes
        found.setdefault(section, {})[name] = value
    return found


def _sent(waits: Sequence[str], yes: bool) -> str:
    told = "; ".join(layers.ASKED[key] for key in waits)
    if yes:
        return f"hosted readers are sent {told}; `compass explain --egress` shows it"
    ways = ", ".join(set_by(key, "targets" if key == layers.LOOKUPS else "true") for key in waits)
    return f"until you agree, hosted readers are not sent {told}: {ways}"


def _effective_install_mode(site: Site, loaded: layers.Loaded, mode: str, notes: list[str]) -> str:
    """A project file may tighten the user's mode; it stands above what is stored here."""
    origin = loaded.origins.get("mode", "")
    theirs = (project_file(site.project_dir), *site.host.FILES.of_project(site.project_dir))
    if origin.removesuffix(layers.ENV_BLOCK) not in theirs or loaded.settings.mode == mode:
        return mode
    notes.append(f"{origin} sets mode {loaded.settings.mode}, which applies here")
    return loaded.settings.mode


def _plan_warnings(site: Site, scope: InstallScope, planned: list[str]) -> list[str]:
    """Other wirings that stay, and a folder that is not the repository's root."""
    notes: list[str] = []
    for other in WIRED_SCOPES if site.local_file else ():
        path = site.settings_path(other)
        with suppress(ConfigError):
            if path not in planned and site.host.setup().own_handlers(settings_file.read(path).value):
                notes.append(f"also wired in {path}; `compass init --{other} --uninstall` removes that")
    root = project_root(site.project_dir)
    if scope == "project" and root != site.project_dir:
        folder = os.path.dirname(site.settings_path(scope))
        notes.append(f"the host reads {folder} only if it is started there, not in {root}")
    return notes


def wiring_of(site: Site, loaded: layers.Loaded, mode: str, scope: InstallScope) -> Wiring:
    """What the entries are made from, under these settings in that mode.

    Where all projects share the entries, a failing hook stops the tool as long as one of them asks for that.
    """
    policy, path = loaded.settings.error_policy, site.settings_path("user")
    closed = closed_policy(mode, policy) or any(
        record.blocks and record.settings_file == path and record.project_dir != site.project_dir
        for record in (() if site.local_file else all_records(site.state_dir))
        if os.path.isdir(record.project_dir)
    )
    words = entry_words(
        site.env,
        site.home,
        of_project=scope == "project",
        blocks=blocks_without(mode, policy),
        host=registry.host_word(site.host),
    )
    tools = tuple(dict(loaded.settings.gate.mcp_tools))
    return Wiring(site.interpreter, site.script, closed, tools, words)


def with_entries(
    site: Site, record: InstallRecord, wiring: Wiring, *, status_line: bool
) -> tuple[FileChange, InstallRecord]:
    """The settings file with our entries, and the record with what stood before them."""
    path, setup = record.settings_file, site.host.setup()
    whole = setup.whole_file(wiring)
    if whole is not None:
        return _own_entries_file_change(site, record, whole, status_line=status_line)
    file = settings_file.read(path)
    merged = setup.merge(file.value, setup.entries(wiring))
    if status_line or setup.has_status_line(merged):
        # The settings that the host reads before those at `path`, which hide theirs; the strongest first.
        files = setup.settings_files(site.home, site.project_dir)
        below = map(read_settings, reversed(files[: files.index(path)] if path in files else ()))
        merged = setup.with_status_line(merged, wiring, [one for one in below if isinstance(one, dict)])
    first = site.earlier_record(path) if file.text is not None else None
    noted = replace(
        record,
        created_file=first.created_file if first else file.text is None,
        created_folder=first.created_folder if first else not os.path.isdir(os.path.dirname(path)),
        empty=first.empty if first else setup.empty_containers(file.value),
    )
    return FileChange(path, file.text, changed_text(file.text, merged)), noted


def _own_entries_file_change(
    site: Site, record: InstallRecord, text: str, *, status_line: bool
) -> tuple[FileChange, InstallRecord]:
    """The change to a hooks file that is Compass's alone. Raises ConfigError where somebody else's is in its place."""
    path, setup = record.settings_file, site.host.setup()
    if status_line:
        raise ConfigError(
            f"{site.host.TITLE} has no status line that a program can set; leave out --statusline"
        )
    before = settings_file.text_of(path)
    if before is not None and not setup.is_own_file(before):
        raise ConfigError(f"{path} was not written by init; move it away, and run init again")
    first = site.earlier_record(path)
    folder = first.created_folder if first else not os.path.isdir(os.path.dirname(path))
    noted = replace(record, created_file=True, created_folder=folder)
    return FileChange(path, before, text, executable=setup.table.executable), noted


def without_entries(record: InstallRecord, setup: Setup) -> tuple[FileChange, tuple[str, str] | None]:
    """The settings file without our entries, and the exclude line that has no purpose any more."""
    text = settings_file.text_of(record.settings_file)
    if text is not None and setup.is_own_file(text):
        return FileChange(record.settings_file, text, None, with_folder=record.created_folder), None
    file = settings_file.read(record.settings_file)
    left = setup.without_status_line(setup.remove(file.value, record.empty))
    after = file.text
    if left != file.value:
        after = None if not left and record.created_file else changed_text(file.text, left)
    change = FileChange(record.settings_file, file.text, after, with_folder=record.created_folder)
    needless = record.exclude and (after is None or not record.created_file)
    return change, (record.exclude, record.exclude_line) if needless else None
