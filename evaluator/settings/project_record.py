"""What the user's own state remembers of a project folder: its key, and where the state itself lies.

A project's key follows its git remote, which an agent can change in a moment; a key that follows the change
would lose the user's settings and with them the gate. So the key that a folder was set up under is recorded,
and the record wins until `compass init --uninstall` takes it out. A work tree of git has that of its main one.

A second record lies under ~/.config/compass: that the folder was set up, for the day that the state is gone, and
the ONLOOKER_DIR of then, which cannot be told once a project's `env` block has replaced it.

Beside the settings of a project lies the pin of what its user trusts of the project's own: `compass trust` writes it.
What is pinned is content: the sections `compass` and `env` of every settings file of the project, and the real
path of its folder, since clones share a key. Any change of them ends the trust. The pin lies at the place that holds
without the project's `env` block.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import cast

from evaluator.files import raise_want, replace_private
from evaluator.settings.files import SettingsFile
from evaluator.settings.places import (
    CLOSED,
    OPEN,
    config_dir,
    main_root,
    onlooker_dir,
    project_key,
    project_root,
    state_dir,
    word_of,
)

_KEY = r"[0-9a-f]{12}"
_MAX_BYTES = 64 * 1024
TOLD = "told"
"""Beside the records: the sessions in which the person was told that the settings are lost."""
_DEFAULT = "default"
"""Recorded for an ONLOOKER_DIR that was not set."""
SECTIONS = ("compass", "env")
"""What of a settings file is pinned."""
ENABLED = "enabled"
ENVIRONMENT = "environment"
"""The layer of the user's own variables."""


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
        os.path.exists(_path(base, folder))
        for base in (state, config_dir(home))
        for folder in _known(directory)
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
    """Records that the gate is on in this project, at a session's start: what stands for it now must still be found at
    the session's end."""
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


def _read(base: str, folder: str) -> str | None:
    """The value recorded for exactly this folder."""
    try:
        with open(_path(base, folder), encoding="utf-8", errors="surrogatepass") as file:
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
    replace_private(_path(base, folder), f"{folder}\n{value}\n")


def trust_path(state: str, directory: str) -> str:
    return os.path.join(state, key_of(state, directory), "trust.json")


def pinned_content(directory: str, files: Sequence[SettingsFile]) -> Mapping[str, Mapping[str, object]]:
    """{path relative to the project: {section: what stands there}}, without files that hold neither."""
    found: dict[str, dict[str, object]] = {}
    for file in files:
        held = {name: file.value[name] for name in SECTIONS if file.value.get(name) not in (None, {})}
        if held:
            found[os.path.relpath(file.path, directory)] = held
    return found


def digest_of(directory: str, files: Sequence[SettingsFile]) -> str | None:
    """SHA-256 of the canonical JSON of what is pinned.

    None where there is nothing to trust, and where a file cannot be read whole, so that nobody can know it.
    """
    content = pinned_content(directory, files)
    if not content or any(file.opaque for file in files):
        return None
    import hashlib
    import json

    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def is_trusted(path: str, directory: str, files: Sequence[SettingsFile]) -> bool:
    """`path` of the pins. Costs nothing where the files hold nothing of the kind."""
    digest = digest_of(directory, files)
    return digest is not None and read_pins(path).get(directory) == digest


def read_pins(path: str) -> dict[str, str]:
    """{real path of a project folder: digest}; empty for a file that is missing or not ours to understand."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            whole = cast(object, json.load(file))
    except (OSError, ValueError, RecursionError) as error:
        raise_want(error)
        return {}
    pins = cast(dict[str, object], whole).get("trusted") if isinstance(whole, dict) else None
    if not isinstance(pins, dict):
        return {}
    return {name: pin for name, pin in cast(dict[str, object], pins).items() if isinstance(pin, str)}


def lost(
    own: SettingsFile,
    everywhere: SettingsFile,
    origins: Mapping[str, str],
    env: Mapping[str, str],
    home: str,
    directory: str,
    moved: bool,
) -> str:
    """What is wrong with the user's settings for this project, for a sentence; empty where nothing is: they are lost
    where the gate was turned on, and nothing says how.

    A gate is off only by its user: by `enabled` false in settings of theirs that can be read, or by
    `compass init --uninstall`, which writes that and takes the entries and the records out. A project that nobody set
    up has lost nothing. Reads a record or two, and those only where no settings turn the gate on or off.

    `own` is their file, `everywhere` the one for all their projects, which may have turned the gate on where nothing
    else says whether it is; `origins` tells which keys were set by anybody, `moved` that a project's `env` block
    names the HOME in force. A wrong value of a key is no loss: the layer below holds.
    """
    broken = bool(own.problem) and not own.missing
    # What the user's shell says stands above the file, whatever was in it.
    if origins.get(ENABLED) == ENVIRONMENT or (ENABLED in origins and not broken):
        return ""
    for file in (own, everywhere):
        if file.problem and not file.missing:
            return f"{file.path} {file.problem}"
    if everywhere.section("compass") is None:
        return f"{everywhere.path}: compass must be an object"
    if ENABLED in own.value:
        return ""
    turned_on = word_of(env) in (CLOSED, OPEN)
    # A file with other keys may be that of `compass calibrate`, in a project that nobody turned on.
    if not turned_on and (own.value or not (moved or was_set_up(state_dir(env, home), home, directory))):
        return ""
    return f"{own.path} {'is gone' if own.missing else 'does not say whether the gate is on'}"
