"""The user's own layers of settings that a command writes: this project's, and the one for every project."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from compass.configuring import edit
from compass.install import settings_file
from compass.install.site import Site, changed_text
from evaluator.configuration.settings import Key
from evaluator.errors import ConfigError
from evaluator.files import lock_file, private_folder

LOCK_SECONDS = 5.0
HOSTED = "compass"
"""Under which a key stands in a file of the host's."""


@dataclass(frozen=True, slots=True)
class OwnLayer:
    """`hosted`: the file is the host's, and the settings one section of it. `reach` follows "for"."""

    path: str
    hosted: bool
    reach: str


def layer_of(site: Site, *, every_project: bool) -> OwnLayer:
    if every_project:
        return OwnLayer(site.host.FILES.of_user(site.home)[0], True, "every project of yours")
    return OwnLayer(site.own_settings, False, "this project")


@contextmanager
def writing(site: Site) -> Generator[None]:
    """Nobody else sets a key meanwhile. Raises ConfigError."""
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


def write(
    layer: OwnLayer, key: Key, value: object, *, take_out: bool = False, refuse: str = ""
) -> tuple[bool, object]:
    """Sets the key, or takes it out; (whether it stood there, its earlier value). Raises ConfigError.

    The file is replaced whole or not at all, and left alone where it says this already or cannot be read strictly.
    `refuse` says what else is wrong with the layer.
    """
    file = settings_file.read(layer.path)
    if refuse:
        raise ConfigError(f"{refuse}; restore it, or run `compass init`; nothing was changed")
    values = values_of(layer, file)
    before = edit.stated(values, key.path)
    if take_out:
        after = edit.without(values, key.path) if before[0] else values
    else:
        try:
            after = edit.with_value(values, key.path, value)
        except edit.NoSectionError as error:
            prefix = f"{HOSTED}." if layer.hosted else ""
            raise _no_section(layer, prefix + str(error)) from error
    whole = _in_file(file.value, after) if layer.hosted else after
    if file.text is None and take_out:
        return before
    text = changed_text(file.text, whole)
    if text != file.text:
        settings_file.replace(layer.path, text, private=not layer.hosted)
    return before


def _in_file(whole: dict[str, object], section: dict[str, object]) -> dict[str, object]:
    if section:
        return {**whole, HOSTED: section}
    return {name: held for name, held in whole.items() if name != HOSTED or not held}


def _no_section(layer: OwnLayer, name: str) -> ConfigError:
    return ConfigError(
        f"{layer.path}: {name} must be an object; correct it there, then run again; nothing was changed"
    )
