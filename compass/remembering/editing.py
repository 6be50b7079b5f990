"""A precedent as a form in the user's own editor, and read back from it."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping

from compass.remembering.fields import Stated
from evaluator.errors import ConfigError, PayloadError
from evaluator.model import ACTIONS, EXTENTS
from evaluator.precedents.precedent import TEXT_CHARS_MAX, Precedent

FALLBACK = "vi"
NAMES = Stated.__match_args__


def stated_of(one: Precedent) -> Stated:
    return Stated(*(getattr(one, name) for name in NAMES))


def form_of(stated: Stated, what: str, faults: tuple[str, ...] = ()) -> str:
    """`what` is told on top, and below it what was wrong with the last try."""
    wrong = [f"# Not taken: {fault}" for fault in faults]
    told = [
        f"# {what}",
        *wrong,
        "# Lines that begin with # are left out. An empty file changes nothing.",
        f"# Each at most {TEXT_CHARS_MAX} characters, on one line. `said` are your own words.",
        f"# action: {', '.join(ACTIONS)}; or nothing",
        f"# extent: {', '.join(EXTENTS)}; or nothing",
        "# target: a path of this project, or what stands in `said`",
    ]
    return "\n".join([*told, "", *(f"{name}: {getattr(stated, name)}" for name in NAMES), ""])


def read_form(text: str) -> Stated | None:
    """None for a form that was emptied. Raises PayloadError, naming the line."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon or name not in NAMES:
            raise PayloadError(f"line {number}: begins with none of {', '.join(f'{one}:' for one in NAMES)}")
        if name in found:
            raise PayloadError(f"line {number}: {name} is said twice")
        found[name] = value.strip()
    if not found:
        return None
    missing = [name for name in NAMES if name not in found]
    if missing:
        raise PayloadError(
            f"{missing[0]}: its line is gone; leave the line and empty what is behind the colon"
        )
    return Stated(**found)


def editor_of(env: Mapping[str, str]) -> str:
    """The command of the editor that the user named; empty where they named none."""
    return env.get("VISUAL") or env.get("EDITOR") or ""


def edited(text: str, command: str) -> str:
    """What the user made of the text. Raises ConfigError where the editor did not end well."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise ConfigError(f"EDITOR: {command[:60]!r} is no command line")
    handle, path = tempfile.mkstemp(prefix="compass-precedent-", suffix=".txt")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        try:
            code = subprocess.run([*words, path], check=False).returncode  # noqa: S603 - the user's own editor
        except OSError as error:
            raise ConfigError(
                f"{words[0]}: cannot be started: {error.strerror}; set EDITOR, or give --term, --target and the like"
            ) from None
        if code:
            raise ConfigError(f"{words[0]} ended with {code}; nothing was changed")
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    finally:
        os.unlink(path)
