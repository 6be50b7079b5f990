"""What a project's committed `.compass` folder asks for, and what in it is left unread."""

from __future__ import annotations

import os
import re

from compass import __version__
from evaluator.configuration.files import read_settings
from evaluator.configuration.places import PROJECT_FILE, REQUIRES, SHARED, UNREAD, project_file

_VERSION = re.compile(r"\s*(?:>=)?\s*(\d{1,6}(?:\.\d{1,6}){0,3})\s*")


def numbers(version: str) -> tuple[int, ...] | None:
    """The release that a version names, `>=` before it or not; None for other words."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return None
    parts = [int(part) for part in found[1].split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def ours() -> str:
    """The release of this program, as a team's file names one: without what marks a build between two."""
    found = re.match(r"\d+(?:\.\d+)*", __version__)
    return found[0] if found else "0"


def required(project_dir: str) -> object:
    """What the project's file says of the least version; None where it says nothing."""
    return read_settings(project_file(project_dir)).value.get(REQUIRES)


def lacking(project_dir: str) -> str:
    """In words, what this program is too old for, or what cannot be understood of it; empty where nothing is wrong."""
    asked = required(project_dir)
    if asked is None:
        return ""
    least = numbers(asked) if isinstance(asked, str) else None
    if least is None:
        return f'`{REQUIRES}` in {PROJECT_FILE} must be a version such as "{ours()}", not {str(asked)[:40]!r}'
    if least <= (numbers(ours()) or ()):
        return ""
    named = str(asked).replace(">=", "").strip()
    return (
        f"this project's {PROJECT_FILE} is for Compass {named} or newer, and this is {__version__}: what it does not "
        "know there does not count. Install a newer one the way you installed this, then run `compass init` again"
    )


def unread(project_dir: str) -> list[str]:
    """The files of the folder that Compass leaves unread, relative to the project."""
    names = (os.path.join(SHARED, name) for name in UNREAD)
    return [name for name in names if os.path.lexists(os.path.join(project_dir, name))]
