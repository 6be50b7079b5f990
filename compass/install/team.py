"""What a team commits: its settings, as they concern who sets Compass up and as `init --team` writes them, and its
thresholds.

What is committed holds no path of a machine, no backend and no address: those are each person's own. Of thresholds
the gate reads a copy alone, which is made when the user trusts them: what is committed later counts for nothing until
it is trusted, too. Cuts of the user's own are never replaced."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from compass import glossary
from compass.composition.settings import lacking, load, numbers, ours, unread
from compass.install import settings_file
from compass.install.settings_file import exclusion_of
from compass.install.site import FileChange, Site
from evaluator.calibrated import Calibrated, parsed_thresholds, text_of_thresholds
from evaluator.errors import ConfigError
from evaluator.settings import layers
from evaluator.settings.files import is_tighter
from evaluator.settings.keys import KEYS, Key
from evaluator.settings.layers import SECTION, Loaded, thresholds_file
from evaluator.settings.places import PROJECT_FILE, REQUIRES, SHARED, project_file

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
    if exclusion_of(site.project_dir, PROJECT_FILE).state == "ignored":
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


COMMITTED = os.path.join(SHARED, "thresholds.json")


@dataclass(frozen=True, slots=True)
class Offered:
    """What lies in the project. `text` is the file's; `taken` says that this text is what the user trusted.

    `own`: the user has cuts of their own, which stay.
    """

    text: str
    found: Calibrated
    taken: bool
    own: bool


def offered(site: Site) -> Offered | None:
    """None where nothing is committed. Raises ConfigError for a file that cannot be used."""
    path = os.path.join(site.project_dir, COMMITTED)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ConfigError(f"{path}: no regular file, so nothing that could be trusted")
        # What is shown and what is copied are one reading of it.
        read = text_of_thresholds(path)
        found, text = parsed_thresholds(read, path), read.decode()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{error}: what cannot be read cannot be trusted") from None
    if not found.per_n:
        raise ConfigError(f"{path}: sets no thresholds, so what would be trusted cannot be told: take it out")
    copied = _is_copy(site)
    calibration = layers.calibration_file(site.env, site.home, site.project_dir)
    own = not copied and any(map(os.path.lexists, (_copy(site), calibration)))
    return Offered(text, found, copied and settings_file.text_of(_copy(site)) == text, own)


def take(site: Site, one: Offered) -> None:
    """Raises ConfigError."""
    settings_file.replace(_mark(site), _digest(one.text) + "\n", private=True)
    settings_file.replace(_copy(site), one.text, private=True)


def give_back(site: Site) -> bool:
    """Delete the copy; False where there is none, or cuts of the user's own. Raises ConfigError."""
    copied = _is_copy(site)
    if copied:
        settings_file.remove(_copy(site))
    settings_file.remove(_mark(site))
    return copied


def _copy(site: Site) -> str:
    return layers.thresholds_file(site.env, site.home, site.project_dir)


def _mark(site: Site) -> str:
    """Holds the digest of the copy: what `calibrate` writes in its place is the user's own again."""
    return os.path.join(os.path.dirname(_copy(site)), "thresholds-trusted")


def _is_copy(site: Site) -> bool:
    text, mark = settings_file.text_of(_copy(site)), settings_file.text_of(_mark(site))
    return text is not None and mark is not None and mark.strip() == _digest(text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
