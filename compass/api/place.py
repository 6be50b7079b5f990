"""Where a program judges: the folder of its project, and the settings in force there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from compass.api.host import ProgramHost
from compass.joining.surroundings import home_of, load
from evaluator.configuration import loading
from evaluator.configuration.project import resolved
from evaluator.configuration.settings import KEYS, Settings
from evaluator.errors import ConfigError
from evaluator.record import Record, replace

if TYPE_CHECKING:
    from os import PathLike

    from hooks.host import Host

BACKENDS = KEYS["evaluator.backend"].choices


class Place(Record):
    """`settings` are those that were loaded, turned on, with what the program itself chose."""

    host: ProgramHost
    project: str
    loaded: loading.Loaded
    settings: Settings


def place_of(
    project: str | PathLike[str] | None,
    backend: str | None,
    tools: Mapping[str, str] | None,
    *,
    mode: str | None = None,
    attended: bool = True,
) -> Place:
    """`project` None is the working directory. Raises ConfigError for a folder, backend or mode that is none."""
    directory = folder_of(project)
    host = ProgramHost(directory, attended=attended)
    loaded = loaded_for(host, directory, directory)
    return Place(host, directory, loaded, chosen(loaded.settings, backend, tools, mode))


def loaded_for(host: Host, project: str, cwd: str) -> loading.Loaded:
    """What counts for that host in this process's environment, which is left as it is."""
    env = dict(os.environ)
    return load(env, home_of(env), project, cwd, host=host)


def folder_of(project: str | PathLike[str] | None) -> str:
    try:
        found = resolved(os.path.abspath(os.fspath(project)) if project is not None else os.getcwd())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{project or 'the working directory'}: {error}") from None
    if not os.path.isdir(found):
        raise ConfigError(f"{found}: no such folder")
    return found


def chosen(
    settings: Settings, backend: str | None, tools: Mapping[str, str] | None = None, mode: str | None = None
) -> Settings:
    """The settings of whoever asks by name: turned on, whatever they say themselves."""
    if backend is not None:
        if backend not in BACKENDS:
            raise ConfigError(f"no such backend: {backend!r}; one of {', '.join(BACKENDS)}")
        settings = replace(settings, evaluator=replace(settings.evaluator, backend=backend))
    if tools:
        rows = {**dict(settings.gate.mcp_tools), **tools}
        settings = replace(settings, gate=replace(settings.gate, mcp_tools=tuple(rows.items())))
    if mode is not None:
        if mode not in KEYS["mode"].choices:
            raise ConfigError(f"no such mode: {mode!r}; one of {', '.join(KEYS['mode'].choices)}")
        settings = replace(settings, mode=mode)
    return replace(settings, enabled=True)
