"""What a team commits, as it concerns who sets Compass up, and its thresholds.

Of thresholds the gate reads a copy alone, which is made when the user trusts them: what is committed later counts for
nothing until it is trusted, too. Cuts of the user's own are never replaced."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass

from compass.composition.settings import unread
from compass.install import settings_file
from compass.install.installation import Site
from compass.project_precedents import GLOSSARY
from evaluator.errors import ConfigError
from evaluator.settings import layers
from evaluator.settings.places import PROJECT_FILE, SHARED, project_file
from evaluator.verdict.calibrated_thresholds import Calibrated, parsed_thresholds, text_of_thresholds


def shared_notes(site: Site) -> list[str]:
    """What a project commits for Compass, and what of it counts; a line each."""
    project_dir = site.project_dir
    notes = [
        f"{one} is in this project, but is not read"
        + (" until you adopt it with `compass trust`" if one in (COMMITTED, GLOSSARY) else "")
        for one in unread(project_dir)
    ]
    if os.path.lexists(project_file(project_dir)):
        notes.append(f"this project's {PROJECT_FILE} applies only where it tightens the gate")
    return notes


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


def committed_thresholds(site: Site) -> Offered | None:
    """The thresholds that the team committed, None without any. Raises ConfigError for a file that cannot be used."""
    path = os.path.join(site.project_dir, COMMITTED)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ConfigError(f"{path}: not a regular file, so it cannot be trusted")
        # What is shown and what is copied are one reading of it.
        read = text_of_thresholds(path)
        found, text = parsed_thresholds(read, path), read.decode()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{error}; an unreadable file cannot be trusted") from None
    if not found.per_n:
        raise ConfigError(f"{path} sets no thresholds, so there is nothing to trust; remove the file")
    copied, (copy, _) = _is_committed_copy(site), _copy_and_mark(site)
    calibration = layers.calibration_file(site.env, site.home, site.project_dir)
    own = not copied and any(map(os.path.lexists, (copy, calibration)))
    return Offered(text, found, copied and settings_file.text_of(copy) == text, own)


def take_thresholds(site: Site, one: Offered) -> None:
    """Puts the thresholds that the team committed in force for this user. Raises ConfigError."""
    copy, mark = _copy_and_mark(site)
    settings_file.replace(mark, _digest(one.text) + "\n", private=True)
    settings_file.replace(copy, one.text, private=True)


def give_thresholds_back(site: Site) -> bool:
    """Deletes the copy of the team's thresholds; False without one, or for the user's own. Raises ConfigError."""
    copied, (copy, mark) = _is_committed_copy(site), _copy_and_mark(site)
    if copied:
        settings_file.remove(copy)
    settings_file.remove(mark)
    return copied


def _copy_and_mark(site: Site) -> tuple[str, str]:
    """The paths of the copy and of its digest: what `calibrate` writes in its place is the user's own again."""
    copy = layers.thresholds_file(site.env, site.home, site.project_dir)
    return copy, os.path.join(os.path.dirname(copy), "thresholds-trusted")


def _is_committed_copy(site: Site) -> bool:
    text, mark = map(settings_file.text_of, _copy_and_mark(site))
    return text is not None and mark is not None and mark.strip() == _digest(text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
