"""The file that a team commits: what in it concerns who sets Compass up, and how `init --team` writes it.

What is committed holds no path of a machine, no backend and no address: those are each person's own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from compass import glossary
from compass.composition.settings import lacking, load, numbers, ours, unread
from compass.install import git_exclude, settings_file
from compass.install.site import FileChange, Site
from compass.install.taken import COMMITTED
from evaluator.errors import ConfigError
from evaluator.settings.files import is_tighter
from evaluator.settings.keys import KEYS, Key
from evaluator.settings.layers import SECTION, Loaded, thresholds_file
from evaluator.settings.places import PROJECT_FILE, REQUIRES, project_file

OWN = ("enabled", "mode")
"""Keys that `init` sets for each person; a team shares the mode where it says so."""


@dataclass(frozen=True, slots=True)
class TeamPlan:
    """`notes` are for the person who commits it."""

    change: FileChange
    notes: tuple[str, ...]


def shared_notes(site: Site) -> list[str]:
    """What `init` says of a committed folder."""
    project_dir = site.project_dir
    notes = [lacking(project_dir)]
    left = unread(project_dir)
    notes += [
        f"{one} lies in this project and is not read"
        + (" until you take it over by `compass trust`" if one == COMMITTED else "")
        for one in left
    ]
    words = glossary.standing(site.state_dir, project_dir)
    if words:
        told = "lies in this project and is " if words == "unread" else ""
        notes.append(f"{glossary.COMMITTED} {told}{glossary.TOLD[words]}")
    if os.path.lexists(project_file(project_dir)):
        notes.append(f"{PROJECT_FILE} of this project counts where it makes the gate tighter")
    return [note for note in notes if note]


def plan_team(site: Site, *, enforce: bool) -> TeamPlan:
    """What the user set tighter than the default becomes the project's; what stands in its file already stays.

    Raises ConfigError for a file that cannot be kept whole.
    """
    path = project_file(site.project_dir)
    before = settings_file.read(path)
    section = before.value.get(SECTION, {})
    if not isinstance(section, dict):
        raise ConfigError(f"{path}: {SECTION} must be an object; correct it, or remove it, and run again")
    loaded = load(site.env, site.home, site.project_dir, host=site.host)
    notes: list[str] = []
    found = _tightened(site, loaded, notes)
    if enforce:
        found["mode"] = "enforce"
    shared = _merged(cast(dict[str, object], section), found)
    asked = before.value.get(REQUIRES)
    stays = isinstance(asked, str) and numbers(asked) is not None
    value = {REQUIRES: asked if stays else ours(), **before.value, SECTION: shared}
    if not stays:
        value[REQUIRES] = ours()
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    after = before.text if before.value == value else text
    if git_exclude.look(site.project_dir, PROJECT_FILE).state == "ignored":
        notes.append(f"git ignores {PROJECT_FILE}: take it out of your ignored files, or `git add -f` it")
    cuts = thresholds_file(site.env, site.home, site.project_dir)
    if os.path.exists(cuts) and not os.path.lexists(os.path.join(site.project_dir, COMMITTED)):
        notes.append(f"your calibration is not shared: a copy of {cuts} as {COMMITTED} offers it to the team")
    notes.append(f"commit {PROJECT_FILE}; it only tightens, and each of the team still runs `compass init`")
    return TeamPlan(FileChange(path, before.text, after), tuple(notes))


def _tightened(site: Site, loaded: Loaded, notes: list[str]) -> dict[str, object]:
    """{dotted key: JSON value} of what the user set tighter than the default, as far as a project may set it."""
    theirs = {file.path for file in loaded.clean.project_files}
    found: dict[str, object] = {}
    for path, value in loaded.values.items():
        known = KEYS[path]
        own = loaded.origins.get(path, "") not in theirs
        if path in OWN or not own or not _may_share(known, value):
            continue
        plain = _plain(known, value)
        if _names_machine(plain, (site.home, site.project_dir)):
            notes.append(f"{path} names a path of this machine and is left out")
            continue
        found[path] = plain
    return found


def _may_share(known: Key, value: object) -> bool:
    if known.tighter is None or value == known.default or not is_tighter(known, known.default, value):
        return False
    return known.theirs is None or cast(float, value) <= known.theirs


def _plain(known: Key, value: object) -> object:
    if known.kind == "table":
        # A table is merged row by row: the rows that everybody has need not be said.
        rows = cast(tuple[tuple[str, str], ...], value)
        return dict(row for row in rows if row not in cast(tuple[tuple[str, str], ...], known.default))
    return list(cast(tuple[str, ...], value)) if known.kind == "strs" else value


def _names_machine(value: object, folders: tuple[str, ...]) -> bool:
    text = json.dumps(value, ensure_ascii=False)
    return any(mark in text for mark in ('"/', '"~', *filter(None, folders)))


def _merged(section: Mapping[str, object], found: Mapping[str, object]) -> dict[str, object]:
    """`section` with each key of `found` that it does not say itself."""
    merged = cast(dict[str, object], json.loads(json.dumps(section)))
    for path, value in found.items():
        *folders, name = path.split(".")
        at = merged
        for folder in folders:
            inner = at.setdefault(folder, {})
            if not isinstance(inner, dict):
                break
            at = cast(dict[str, object], inner)
        else:
            at.setdefault(name, value)
    return merged
