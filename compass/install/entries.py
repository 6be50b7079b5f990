"""A host's settings file with our entries in it, and without them. Reads only."""

from __future__ import annotations

import os
from dataclasses import replace

from compass.install import settings_file
from compass.install.installation import (
    FileChange,
    InstallRecord,
    InstallScope,
    Site,
    all_records,
    changed_text,
)
from evaluator.errors import ConfigError
from evaluator.settings import layers
from evaluator.settings.places import blocks_without, entry_words
from hooks import registry
from hooks.entries import Wiring, closed_policy, read_settings
from hooks.setup import Setup


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
