"""The user's own layers of settings that a command writes: one key set, all else as it stands."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from compass.install import settings_file
from compass.install.installation import Site, changed_text
from evaluator.errors import ConfigError
from evaluator.files import lock_file, private_folder
from evaluator.settings.keys import Key

LOCK_SECONDS = 5.0
HOSTED = "compass"
"""Under which a key stands in a file of the host's."""


class NoSectionError(ValueError):
    """What should be an object on the way to a key is something else; the text is its dotted path."""


def stated_in(values: Mapping[str, object], path: str) -> tuple[bool, object]:
    """(whether the key stands here, its raw value): of several spellings the last, as the loader takes it."""
    found: tuple[bool, object] = (False, None)
    for word, held in values.items():
        if word == path:
            found = (True, held)
        elif path.startswith(word + ".") and isinstance(held, dict):
            inner = stated_in(cast(dict[str, object], held), path[len(word) + 1 :])
            found = inner if inner[0] else found
    return found


def with_value(values: Mapping[str, object], path: str, value: object) -> dict[str, object]:
    """A copy of a layer's values with the key set. Raises NoSectionError."""
    if stated_in(values, path)[0]:
        return _replaced(values, path, value)
    return _added(values, path, value, "")


def _replaced(values: Mapping[str, object], path: str, value: object) -> dict[str, object]:
    found: dict[str, object] = {}
    for word, held in values.items():
        if word == path:
            found[word] = value
        elif path.startswith(word + ".") and isinstance(held, dict):
            found[word] = _replaced(cast(dict[str, object], held), path[len(word) + 1 :], value)
        else:
            found[word] = held
    return found


def _added(values: Mapping[str, object], path: str, value: object, above: str) -> dict[str, object]:
    head, _, rest = path.partition(".")
    if not rest:
        return {**values, head: value}
    section = values.get(head, {})
    if not isinstance(section, dict):
        raise NoSectionError(above + head)
    inner = _added(cast(dict[str, object], section), rest, value, f"{above}{head}.")
    return {**values, head: inner}


@dataclass(frozen=True, slots=True)
class OwnLayer:
    """`hosted`: the file is the host's, and the settings one section of it. `reach` follows "for"."""

    path: str
    hosted: bool
    reach: str


def layer_of(site: Site, *, every_project: bool) -> OwnLayer:
    if every_project:
        return OwnLayer(site.host.FILES.of_user(site.home)[0], True, "all your projects")
    return OwnLayer(site.own_settings, False, "this project")


@contextmanager
def writing(site: Site) -> Generator[None]:
    """Holds the lock of a layer's file while the block runs: nobody else sets a key meanwhile. Raises ConfigError."""
    try:
        private_folder(site.state_dir, repair=False)
        with lock_file(os.path.join(site.state_dir, "settings.lock"), LOCK_SECONDS):
            yield
    except OSError as error:
        raise ConfigError(f"{error.filename or site.state_dir}: {error.strerror or error}") from error


def values_of(layer: OwnLayer, file: settings_file.WritableSettings) -> dict[str, object]:
    """The settings in the file. Raises ConfigError where something else stands in their place."""
    if not layer.hosted:
        return file.value
    section = file.value.get(HOSTED, {})
    if not isinstance(section, dict):
        raise _no_section(layer, HOSTED)
    return cast(dict[str, object], section)


def write(layer: OwnLayer, key: Key, value: object, *, refuse: str = "") -> tuple[bool, object]:
    """Sets a key in a settings file; (whether it stood, its earlier value). Raises ConfigError.

    The file is replaced whole or not at all, and left alone where it says this already or cannot be read strictly.
    `refuse` says what else is wrong with the layer.
    """
    file = settings_file.read(layer.path)
    if refuse:
        raise ConfigError(f"{refuse}; restore it, or run `compass init`; nothing was changed")
    values = values_of(layer, file)
    before = stated_in(values, key.path)
    try:
        after = with_value(values, key.path, value)
    except NoSectionError as error:
        prefix = f"{HOSTED}." if layer.hosted else ""
        raise _no_section(layer, prefix + str(error)) from error
    text = changed_text(file.text, {**file.value, HOSTED: after} if layer.hosted else after)
    if text != file.text:
        settings_file.replace(layer.path, text, private=not layer.hosted)
    return before


def _no_section(layer: OwnLayer, name: str) -> ConfigError:
    return ConfigError(
        f"{layer.path}: {name} must be an object; correct it there, then run again; nothing was changed"
    )
