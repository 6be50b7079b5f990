"""What the user's own state remembers of a project folder: its key, and where the state itself lies.

A project's key follows its git remote, which an agent can change in a moment; a key that follows the change
would lose the user's settings and with them the gate. So the key that a folder was set up under is recorded,
and the record wins until `compass init --uninstall` takes it out. A work tree of git has that of its main one.

A second record lies under ~/.config/compass: that the folder was set up, for the day that the state is gone, and
the ONLOOKER_DIR of then, which cannot be told once a project's `env` block has replaced it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from evaluator.configuration.places import config_dir, onlooker_dir, state_dir
from evaluator.configuration.project import main_root, project_key, project_root
from evaluator.exhaustion import raise_want
from evaluator.files import private_folder

_KEY = r"[0-9a-f]{12}"
_MAX_BYTES = 64 * 1024
TOLD = "told"
"""Beside the records: the sessions in which the person was told that the settings are lost."""
_DEFAULT = "default"
"""Recorded for an ONLOOKER_DIR that was not set."""


def key_of(state: str, directory: str) -> str:
    """The key that this folder, or its git root, was recorded under; else the one that its remote gives."""
    for folder in _known(directory):
        found = _read(state, folder)
        if found is not None and re.fullmatch(_KEY, found):
            return found
    return project_key(directory)


def was_set_up(state: str, home: str, directory: str) -> bool:
    """Whether either record names this folder, its git root or its main work tree."""
    return any(
        _stands(_path(base, folder)) for base in (state, config_dir(home)) for folder in _known(directory)
    )


def recorded_onlooker_dir(home: str, directory: str) -> str | None:
    """The ONLOOKER_DIR that stood in the user's shell when this folder was set up, if it was not the default."""
    found = (_read(config_dir(home), folder) for folder in _known(directory))
    return next((path for path in found if path and os.path.isabs(path)), None)


def remember(env: Mapping[str, str], home: str, directory: str) -> None:
    """Record the key in force, and ONLOOKER_DIR. Raises OSError if the state cannot be written, the home may be."""
    state = state_dir(env, home)
    key = key_of(state, directory)
    at = onlooker_dir(env, home)
    away = at if at != onlooker_dir({}, home) else _DEFAULT
    for folder in _folders(directory):
        _write(state, folder, key)
        with suppress(OSError):
            _write(config_dir(home), folder, away)


def remember_if_set_up(env: Mapping[str, str], home: str, directory: str) -> None:
    """For a session's start: what stands for this project now must still be found at its end."""
    state = state_dir(env, home)
    if os.path.exists(os.path.join(state, key_of(state, directory), "settings.json")):
        remember(env, home, directory)


def forget(env: Mapping[str, str], home: str, directory: str, kept: frozenset[str] = frozenset()) -> None:
    """Take out what `remember` recorded; `kept` are folders that others still need. Raises OSError."""
    for folder in _folders(directory):
        if folder in kept:
            continue
        for base in (state_dir(env, home), config_dir(home)):
            with suppress(FileNotFoundError, NotADirectoryError):
                os.unlink(_path(base, folder))
    emptied = [os.path.join(base, "projects") for base in (state_dir(env, home), config_dir(home))]
    with suppress(OSError):
        if not os.listdir(emptied[-1]):
            os.unlink(os.path.join(config_dir(home), TOLD))
    for folder in (*emptied, config_dir(home)):
        with suppress(OSError):
            os.rmdir(folder)


def _known(directory: str) -> Iterator[str]:
    """The folders whose record holds for this one, nearest first; the last is looked for only if it is asked for."""
    yield from _folders(directory)
    main = main_root(directory)
    if main:
        yield main


def _folders(directory: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((os.path.realpath(directory), project_root(directory))))


def _path(base: str, folder: str) -> str:
    import hashlib

    name = hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return os.path.join(base, "projects", name)


def _stands(path: str) -> bool:
    try:
        os.stat(path)
    except (OSError, ValueError):
        return False
    return True


def _read(base: str, folder: str) -> str | None:
    """The value recorded for exactly this folder."""
    try:
        with open(_path(base, folder), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read(_MAX_BYTES)
    except (OSError, ValueError) as error:
        raise_want(error)
        return None
    head, _, value = text.removesuffix("\n").rpartition("\n")
    return value if head == folder else None


def _write(base: str, folder: str, value: str) -> None:
    """Whole or not at all: sessions of one project start at once. What stands already is left alone."""
    if _read(base, folder) == value or "\n" in value:
        return
    path = _path(base, folder)
    private_folder(os.path.dirname(path), repair=False)
    temporary = f"{path}.{os.getpid()}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(f"{folder}\n{value}\n")
    os.replace(temporary, path)
